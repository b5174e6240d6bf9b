/* run_read.c - reading of run files, see run_file.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cli.h"
#include "run_file.h"

#define CALL_BYTES (8 * BLOCK_BYTES)  /* of a pread(): they are still cached when their checksums are computed */
#define LARGE_BYTES (4 * BLOCK_BYTES) /* smaller reads are searches, which come back to the same blocks */

/* A run that is kept and damaged goes, so that the next start makes it again. */
static NO_RETURN void refuse(const struct run_file *file, const char *what, uint64_t offset)
{
    if (file->remedy != NULL)
        fail(file->name, "%s at byte %llu; %s", what, (unsigned long long)offset, file->remedy);
    if (file->path != NULL && unlink(file->path) == 0)
        fail(file->name, "%s at byte %llu; it was removed, and the same command makes it again", what,
             (unsigned long long)offset);
    fail(file->name, "a temporary file %s at byte %llu", what, (unsigned long long)offset);
}

/* Reads `bytes` bytes at least, and up to `room` if the file has them. */
static void read_all(const struct run_file *file, int descriptor, char *to, size_t bytes, size_t room, uint64_t offset)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t got = pread(descriptor, to + done, room - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (descriptor != file->descriptor && (got < 0 ? errno == EINVAL : got % (ssize_t)DIRECT_ALIGN != 0)) {
            descriptor = file->descriptor;
            got = got < 0 ? 0 : got;
        } else if (got < 0) {
            fail(file->name, "cannot read a temporary file, at byte %llu: %s", (unsigned long long)(offset + done),
                 strerror(errno));
        } else if (got == 0) {
            refuse(file, "ends too early,", offset + done);
        }
        done += (size_t)got;
    }
}

/* ---- ranges ---- */

/* One call of run_file_read(). Memory is taken when it is needed first. */
struct reader {
    struct run_file *file;
    bool direct;
    char *whole; /* a block of which only a part is wanted */
    char *apart; /* blocks as they are in the file */
    struct block_unpacker *unpacker;
    uint64_t offset; /* in the data, of the next byte wanted */
    size_t bytes;    /* still wanted */
    char *to;
};

/* Blocks that lie behind each other in the file, from number `block` on. */
struct stretch {
    size_t block, count;
    uint64_t offset;
    size_t bytes; /* in the file */
};

/* The longest stretch of blocks that are wanted, up to CALL_BYTES. */
static struct stretch next_stretch(const struct reader *reader)
{
    const struct run_index *index = &reader->file->index;
    struct stretch stretch = {.block = (size_t)(reader->offset / BLOCK_BYTES)};
    uint64_t end = reader->offset + reader->bytes;
    for (size_t block = stretch.block; (uint64_t)block * BLOCK_BYTES < end; block++) {
        struct block_place place = run_index_place(index, block);
        if (stretch.count == 0)
            stretch.offset = place.offset;
        else if (place.offset != stretch.offset + stretch.bytes || stretch.bytes + place.packed > CALL_BYTES)
            break;
        stretch.bytes += place.packed;
        stretch.count++;
    }
    return stretch;
}

static void verify(const struct run_file *file, size_t block, const char *from, const struct block_place *place)
{
    if (block_checksum(from, place->packed) != file->index.checksums[block])
        refuse(file, "is damaged, in the block", place->offset);
}

/* Delivers a verified block, from its form in the file. */
static void deliver(struct reader *reader, const char *from, const struct block_place *place)
{
    size_t skip = reader->offset % BLOCK_BYTES, part = place->length - skip;
    if (part > reader->bytes)
        part = reader->bytes;
    if (place->packed == place->length) {
        memcpy(reader->to, from + skip, part);
    } else {
        if (part < place->length && reader->whole == NULL)
            reader->whole = get_memory(BLOCK_BYTES);
        char *to = part < place->length ? reader->whole : reader->to;
        if (reader->unpacker == NULL)
            reader->unpacker = block_unpacker_create();
        if (!block_unpack(reader->unpacker, from, place->packed, to, place->length))
            refuse(reader->file, "is damaged, in the block", place->offset);
        if (to != reader->to)
            memcpy(reader->to, to + skip, part);
    }
    reader->to += part;
    reader->offset += part;
    reader->bytes -= part;
}

/* Reads by way of a buffer: packed blocks, blocks of which only a part is wanted, and what is not aligned. */
static void read_apart(struct reader *reader, const struct stretch *stretch)
{
    const struct run_file *file = reader->file;
    size_t before = stretch->offset % DIRECT_ALIGN, last = (size_t)(reader->offset % BLOCK_BYTES) + reader->bytes - 1;
    size_t room = (last / BLOCK_BYTES + 1) * BLOCK_BYTES;
    if (reader->apart == NULL)
        reader->apart = direct_memory((room < CALL_BYTES ? room : CALL_BYTES) + 2 * DIRECT_ALIGN);
    char *from = reader->apart + before;
    if (reader->direct)
        read_all(file, file->direct, reader->apart, before + stretch->bytes,
                 (size_t)direct_round_up(before + stretch->bytes), stretch->offset - before);
    else
        read_all(file, file->descriptor, from, stretch->bytes, stretch->bytes, stretch->offset);
    for (size_t i = 0; i < stretch->count; i++) {
        struct block_place place = run_index_place(&reader->file->index, stretch->block + i);
        verify(reader->file, stretch->block + i, from, &place);
        deliver(reader, from, &place);
        from += place.packed;
    }
}

