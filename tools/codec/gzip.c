/* gzip.c - see gzip.h. The format is RFC 1952. A BGZF member holds its own length (section 4.1 of the SAM/BAM
 * specification), so that its end is known before it is inflated: workers inflate these. Of other short members, a
 * guess is that they end where the next bytes look like a header. Long members are inflated one after the other. */
#include "gzip.h"

#include <stdlib.h>
#include <string.h>

#include "bgzf.h"
#include "inflate.h"
#include "isal.h"
#include "little.h"

#define HEAD_BYTES 10
#define MAGIC_BYTES 4

/* Bits of a header's fourth byte: the fields that follow the first ten bytes, in this order. */
enum { FLAG_CRC = 2, FLAG_EXTRA = 4, FLAG_NAME = 8, FLAG_COMMENT = 16 };

struct gzip {
    struct window *window;
    bool in_member, lacks_end; /* lacks_end: the last member was BGZF, and not the empty one that marks the end */
    struct inflater *inflater; /* of the member that fill() inflates */
    struct inflater **workers; /* each made at its first use */
    unsigned count;
    bool guesses;
};

bool gzip_magic(const unsigned char *head, size_t bytes)
{
    return bytes >= MAGIC_BYTES && head[0] == 0x1f && head[1] == 0x8b && head[2] == 8 && (head[3] & 0xe0) == 0;
}

static void *gzip_open(struct window *window, unsigned workers, bool guesses)
{
    struct gzip *gzip = get_memory(sizeof *gzip);
    *gzip = (struct gzip){.window = window, .inflater = inflater_create(), .count = workers, .guesses = guesses};
    gzip->workers = get_memory(workers * sizeof(struct inflater *));
    for (unsigned i = 0; i < workers; i++)
        gzip->workers[i] = NULL;
    return gzip;
}

static void gzip_close(void *state)
{
    struct gzip *gzip = state;
    for (unsigned i = 0; i < gzip->count; i++)
        inflater_destroy(gzip->workers[i]);
    inflater_destroy(gzip->inflater);
    free(gzip->workers);
    free(gzip);
}

/* ---- failures ---- */

static bool fail_end(const struct gzip *gzip, struct piece *piece)
{
    const struct window *window = gzip->window;
    piece_fail(piece, "the gzip data ends too early, at byte %llu", (unsigned long long)(window->start + window->end));
    return false;
}

static bool fail_damage(struct piece *piece, uint64_t offset, const char *what)
{
    piece_fail(piece, "damaged gzip data before byte %llu: %s", (unsigned long long)offset, what);
    return false;
}

/* ---- headers ---- */

/* A header's bytes, with their CRC. */
struct header {
    struct window *window;
    uint32_t crc;
    bool short_of; /* the file ended */
};

static unsigned take(struct header *header)
{
    int byte = window_byte(header->window);
    unsigned char one = (unsigned char)byte;
    header->short_of = header->short_of || byte < 0;
    header->crc = gzip_crc(header->crc, &one, 1);
    return one;
}

static unsigned take_u16(struct header *header)
{
    unsigned low = take(header);
    return low | take(header) << 8;
}

static void pass_text(struct header *header)
{
    while (take(header) != 0 && !header->short_of)
        ;
}

/* Passes over a member's header. Returns false if it fails. */
static bool pass_header(const struct gzip *gzip, struct piece *piece)
{
    struct header header = {.window = gzip->window};
    unsigned flags = 0;
    for (int i = 0; i < HEAD_BYTES; i++) {
        unsigned byte = take(&header);
        flags = i == 3 ? byte : flags;
    }
    if (flags & FLAG_EXTRA)
        for (unsigned left = take_u16(&header); left > 0 && !header.short_of; left--)
            take(&header);
    if (flags & FLAG_NAME)
        pass_text(&header);
    if (flags & FLAG_COMMENT)
        pass_text(&header);
    unsigned crc = header.crc & 0xffff;
    bool wrong = (flags & FLAG_CRC) && take_u16(&header) != crc;
    if (header.short_of)
        return fail_end(gzip, piece);
    return !wrong || fail_damage(piece, window_offset(gzip->window), "header crc mismatch");
}

