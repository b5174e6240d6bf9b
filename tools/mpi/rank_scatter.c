/* rank_scatter.c - see rank_files.h: inputs whose elements are found only by reading from the start. One rank reads
 * them twice, to count elements and to send them, in pieces: its memory does not depend on their number. A shard's rank
 * keeps what it reads. */
#include <mpi.h>
#include <stdlib.h>

#include "common/device.h"
#include "common/progress.h"
#include "rank_files.h"

#define PIECE_BYTES ((size_t)16 << 20)

/* ---- counting ---- */

static uint64_t bytes_of(struct input *input, char *stage)
{
    while (input_read(input, stage, PIECE_BYTES) == PIECE_BYTES)
        ;
    return input->taken;
}

uint64_t rank_files_count(struct rank_files *files)
{
    uint64_t bytes = 0;
    char *stage = get_memory(PIECE_BYTES);
    struct schema schema;
    stats_phase(&files->job->stats, PHASE_read, UINT64_MAX);
    for (size_t i = 0; i < files->count; i++)
        if (__builtin_add_overflow(bytes, bytes_of(&files->inputs[i], stage), &bytes))
            fail(files->inputs[i].name, "the bytes of all elements exceed 64 bits");
    free(stage);
    inputs_close(files->inputs, files->count);
    files->inputs = inputs_open(files->paths, files->count, files->job->common, INPUT_KEPT, &schema);
    schema_free(&schema);
    return bytes / files->schema.size;
}

/* ---- reading ---- */

struct source {
    struct rank_files *files;
    size_t input; /* that is read */
};

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

static size_t piece_bytes(uint64_t done, uint64_t all)
{
    return all - done < PIECE_BYTES ? (size_t)(all - done) : PIECE_BYTES;
}

static void keep(struct source *source, char *memory, uint64_t all)
{
    scankit_context *context = source->files->context;
    char *stage = get_memory(PIECE_BYTES);
    for (uint64_t done = 0; done < all; done += PIECE_BYTES) {
        size_t bytes = piece_bytes(done, all);
        read_piece(source, stage, bytes);
        check_call(context, scankit_upload(context, memory + done, stage, bytes));
    }
    free(stage);
}

/* A piece is read while the one before is sent. */
static void send_part(struct source *source, size_t rank, uint64_t all)
{
    char *stages[2] = {get_memory(PIECE_BYTES), get_memory(PIECE_BYTES)};
    MPI_Request request = MPI_REQUEST_NULL;
    for (uint64_t done = 0; done < all; done += PIECE_BYTES) {
        size_t bytes = piece_bytes(done, all);
        char *stage = stages[done / PIECE_BYTES % 2];
        read_piece(source, stage, bytes);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Isend(stage, (int)bytes, MPI_BYTE, (int)rank, 0, MPI_COMM_WORLD, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(stages[0]);
    free(stages[1]);
}

static void receive_part(const struct rank_files *files, char *memory, uint64_t all)
{
    scankit_context *context = files->context;
    char *stage = get_memory(PIECE_BYTES);
    for (uint64_t done = 0; done < all; done += PIECE_BYTES) {
        size_t bytes = piece_bytes(done, all);
        MPI_Recv(stage, (int)bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check_call(context, scankit_upload(context, memory + done, stage, bytes));
        progress_add(bytes);
    }
    free(stage);
}

void rank_files_scatter(struct rank_files *files, char *memory)
{
    struct source source = {.files = files};
    size_t size = files->schema.size;
    if (rank_number() > 0 && !files->job->common->shards) {
        receive_part(files, memory, files->n * size);
        return;
    }
    keep(&source, memory, files->n * size);
    for (size_t r = 1; r < rank_count() && !files->job->common->shards; r++)
        send_part(&source, r, (rank_even_begin(files->all, r + 1) - rank_even_begin(files->all, r)) * size);
}
