/* mipmap.c - gpuimg mipmap: a level, all levels, or all in one picture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "levels.h"

/* ---- one picture ---- */

/* Level 0 at the left; the others beside it, one below the other. The rest is 0. */
static struct picture make_atlas(const struct levels *levels)
{
    const struct picture *first = &levels->level[0];
    size_t width = first->width, height = 0;
    for (unsigned l = 1; l < levels->count; l++)
        height += levels->level[l].height;
    width += levels->count > 1 ? levels->level[1].width : 0;
    height = height > first->height ? height : first->height;
    struct picture atlas = picture_new(first->type, first->channels, width, height);
    memset(atlas.pixels, 0, picture_bytes(&atlas));
    size_t x = 0, y = 0, row = picture_row_bytes(&atlas), pixel = row / width;
    for (unsigned l = 0; l < levels->count; l++) {
        const struct picture *level = &levels->level[l];
        size_t bytes = picture_row_bytes(level);
        for (size_t i = 0; i < level->height; i++)
            memcpy(atlas.pixels + (y + i) * row + x * pixel, level->pixels + i * bytes, bytes);
        x = first->width;
        y += l == 0 ? 0 : level->height;
    }
    return atlas;
}

static void write_one(struct session *session, const struct levels *levels)
{
    if (!session->request->atlas) {
        session_write(session, &levels->level[levels->count - 1]);
        return;
    }
    struct picture atlas = make_atlas(levels);
    session_write(session, &atlas);
    picture_free(&atlas);
}

/* ---- files ---- */

static bool is_pattern(const char *out)
{
    const char *percent = strchr(out, '%');
    return percent != NULL && percent[1] == 'd' && strchr(percent + 1, '%') == NULL;
}

static void check_pattern(const char *out)
{
    if (out == NULL || strcmp(out, "-") == 0)
        fail_usage("--all writes several files: name OUT");
    if (strchr(out, '%') != NULL && !is_pattern(out))
        fail_usage("%s: a name with %% must hold %%d once, and no other %%", out);
}

/* out-%d.png becomes out-3.png, and out.png out.3.png. */
static char *level_name(const char *out, unsigned level)
{
    char *name = NULL;
    const char *slash = strrchr(out, '/'), *dot = strrchr(slash == NULL ? out : slash, '.');
    bool pattern = is_pattern(out);
    const char *at = pattern ? strchr(out, '%') : dot != NULL ? dot : out + strlen(out);
    if (asprintf(&name, "%.*s%s%u%s", (int)(at - out), out, pattern ? "" : ".", level, pattern ? at + 2 : at) < 0)
        fail(NULL, "out of memory");
    return name;
}

static void write_files(struct session *session, const struct levels *levels)
{
    const char *out = session->out;
    for (unsigned l = 0; l < levels->count; l++) {
        char *name = level_name(out, l);
        session->out = name;
        session_open_output(session);
        session_write(session, &levels->level[l]);
        free(name);
    }
    session->out = out;
}

/* ---- the command ---- */

static unsigned last_level(const struct image_request *request, const struct picture *picture)
{
    unsigned count = scankit_mipmap_levels(picture->width, picture->height);
    if (request->all || request->atlas)
        return count - 1;
    if (request->level >= count)
        fail_usage("--level=%u: the last level of %zu x %zu pixels is %u", request->level, picture->width,
                   picture->height, count - 1);
    return request->level;
}

int run_mipmap(const struct image_request *request, char *const *paths, size_t count, struct job *job)
{
    struct session session = {.request = request, .job = job};
    struct levels levels;
    struct picture picture;
    session_start(&session, paths, count);
    if (request->all)
        check_pattern(session.out);
    else
        session_open_output(&session);
    session_read(&session, &picture);
    format_check(session.format, &picture, session.out == NULL ? "standard output" : session.out);
    stats_phase(&job->stats, PHASE_filter, picture_bytes(&picture));
    levels_compute(&levels, &session, &picture, last_level(request, &picture));
    session_worked(&session);
    if (request->all)
        write_files(&session, &levels);
    else
        write_one(&session, &levels);
    levels_free(&levels);
    return STATUS_DONE;
}