/* ---- members whose length is known, or guessed ---- */

/* At the front of the window, and all in it. */
struct member {
    size_t header, length, content; /* bytes: of the header, of all, and of what it holds */
    bool bgzf;
};

/* Returns false if it is not BGZF, or its numbers are not plausible, or the file ends within it. */
static bool is_bgzf(struct window *window, struct member *member)
{
    *member = (struct member){.header = BGZF_HEADER_BYTES, .bgzf = true};
    if (!window_has(window, BGZF_HEADER_BYTES))
        return false;
    member->length = bgzf_length(window->data + window->begin);
    if (member->length == 0 || !window_has(window, member->length))
        return false;
    member->content = little_u32(window->data + window->begin + member->length - 4);
    return member->content <= BGZF_MEMBER_BYTES;
}

/* Ends of longer members are not guessed. */
#define GUESS_BYTES (WINDOW_BYTES / 2)
#define MEMBER_LEAST_BYTES (HEAD_BYTES + 2 + TRAILER_BYTES)

/* Some bytes of compressed data look like this too, but only once in 2^37: extra flags and systems are few. */
static bool looks_like_header(const unsigned char *head)
{
    return gzip_magic(head, HEAD_BYTES) && (head[8] == 0 || head[8] == 2 || head[8] == 4) &&
           (head[9] <= 13 || head[9] == 255);
}

/* The length of the header in front of a member of `bytes` bytes, or 0 if it has a CRC or is longer. */
static size_t header_length(const unsigned char *member, size_t bytes)
{
    size_t at = HEAD_BYTES;
    if (member[3] & FLAG_CRC)
        return 0;
    if (member[3] & FLAG_EXTRA)
        at += 2 + little_u16(member + at);
    for (unsigned flag = FLAG_NAME; flag <= FLAG_COMMENT; flag *= 2) {
        if (!(member[3] & flag))
            continue;
        const unsigned char *end = at < bytes ? memchr(member + at, 0, bytes - at) : NULL;
        if (end == NULL)
            return 0;
        at = (size_t)(end - member) + 1;
    }
    return at + TRAILER_BYTES < bytes ? at : 0;
}

/* Returns false if no header seems to follow. */
static bool guess_member(struct window *window, struct member *member)
{
    window_has(window, GUESS_BYTES);
    const unsigned char *begin = window->data + window->begin, *end = window->data + window->end;
    const unsigned char *at = begin + MEMBER_LEAST_BYTES;
    while (end - at >= HEAD_BYTES && (at = memchr(at, 0x1f, (size_t)(end - at))) != NULL && end - at >= HEAD_BYTES) {
        if (looks_like_header(at)) {
            *member = (struct member){.length = (size_t)(at - begin), .content = little_u32(at - 4)};
            member->header = header_length(begin, member->length);
            return member->header > 0;
        }
        at++;
    }
    return false;
}

static bool find_member(const struct gzip *gzip, struct member *member)
{
    return is_bgzf(gzip->window, member) || (gzip->guesses && guess_member(gzip->window, member));
}

/* In front of each member that a worker gets: its length, and its header's. */
#define PREFIX_BYTES 8

static bool has_room(const struct piece *piece, size_t content, const struct member *member)
{
    return PREFIX_BYTES + member->length <= PIECE_PACKED - piece->packed_bytes &&
           member->content <= piece->most - content;
}