/* Reads whole blocks, which are not packed, to their place. */
static void read_straight(struct reader *reader, const struct stretch *stretch)
{
    const struct run_file *file = reader->file;
    read_all(file, reader->direct ? file->direct : file->descriptor, reader->to, stretch->bytes, stretch->bytes,
             stretch->offset);
    for (size_t i = 0; i < stretch->count; i++) {
        struct block_place place = run_index_place(&reader->file->index, stretch->block + i);
        verify(reader->file, stretch->block + i, reader->to, &place);
        reader->to += place.length;
        reader->offset += place.length;
        reader->bytes -= place.length;
    }
}

/* Splits the stretch so that whole blocks are read straight. */
static void read_stretch(struct reader *reader, struct stretch stretch)
{
    const struct run_index *index = &reader->file->index;
    size_t skip = reader->offset % BLOCK_BYTES;
    bool aligned = skip == 0 && direct_aligned(reader->to) && stretch.bytes % DIRECT_ALIGN == 0;
    if (index->places != NULL || (reader->direct && !aligned)) {
        read_apart(reader, &stretch);
        return;
    }
    if (skip > 0 || stretch.bytes < BLOCK_BYTES || reader->bytes < BLOCK_BYTES) {
        stretch.count = 1;
        stretch.bytes = run_index_place(index, stretch.block).packed;
        read_apart(reader, &stretch);
        return;
    }
    if (stretch.bytes > reader->bytes) { /* the last block is wanted in part */
        stretch.count--;
        stretch.bytes = stretch.count * BLOCK_BYTES;
    }
    read_straight(reader, &stretch);
}

void run_file_read(struct run_file *file, uint64_t offset, size_t bytes, void *memory)
{
    bool large = bytes >= LARGE_BYTES, direct = large && file->direct >= 0;
    struct reader reader = {.file = file, .direct = direct, .offset = offset, .bytes = bytes, .to = memory};
    while (reader.bytes > 0) {
        struct stretch stretch = next_stretch(&reader);
        read_stretch(&reader, stretch);
        if (large && !direct)
            page_cache_read(file->cache, file->descriptor, stretch.offset, stretch.bytes);
    }
    free(reader.whole);
    free(reader.apart);
    block_unpacker_destroy(reader.unpacker);
}

/* ---- discarding ---- */

/* Not every file system can do it. */
static void punch(const struct run_file *file, uint64_t offset, uint64_t bytes)
{
    if (bytes > 0)
        fallocate(file->descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
}

static void punch_blocks(const struct run_file *file, size_t begin, size_t end)
{
    uint64_t offset = 0, bytes = 0;
    for (size_t block = begin; block < end; block++) {
        struct block_place place = run_index_place(&file->index, block);
        if (place.offset != offset + bytes) {
            punch(file, offset, bytes);
            offset = place.offset;
            bytes = 0;
        }
        bytes += place.packed;
    }
    punch(file, offset, bytes);
}

void run_file_discard(struct run_file *file, uint64_t offset, uint64_t bytes)
{
    uint64_t begin = offset, end = offset + bytes;
    unsigned long long before = atomic_load(&file->discarded);
    while (begin <= before && before < end && !atomic_compare_exchange_weak(&file->discarded, &before, end))
        ;
    if (begin <= before)
        begin = before - before % BLOCK_BYTES;
    size_t first = (size_t)((begin + BLOCK_BYTES - 1) / BLOCK_BYTES);
    size_t last = end == file->index.bytes ? file->index.blocks : (size_t)(end / BLOCK_BYTES);
    if (first < last)
        punch_blocks(file, first, last);
}

/* ---- reopening ---- */

bool run_file_reopen(struct run_file *file, int descriptor, bool packed, uint64_t bytes, uint64_t size,
                     uint32_t checksum)
{
    struct stat status;
    size_t index_size = run_index_size(bytes, packed);
    run_file_open(file, descriptor, packed);
    if (fstat(descriptor, &status) != 0 || (uint64_t)status.st_size != size || size < index_size)
        return false;
    char *saved = get_memory(index_size + 1);
    file->end = size - index_size;
    bool good = pread(descriptor, saved, index_size, (off_t)file->end) == (ssize_t)index_size &&
                block_checksum(saved, index_size) == checksum;
    run_index_close(&file->index);
    if (good)
        run_index_load(&file->index, saved, bytes, packed);
    free(saved);
    return good;
}
