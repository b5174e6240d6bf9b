/* manifest.h - the text that says what a workspace holds.
 *
 *     scankit-workspace 1
 *     made 1                                              the folder was not there before
 *     element 8
 *     codec deflate
 *     key 17
 *     (17 bytes of key)
 *     run NUMBER BEGIN END BYTES SIZE CHECKSUM PACKED      a line for each run
 *     end CRC-32 of all that is before this line, 8 hexadecimal digits
 */
#ifndef MANIFEST_H
#define MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A complete run. */
struct manifest_run {
    uint64_t number;     /* of its file */
    uint64_t begin, end; /* the range of the input that it covers */
    uint64_t bytes;      /* of data */
    uint64_t size;       /* of the file */
    uint32_t checksum;   /* of the file's index */
    bool packed;
};

struct manifest {
    bool made;
    size_t element;
    char *codec, *key;
    struct manifest_run *runs;
    size_t count;
};

enum manifest_state { MANIFEST_GOOD, MANIFEST_DAMAGED, MANIFEST_FOREIGN, MANIFEST_OTHER_VERSION };

/* Adds a run. */
void manifest_add(struct manifest *manifest, const struct manifest_run *run);

/* Takes run i out. */
void manifest_remove(struct manifest *manifest, size_t i);

/* The text, with free() left to the caller. */
char *manifest_text(const struct manifest *manifest, size_t *bytes);

/* Parses a text. The manifest is empty unless the text is good. */
enum manifest_state manifest_parse(struct manifest *manifest, const char *text, size_t bytes);

void manifest_free(struct manifest *manifest);

#endif
