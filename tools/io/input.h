/* input.h - a file or standard input as a stream of elements: what it is is found by looking. */
#ifndef INPUT_H
#define INPUT_H

#include "common/schema.h"
#include "gzip.h"

#define SIZE_UNKNOWN UINT64_MAX

struct input {
    const char *name; /* for messages */
    int descriptor;
    unsigned threads;
    bool file;               /* a regular file, which can be replaced */
    bool regular;            /* read by offset: a regular file of a known size */
    uint64_t offset, end;    /* of a regular file: of the next byte, of the last */
    struct gzip *gzip;       /* or NULL */
    unsigned char pushed[8]; /* content that was looked at and is yet to be read */
    size_t pushed_bytes;
    bool keeps;
    char *prefix; /* what --skip passed over and a .npy header, where they are kept */
    size_t skip, prefix_bytes;
    bool npy;
    struct schema own;     /* what its .npy header says */
    uint64_t claimed;      /* elements, by that header */
    uint64_t position;     /* bytes of content read so far */
    uint64_t header_bytes; /* of them before the first element */
    uint64_t size;         /* bytes of all elements, or SIZE_UNKNOWN */
    uint64_t taken;        /* bytes of elements read so far */
    size_t element;        /* bytes of one */
};

/* What inputs are for: to be read; the same, where the options say only what raw data are, and a .npy file may be of
 * any type; to be kept whole (with what --skip passes over and the .npy header); or to be replaced, for which they must
 * be regular files, kept whole too. */
enum input_use { INPUT_READ, INPUT_OF_ANY_TYPE, INPUT_KEPT, INPUT_REPLACED };

/* Opens files, or standard input for "-", and looks at how they begin. The schema is what the options give or else the
 * first .npy header. Fails where inputs do not fit it, or do not hold a whole number of elements as far as that is
 * known yet. */
struct input *inputs_open(char *const *paths, size_t count, const struct common *common, enum input_use use,
                          struct schema *schema);

/* Opens them as streams of bytes, compressed or not, whatever they are. */
struct input *inputs_open_bytes(char *const *paths, size_t count, const struct common *common);
void inputs_close(struct input *inputs, size_t count);

/* Bytes of all inputs, or SIZE_UNKNOWN. */
uint64_t inputs_size(const struct input *inputs, size_t count);

/* Elements of all inputs, as far as sizes or .npy headers say, or SIZE_UNKNOWN. */
uint64_t inputs_elements(const struct input *inputs, size_t count);

/* Reads elements; less than `bytes` only at the end, and checks there that all is well. */
size_t input_read(struct input *input, void *memory, size_t bytes);

#endif
