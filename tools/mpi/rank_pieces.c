/* rank_pieces.c - see rank_files.h: a rank's elements in pieces of host memory. Inputs whose elements are found only by
 * reading from the start are read by one rank, which counts elements, reads again and sends the others theirs: its
 * memory does not depend on their number. A shard's rank keeps what it reads. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "rank_files.h"

#define PIECE_BYTES ((size_t)16 << 20)

/* Whole elements. --buffer-size has room for eight pieces. */
static size_t piece_most(const struct rank_files *files)
{
    size_t most = files->job->common->buffer_size / 8, size = files->schema.size;
    most = most == 0 || most > PIECE_BYTES ? PIECE_BYTES : most;
    return most < size ? size : most / size * size;
}

/* ---- counting ---- */

static void open_again(struct rank_files *files)
{
    struct schema schema;
    inputs_close(files->inputs, files->count);
    files->inputs = inputs_open(files->paths, files->count, files->job->common, INPUT_KEPT, &schema);
    schema_free(&schema);
    for (size_t i = 0; i < files->count; i++)
        rank_divides(&files->inputs[i]); /* learns the size of an empty file */
}

static uint64_t bytes_of(struct input *input, char *stage, size_t most)
{
    while (input_read(input, stage, most) == most)
        ;
    return input->taken;
}

uint64_t rank_files_count(struct rank_files *files)
{
    uint64_t bytes = 0;
    size_t most = piece_most(files);
    char *stage = get_memory(most);
    stats_phase(&files->job->stats, PHASE_read, UINT64_MAX);
    for (size_t i = 0; i < files->count; i++)
        if (__builtin_add_overflow(bytes, bytes_of(&files->inputs[i], stage, most), &bytes))
            fail(files->inputs[i].name, "the bytes of all elements exceed 64 bits");
    free(stage);
    open_again(files);
    return bytes / files->schema.size;
}

/* ---- reading ---- */

struct source {
    struct rank_files *files;
    size_t input; /* that is read */
    size_t most;  /* bytes of a piece */
};

/* Passes over elements of inputs that ranks divide. */
static void skip(struct source *source, uint64_t bytes)
{
    struct rank_files *files = source->files;
    for (size_t i = 0; i < files->count && bytes > 0; i++) {
        uint64_t part = files->inputs[i].size < bytes ? files->inputs[i].size : bytes;
        if (part > 0)
            input_skip(&files->inputs[i], part);
        bytes -= part;
    }
}

/* Reads over the ends of inputs. */
static void read_piece(struct source *source, char *memory, size_t bytes)
{
    struct rank_files *files = source->files;
    for (size_t done = 0; done < bytes;) {
        if (source->input == files->count)
            fail(files->inputs[0].name, "has fewer elements than when they were counted: it was changed meanwhile");
        done += input_read(&files->inputs[source->input], memory + done, bytes - done);
        source->input += done < bytes;
    }
    progress_add(bytes);
}

static size_t piece_bytes(const struct source *source, uint64_t done, uint64_t all)
{
    return all - done < source->most ? (size_t)(all - done) : source->most;
}

static void keep(struct source *source, uint64_t all, take_piece *take, void *state)
{
    char *stage = get_memory(source->most);
    for (uint64_t done = 0; done < all; done += source->most) {
        size_t bytes = piece_bytes(source, done, all);
        read_piece(source, stage, bytes);
        take(state, stage, bytes);
    }
    free(stage);
}

/* A piece is read while the one before is sent. */
static void send_part(struct source *source, size_t rank, uint64_t all)
{
    char *stages[2] = {get_memory(source->most), get_memory(source->most)};
    MPI_Request request = MPI_REQUEST_NULL;
    for (uint64_t done = 0; done < all; done += source->most) {
        size_t bytes = piece_bytes(source, done, all);
        char *stage = stages[done / source->most % 2];
        read_piece(source, stage, bytes);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Isend(stage, (int)bytes, MPI_BYTE, (int)rank, 0, MPI_COMM_WORLD, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(stages[0]);
    free(stages[1]);
}

static void send_parts(struct source *source)
{
    const struct rank_files *files = source->files;
    for (size_t r = 1; r < rank_count(); r++)
        send_part(source, r,
                  (rank_even_begin(files->all, r + 1) - rank_even_begin(files->all, r)) * files->schema.size);
}

void rank_files_give(struct rank_files *files, size_t input)
{
    struct source source = {.files = files, .input = input, .most = piece_most(files)};
    stats_phase(&files->job->stats, PHASE_read, (files->all - files->n) * files->schema.size);
    send_parts(&source);
}

size_t rank_message_bytes(const struct rank_files *files)
{
    return 2 * piece_most(files);
}

/* ---- receiving ---- */

void rank_receiver_open(struct rank_receiver *receiver, const struct rank_files *files)
{
    size_t most = piece_most(files);
    *receiver = (struct rank_receiver){.stage = get_memory(most), .most = most, .left = files->n * files->schema.size};
}

static size_t message_bytes(const struct rank_receiver *receiver)
{
    return receiver->left < receiver->most ? (size_t)receiver->left : receiver->most;
}

/* The next message, to memory with room for it. */
static size_t receive(struct rank_receiver *receiver, char *memory)
{
    size_t bytes = message_bytes(receiver);
    MPI_Recv(memory, (int)bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    receiver->left -= bytes;
    return bytes;
}

static size_t take_staged(struct rank_receiver *receiver, char *memory, size_t bytes)
{
    size_t left = receiver->end - receiver->at, part = left < bytes ? left : bytes;
    memcpy(memory, receiver->stage + receiver->at, part);
    receiver->at += part;
    return part;
}

size_t rank_receive(void *state, char *memory, size_t bytes)
{
    struct rank_receiver *receiver = state;
    size_t done = take_staged(receiver, memory, bytes);
    while (done < bytes && receiver->left > 0)
        if (message_bytes(receiver) <= bytes - done) {
            done += receive(receiver, memory + done);
        } else {
            receiver->end = receive(receiver, receiver->stage);
            receiver->at = 0;
            done += take_staged(receiver, memory + done, bytes - done);
        }
    return done;
}

void rank_receiver_close(struct rank_receiver *receiver)
{
    free(receiver->stage);
}

static void receive_part(const struct rank_files *files, size_t most, take_piece *take, void *state)
{
    struct rank_receiver receiver;
    char *piece = get_memory(most);
    rank_receiver_open(&receiver, files);
    for (size_t bytes; (bytes = rank_receive(&receiver, piece, most)) > 0; progress_add(bytes))
        take(state, piece, bytes);
    rank_receiver_close(&receiver);
    free(piece);
}

void rank_files_pass(struct rank_files *files, take_piece *take, void *state)
{
    struct source source = {.files = files, .most = piece_most(files)};
    uint64_t bytes = files->n * files->schema.size;
    bool shards = files->job->common->shards, sends = files->scattered && !shards;
    files->job->stats.elements = files->n;
    files->job->stats.bytes_in = bytes;
    if (sends && rank_number() > 0) {
        receive_part(files, source.most, take, state);
        return;
    }
    if (files->passed)
        open_again(files);
    files->passed = true;
    if (!sends && !shards)
        skip(&source, files->begin * files->schema.size);
    keep(&source, bytes, take, state);
    if (sends)
        send_parts(&source);
}