/* Collects members for a worker. The first one has room. */
static void collect(struct gzip *gzip, struct piece *piece, struct member *member)
{
    struct window *window = gzip->window;
    size_t content = 0;
    if (piece->packed == NULL)
        piece->packed = get_memory(PIECE_PACKED);
    piece->offset = window_offset(window);
    do {
        unsigned char *to = piece->packed + piece->packed_bytes;
        little_put(to, (uint32_t)member->length, 4);
        little_put(to + 4, (uint32_t)member->header, 4);
        memcpy(to + PREFIX_BYTES, window->data + window->begin, member->length);
        piece->packed_bytes += PREFIX_BYTES + member->length;
        piece->guessed = piece->guessed || !member->bgzf;
        content += member->content;
        gzip->lacks_end = member->bgzf && member->content > 0;
        window->begin += member->length;
    } while (window_has(window, MAGIC_BYTES) && gzip_magic(window->data + window->begin, MAGIC_BYTES) &&
             find_member(gzip, member) && has_room(piece, content, member));
}

static void gzip_work(void *state, struct piece *piece, unsigned worker)
{
    struct gzip *gzip = state;
    uint64_t offset = piece->offset;
    if (gzip->workers[worker] == NULL)
        gzip->workers[worker] = inflater_create();
    for (size_t at = 0; at < piece->packed_bytes;) {
        const unsigned char *prefix = piece->packed + at, *member = prefix + PREFIX_BYTES;
        size_t length = little_u32(prefix), header = little_u32(prefix + 4);
        size_t bytes = piece->most + PIECE_SLACK - piece->out_bytes;
        const char *wrong = inflater_member(gzip->workers[worker], member + header, length - header,
                                            piece->out + piece->out_bytes, &bytes);
        at += PREFIX_BYTES + length;
        offset += length;
        if (wrong != NULL) {
            fail_damage(piece, offset, wrong);
            return;
        }
        piece->out_bytes += bytes;
    }
}

/* ---- other members ---- */

static bool inflate_some(struct gzip *gzip, struct piece *piece)
{
    struct window *window = gzip->window;
    size_t room = piece->most - piece->out_bytes;
    struct inflate_span span = {window->data + window->begin, window->end - window->begin,
                                piece->out + piece->out_bytes, room};
    bool ended;
    const char *wrong = inflater_run(gzip->inflater, &span, &ended);
    window->begin = (size_t)(span.in - window->data);
    piece->out_bytes += room - span.out_bytes;
    gzip->in_member = !ended;
    if (wrong != NULL)
        return fail_damage(piece, window_offset(window), wrong);
    return ended || span.out_bytes == 0 || window->begin < window->end || window_more(window) || fail_end(gzip, piece);
}

/* A member may be followed by another one, by zeros up to the end of the file, or by nothing. A BGZF file that was cut
 * between two members lacks its end marker. */
static void end_file(const struct gzip *gzip, struct piece *piece)
{
    struct window *window = gzip->window;
    int byte;
    while ((byte = window_byte(window)) == 0)
        ;
    if (byte > 0)
        piece_fail(piece, "garbage behind the gzip data, at byte %llu", (unsigned long long)window_offset(window) - 1);
    else if (gzip->lacks_end)
        piece_fail(piece, "the gzip data ends too early, at byte %llu: the end marker of BGZF is missing",
                   (unsigned long long)(window->start + window->end));
    piece->last = true;
}

static bool gzip_fill(void *state, struct piece *piece)
{
    struct gzip *gzip = state;
    struct window *window = gzip->window;
    while (piece->out_bytes < piece->most && piece->error[0] == '\0' && !piece->last) {
        struct member member;
        if (gzip->in_member) {
            inflate_some(gzip, piece);
        } else if (!window_has(window, MAGIC_BYTES) || !gzip_magic(window->data + window->begin, MAGIC_BYTES)) {
            end_file(gzip, piece);
        } else {
            bool found = find_member(gzip, &member) && has_room(piece, 0, &member);
            if (found && piece->out_bytes == 0) {
                collect(gzip, piece, &member);
                return true;
            }
            if (found)
                return false;
            gzip->lacks_end = false;
            inflater_start(gzip->inflater);
            gzip->in_member = pass_header(gzip, piece);
        }
    }
    return false;
}

const struct format gzip_format = {gzip_open, gzip_fill, gzip_work, gzip_close};
