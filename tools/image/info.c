/* info.c - gpuimg info: a line for each file, which is read to its end. */
#include <stdio.h>
#include <stdlib.h>

#include "session.h"

int run_info(const struct image_request *request, char *const *paths, size_t count, struct job *job)
{
    const struct common *common = &request->common;
    struct session session = {.request = request, .job = job};
    if (count == 0)
        fail_usage("no file is named");
    if (common->output != NULL || common->gzip || common->zstd)
        fail_usage("--output, --gzip and --zstd are not for info");
    (void)cli_files((int)count, (char **)paths, 0, false, &count);
    for (size_t i = 0; i < count; i++) {
        struct picture picture;
        const struct format *format = session_read_file(&session, paths[i], &picture);
        char *text = picture_text(&picture);
        printf("%s: %s, %s\n", paths[i], format->name, text);
        job->stats.elements += picture_elements(&picture);
        free(text);
        picture_free(&picture);
    }
    cli_end_text();
    return STATUS_DONE;
}
