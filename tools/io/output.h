/* output.h - the output: a file that is replaced only when complete, or standard output. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdint.h>

#include "arrow/arrow_writer.h"
#include "choose.h"
#include "codec/encoder.h"
#include "common/options.h"
#include "text/text_writer.h"

struct output {
    const char *name; /* for messages */
    int descriptor;
    char *target; /* the file to be made or replaced; NULL: written directly */
    bool sync;    /* sync, even if no file is replaced */
    enum codec codec;
    struct encoder *encoder;  /* NULL for CODEC_NONE */
    bool prints;              /* --to-text or --to=arrow is given */
    struct text_writer *text; /* or NULL */
    struct arrow_writer *arrow;
    uint64_t bytes; /* written to the file */
    bool hastens;   /* pages are sent to the disk at once: the file will be synced */
    uint64_t sent;  /* bytes of a file that were sent to the disk */
    uint64_t head;  /* where output_write_head() put its bytes */
    int shared;     /* a descriptor of the file that can be mapped, after output_way() returned WAY_PAGES */
};

/* path: NULL for standard output, which must not be a terminal; "-" for standard output of any kind. The new file keeps
 * the mode and, where that is allowed, the owner of the old one. Until outputs_replace() it is a temporary in the same
 * folder. Two outputs at a time. From `common` come the level of compression and --sync. */
void output_open(struct output *output, const char *path, enum codec codec, const struct common *common);

/* The same for a file that other processes write to as well, by the temporary's path. path: of a file to be made or
 * replaced. */
void output_open_shared(struct output *output, const char *path, const struct common *common);
const char *output_temporary(const struct output *output);

/* With --to-text: from now on elements of this layout are written, as text, behind the header's line if it is not NULL.
 * With --to=arrow: they are written as columns. Without both nothing is changed. */
void output_as_text(struct output *output, const scankit_layout *layout, const struct common *common,
                    const char *header);

/* The same for unsigned numbers of 64 bits. */
void output_numbers_as_text(struct output *output, const struct common *common);

/* True if both paths, as output_open() takes them, name the same file. */
bool outputs_collide(const char *path, const char *other);

/* output: a struct output. It is a write_function. */
void output_write(void *output, const void *memory, size_t bytes);

/* The offset in a seekable file where the next byte goes. */
uint64_t output_place(const struct output *output);

/* Writes bytes that output_rewrite_head() can replace by as many others before the output is complete. The output must
 * be seekable. */
bool output_is_seekable(const struct output *output);
void output_write_head(struct output *output, const void *memory, size_t bytes);
void output_rewrite_head(struct output *output, const void *memory, size_t bytes);

/* ---- outputs that are written otherwise ---- */

enum way output_way(struct output *output, unsigned processors);

/* Provides pages for a part of the file. visibly: the file ends behind them, if it did not end later. Returns false and
 * sets errno if the file system is full, or cannot do that. */
bool output_provide(const struct output *output, uint64_t offset, uint64_t bytes, bool visibly);

/* Makes the file at least `length` bytes long. */
void output_grow_to(const struct output *output, uint64_t length);

/* Writes at an offset of the file. Any thread may call it. */
void output_write_at(const struct output *output, const void *memory, size_t bytes, uint64_t offset);

/* Goes on behind `bytes` bytes that were written otherwise. A temporary ends there. */
void output_skip(struct output *output, uint64_t bytes);

/* ---- the end ---- */

/* Writes the rest. Syncs the data if they replace a file, or with --sync. */
void output_complete(struct output *output);

/* Puts up to two complete outputs in their places, both or none. Returns their bytes. Replacing a file survives a
 * crash: the data are on disk before the rename, and the folder after it. */
uint64_t outputs_replace(struct output *const outputs[], size_t count);

/* Both for one output. */
uint64_t output_finish(struct output *output);

#endif
