/* filtering.c - see filtering.h. */
#include "filtering.h"

#include <string.h>

#include "alpha.h"
#include "placed.h"

/* Replaces the picture by its filtered one. */
static void filter(struct session *session, struct picture *picture, const struct picture *map, filter_call *call)
{
    scankit_context *context = session->context;
    struct picture made = picture_new(picture->type, picture->channels, picture->width, picture->height);
    struct placed in = placed_from(context, picture), out = placed_room(context, &made), placed_map = {0};
    if (map != NULL)
        placed_map = placed_from(context, map);
    check_call(context, call(context, session->request, &in.image, map == NULL ? NULL : &placed_map.image, &out.image));
    placed_fetch(&out, context, &made);
    placed_free(&in);
    placed_free(&placed_map);
    picture_free(picture);
    *picture = made;
}

static void filter_with_alpha(struct session *session, struct picture *picture, const struct picture *map,
                              filter_call *call)
{
    scankit_type type = picture->type;
    struct picture premultiplied = alpha_premultiplied(picture, false);
    picture_free(picture);
    filter(session, &premultiplied, map, call);
    *picture = alpha_straight(&premultiplied, type, false);
    picture_free(&premultiplied);
}

int filter_file(const struct image_request *request, char *const *paths, size_t count, struct job *job,
                const char *map_path, filter_call *call)
{
    struct session session = {.request = request, .job = job};
    struct picture picture, map = {.pixels = NULL};
    session_start(&session, paths, count);
    if (map_path != NULL && strcmp(map_path, "-") == 0 && strcmp(session.in, "-") == 0)
        fail_usage("standard input is named twice");
    session_open_output(&session);
    session_read(&session, &picture);
    if (map_path != NULL)
        session_read_map(&session, map_path, &picture, &map);
    format_check(session.format, &picture, session.output.name);
    stats_phase(&job->stats, PHASE_filter, picture_bytes(&picture));
    const struct picture *radii = map_path == NULL ? NULL : &map;
    if (picture_has_alpha(&picture))
        filter_with_alpha(&session, &picture, radii, call);
    else
        filter(&session, &picture, radii, call);
    session_worked(&session);
    session_write(&session, &picture);
    picture_free(&picture);
    picture_free(&map);
    return STATUS_DONE;
}
