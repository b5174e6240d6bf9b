/* input.h - a file or standard input as a stream of elements. Its format is found by looking at its first bytes. */
#ifndef INPUT_H
#define INPUT_H

#include "arrow/arrow_reader.h"
#include "codec/decoder.h"
#include "common/schema.h"
#include "text/text_reader.h"

#define SIZE_UNKNOWN UINT64_MAX

struct input {
    const char *name; /* for messages */
    int descriptor;
    unsigned threads;
    bool bounded;         /* --buffer-size bounds the memory */
    bool file;            /* a regular file, which can be replaced */
    bool regular;         /* read by offset: a regular file of a known size */
    bool passes;          /* its pages leave the page cache behind the reader: it is larger than the free memory */
    uint64_t begin;       /* of a regular file: where it was begun to be read */
    uint64_t offset, end; /* of a regular file: offset of the next byte, and after the last one that is read */
    uint64_t file_end;    /* and where the file ends */
    enum codec codec;
    struct decoder *decoder;  /* NULL for CODEC_NONE */
    struct text_reader *text; /* NULL: its content is the elements' bytes, unless it is in Arrow's format */
    struct arrow_reader *arrow;
    struct text_format lines; /* of that text */
    unsigned char pushed[8];  /* content that was looked at, to be read again */
    size_t pushed_bytes;
    bool keeps;
    char *prefix; /* skipped bytes and .npy header, if they are kept */
    size_t skip, prefix_bytes;
    bool has_own; /* a schema: from a .npy header, or of a column in Arrow's format */
    struct schema own;
    uint64_t claimed;      /* elements, according to that header, or SIZE_UNKNOWN */
    uint64_t position;     /* bytes of content read so far */
    uint64_t header_bytes; /* bytes of content before the first element */
    uint64_t size;         /* bytes of all elements, or SIZE_UNKNOWN */
    uint64_t taken;        /* bytes of elements read so far */
    size_t element;        /* bytes of one */
};

/* INPUT_READ: reads elements. INPUT_OF_ANY_TYPE: the same, but --type and --format do not apply to a .npy file.
 * INPUT_KEPT: keeps skipped bytes and the .npy header too. INPUT_REPLACED: the same, and requires regular files. */
enum input_use { INPUT_READ, INPUT_OF_ANY_TYPE, INPUT_KEPT, INPUT_REPLACED };

/* Opens files, or standard input for "-", and finds their formats. The schema comes from the options, or else from the
 * first .npy header. Fails if an input does not fit it, or is known not to hold a whole number of elements. */
struct input *inputs_open(char *const *paths, size_t count, const struct common *common, enum input_use use,
                          struct schema *schema);

/* Opens text whose elements have this schema, whatever the options say. */
struct input *inputs_open_of(char *const *paths, size_t count, const struct common *common,
                             const struct schema *schema);

/* Opens them as streams of bytes, decompressed, of any format. */
struct input *inputs_open_bytes(char *const *paths, size_t count, const struct common *common);

/* Opens them as whole tables in Arrow's format, and sets the source of each. Fails if one is in another format. */
struct input *inputs_open_tables(char *const *paths, size_t count, const struct common *common,
                                 struct arrow_source *sources);

void inputs_close(struct input *inputs, size_t count);

/* Bytes of all inputs, or SIZE_UNKNOWN. */
uint64_t inputs_size(const struct input *inputs, size_t count);

/* Elements of all inputs, from sizes or .npy headers, or SIZE_UNKNOWN. */
uint64_t inputs_elements(const struct input *inputs, size_t count);

/* Reads elements; fewer than `bytes` bytes only at the end, where it checks their number. */
size_t input_read(struct input *input, void *memory, size_t bytes);

/* True if its elements lie in a regular file as they are. */
bool input_is_plain(const struct input *input);

/* A part of a regular file that is yet to be read, by any thread. */
struct input_piece {
    const struct input *input;
    uint64_t offset;
    char *memory;
    size_t bytes; /* 0: nothing is left to be read */
};

/* The same as input_read(), but if the input is plain, only piece_read() reads the bytes. So several threads can read
 * different parts at a time. */
size_t input_reserve(struct input *input, void *memory, size_t bytes, struct input_piece *piece);
void piece_read(const struct input_piece *piece);

/* Bytes [begin, begin + bytes) of the elements of plain inputs that nothing was read from yet, as inputs of their own,
 * to be read beside other parts; fails as those do. Returns NULL if an input is not plain. free() it while the inputs
 * are still open. */
struct input *inputs_part(const struct input *inputs, size_t count, uint64_t begin, uint64_t bytes, size_t *part_count);

/* Where an element is, for messages: "at byte 12" or "in line 4". The text is valid until the next call. */
const char *input_place(const struct input *input, uint64_t element);

/* The first line of the first input, if --header=keep says that it is written; or NULL. */
const char *inputs_header(const struct input *inputs, const struct common *common);

/* Passes over `bytes` bytes of elements, which the input must have: it is a regular file and not compressed. */
void input_skip(struct input *input, uint64_t bytes);

#endif
