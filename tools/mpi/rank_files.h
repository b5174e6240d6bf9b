/* rank_files.h - the files of a tool whose processes are ranks: each reads a part, computes, and writes a part.
 *
 *     files.inputs = inputs_open(ranks_paths(&files, paths), ...);
 *     rank_files_output(&files, path, descr);
 *     rank_files_begin(&files);
 *     in = rank_files_room(&files, elements), ...; rank_files_read(&files, in);
 *     compute on files.group; rank_files_write(&files, 0, out, size, n);
 *     rank_files_place(&files);
 *     rank_files_end(&files);
 *
 * All inputs and outputs lie in a file system that all ranks see; or, with --shards, each rank has inputs and outputs
 * of its own. The sequence is that of all inputs, or that of the shards in the order of ranks. */
#ifndef RANK_FILES_H
#define RANK_FILES_H

#include "io/input.h"
#include "io/output.h"
#include "rank.h"

#define RANK_PATH_BYTES 8192
#define RANK_OUTPUTS 2

struct rank_output {
    const char *path;             /* as the option says it */
    const char *descr;            /* the file gets a .npy header if the first input has one; NULL: never */
    bool numbers;                 /* its elements are u64 numbers, not the inputs' elements */
    struct output output;         /* of the first rank; with --shards, of each */
    char shared[RANK_PATH_BYTES]; /* the path of the temporary that all write to */
};

struct rank_files {
    /* The tool's, before rank_files_begin(). */
    struct job *job;
    struct input *inputs;
    size_t count;
    struct schema schema;
    bool bytes;         /* inputs are streams of bytes, without a schema */
    char *const *paths; /* of this rank's inputs */
    bool passed;        /* rank_files_pass() was called */
    bool scattered;     /* an input is compressed, Arrow or text: the first rank reads all, and sends each its part */

    scankit_group *group; /* of all ranks; this one's context */
    scankit_context *context;
    uint64_t begin, all; /* elements before this rank's; elements of all ranks */
    size_t n;            /* of this rank */

    struct rank_output outputs[RANK_OUTPUTS];
    size_t output_count;
};

/* Refuses options that tools do not have over ranks. in_pieces: this one takes --buffer-size, as it can work in pieces.
 */
void ranks_refuse(const struct common *common, bool in_pieces);

/* True if ranks can divide an input: its elements lie in a regular file as they are, or it is empty; then its size,
 * which is not known of it, becomes 0. */
bool rank_divides(struct input *input);

/* The paths of this rank's inputs. Refuses standard input. */
char *const *ranks_paths(struct rank_files *files, char *const *paths);

/* Adds an output. The path is required. The second is for u64 numbers. */
void rank_files_output(struct rank_files *files, const char *path, const char *descr);
void rank_files_output_numbers(struct rank_files *files, const char *path, const char *descr);

/* Opens the outputs and the device, and divides the elements. The first rank has checked its files and options before
 * the others do. Collective, as all that follow but rank_files_room(). */
void rank_files_begin(struct rank_files *files);

/* Elements of this rank, if n are divided evenly; and those before a rank's. */
size_t rank_even_part(uint64_t n);
uint64_t rank_even_begin(uint64_t n, size_t rank);

/* For inputs that are compressed or text. The elements that this process finds in its inputs, which it reads to the end
 * and opens again. */
uint64_t rank_files_count(struct rank_files *files);

/* Passes this rank's elements to take(), in pieces of host memory, which it may change. It may be called again. */
typedef void take_piece(void *state, char *piece, size_t bytes);
void rank_files_pass(struct rank_files *files, take_piece *take, void *state);

/* Instead of rank_files_pass(), where files are not shards: the first rank reads its own elements from its inputs, in
 * their order. Then it sends the elements behind them, which begin in this input, to the other ranks. */
void rank_files_give(struct rank_files *files, size_t input);

/* What the other ranks receive so. Any thread may call rank_receive(), which returns fewer bytes only at the end. */
struct rank_receiver {
    char *stage; /* a message */
    size_t most, at, end;
    uint64_t left; /* bytes in messages to come */
};
void rank_receiver_open(struct rank_receiver *receiver, const struct rank_files *files);
size_t rank_receive(void *receiver, char *memory, size_t bytes);
void rank_receiver_close(struct rank_receiver *receiver);

/* Bytes of the messages on their way, at either end. */
size_t rank_message_bytes(const struct rank_files *files);

/* True if all ranks' devices have room for their n elements at `bytes` bytes each. The second function fails if not. */
bool rank_files_have_room(const struct rank_files *files, uint64_t n, size_t bytes);
void rank_files_check_room(const struct rank_files *files, uint64_t n, size_t bytes);

/* Memory of the device. */
void *rank_files_room(const struct rank_files *files, size_t bytes);

/* Reads this rank's elements. */
void rank_files_read(struct rank_files *files, void *memory);

/* Writes n elements of `size` bytes to an output, behind the elements of the ranks before. Once an output. */
void rank_files_write(struct rank_files *files, size_t which, const void *memory, size_t size, size_t n);

/* The .npy header of an output with n elements, get_memory()'d; or NULL. */
char *rank_files_header(const struct rank_files *files, size_t which, uint64_t n, size_t *bytes);

/* When all ranks have written, the outputs get their names. */
void rank_files_place(struct rank_files *files);

/* Gives the first rank what all did, for --stats, and ends MPI. */
void rank_files_end(struct rank_files *files);

#endif
