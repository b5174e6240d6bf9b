/* internal.h - shared by the files of lib/: the context, errors and checked sizes.
 *
 * A file calls only files below it: records > merge_many, merge, sort > descent, index > key > type; sort_columns >
 * index; top_k > sort, index, bound; segmented_sort > index, key; and error, which all call. */
#ifndef SK_INTERNAL_H
#define SK_INTERNAL_H

#include "backend.h"
#include "scankit.h"

struct scankit_context {
    const sk_backend *backend;
    sk_device *device;
    /* In a rehearsal: what it ends with. */
    sk_arena_mode kept_mode;
    const char *kept_algorithm;
    char detail[384];
};

/* Passes an error on to the caller. */
#define SK_TRY(call)                     \
    do {                                 \
        scankit_error sk_error = (call); \
        if (sk_error != SCANKIT_OK)      \
            return sk_error;             \
    } while (0)

/* The same with cleanup: needs `error` and a label `done`. */
#define SK_TRY_GOTO(call)        \
    do {                         \
        error = (call);          \
        if (error != SCANKIT_OK) \
            goto done;           \
    } while (0)

/* Returns from a public function if an argument is wrong. */
#define SK_REQUIRE(condition, reason)                    \
    do {                                                 \
        if (!(condition))                                \
            return sk_refuse(context, __func__, reason); \
    } while (0)

/* A bad argument: says which and why in the context's line of detail. */
scankit_error sk_refuse(scankit_context *context, const char *function, const char *reason);

/* Completes an error's line of detail with the function's name. Returns the error. */
scankit_error sk_explain(scankit_context *context, const char *function, scankit_error error);

/* Ends a public function. */
static inline scankit_error sk_finish(scankit_context *context, const char *function, scankit_error error)
{
    return error == SCANKIT_OK ? SCANKIT_OK : sk_explain(context, function, error);
}

/* The same for functions that other threads may call beside this one. They leave the context as it is: the line of
 * detail, completed by `more`, is the calling thread's. */
scankit_error sk_finish_beside(const scankit_context *context, const char *function, scankit_error error,
                               const char *more);

/* A new context may lie where a closed one lay: the calling thread forgets that one's errors. */
void sk_forget_errors(const scankit_context *context);

/* *product = a * b, or false where that passes SIZE_MAX. */
static inline bool sk_multiply(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* True where n elements of that size fit the address space, and memory begins somewhere. */
static inline bool sk_is_array(const void *memory, size_t n, size_t size)
{
    size_t bytes;
    return n == 0 || (memory != NULL && sk_multiply(n, size, &bytes) && bytes <= SIZE_MAX / 2);
}

/* Workspace for n elements of `size` bytes, until the arena is reset; SCANKIT_E_MEMORY. */
scankit_error sk_take(scankit_context *context, size_t n, size_t size, void *memory);

/* Bytes of the narrowest index (4 or 8) that counts to n. */
static inline unsigned sk_index_size(size_t n)
{
    return n > UINT32_MAX ? 8 : 4;
}

/* Elements of any width, one after the other. */
typedef struct sk_elements {
    const void *data;
    size_t stride, n;
} sk_elements;

/* Bits [begin, end) of a key count; end = 0 means all of them. */
typedef struct sk_bits {
    unsigned begin, end;
} sk_bits;

static inline uint64_t sk_bits_mask(sk_bits bits)
{
    uint64_t below_end = bits.end >= 64 ? UINT64_MAX : ((uint64_t)1 << bits.end) - 1;
    return below_end & ~(((uint64_t)1 << bits.begin) - 1);
}

/* True if both addresses are multiples of `size`, a power of two. */
static inline bool sk_are_aligned(size_t size, const void *a, const void *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & (size - 1)) == 0;
}

/* True where elements of this size at both addresses are words of 1, 2, 4 or 8 bytes. */
static inline bool sk_are_words(size_t size, const void *a, const void *b)
{
    return (size == 1 || size == 2 || size == 4 || size == 8) && sk_are_aligned(size, a, b);
}

/* True where keys and values of these sizes are an sk_shape, and the values (of the caller's own element type, which
 * may ask for less than their size's alignment) lie so that a backend can move them as words. */
static inline bool sk_is_columns(size_t key_size, size_t value_size, const void *values_in, const void *values_out)
{
    return (key_size == 4 || key_size == 8) && (value_size == 4 || value_size == 8) &&
           sk_are_aligned(value_size, values_in, values_out);
}

/* ---- type.c ---- */

/* As scankit_type_size(). */
static inline size_t sk_type_size(scankit_type type)
{
    static const uint8_t sizes[] = {
#define X(enumerator, name, ctype, kind) [SCANKIT_##enumerator] = sizeof(ctype),
        SCANKIT_TYPES(X)
#undef X
            [SCANKIT_BYTES] = 0,
    };
    return (size_t)type < sizeof sizes ? sizes[type] : 0;
}

/* How bytes of a type become an unsigned integer in its order. */
static inline sk_piece_kind sk_kind_of(scankit_type type)
{
    static const uint8_t kinds[] = {
#define SK_KIND_unsigned SK_PIECE_UNSIGNED
#define SK_KIND_signed SK_PIECE_SIGNED
/* A piece of a float says no more than its size: the floats of these kinds are IEEE 754's of that size. */
#define SK_KIND_half SK_PIECE_FLOAT
#define SK_KIND_float SK_PIECE_FLOAT
#define X(enumerator, name, ctype, kind) [SCANKIT_##enumerator] = SK_KIND_##kind,
        SCANKIT_TYPES(X)
#undef X
            [SCANKIT_BYTES] = SK_PIECE_BYTES,
    };
    return (sk_piece_kind)kinds[type];
}

#define SK_MAX_BYTES_FIELD ((size_t)1 << 20)

/* A type's text, or bytesN: SCANKIT_E_SYNTAX where it is neither. */
scankit_error sk_type_parse(const char *text, size_t length, scankit_type *type, size_t *size);

/* ---- key.c: keys, and keys as words ---- */

#define SK_MAX_KEYS 64

/* Why these are not keys of a record, or NULL. */
const char *sk_wrong_keys(size_t record_size, const scankit_key *keys, size_t key_count);

/* The type of a key as a piece that covers it: only for keys of at most 8 bytes. */
sk_piece sk_piece_of_key(const scankit_key *key);

/* True where the piece leaves its bytes as they are: no encoding needed. */
bool sk_piece_is_identity(const sk_piece *piece);

/* Bytes of the keys together. */
size_t sk_keys_size(const scankit_key *keys, size_t count);

/* Word `index` (from the most significant, of 8 bytes but the last, which holds the rest) of the normalised key. */
sk_word sk_keys_word(const scankit_key *keys, size_t count, size_t index);

/* True if records are plain keys: one key of 1, 2, 4 or 8 bytes is the whole record, and `memory`, an address or the OR
 * of several, is aligned to it. */
bool sk_is_plain_record(size_t record_size, const scankit_key *keys, size_t key_count, uintptr_t memory);

/* The key of plain elements. */
static inline scankit_key sk_plain_key(scankit_type type, const scankit_sort_options *options)
{
    return (scankit_key){
        .type = type, .size = sk_type_size(type), .descending = options != NULL && options->descending};
}

/* The piece of that key. */
static inline sk_piece sk_plain_piece(scankit_type type, const scankit_sort_options *options)
{
    const size_t size = sk_type_size(type);
    return (sk_piece){.mask = UINT64_MAX >> (64 - 8 * size),
                      .size = (uint8_t)size,
                      .kind = (uint8_t)sk_kind_of(type),
                      .descending = options != NULL && options->descending};
}

/* An unsigned integer of 1, 2, 4 or 8 bytes that is the whole element. */
static inline sk_piece sk_unsigned_piece(size_t size)
{
    return (sk_piece){.mask = UINT64_MAX >> (64 - 8 * size), .size = (uint8_t)size, .kind = SK_PIECE_UNSIGNED};
}

/* The bits of a key that count; false if the type has no such range. */
static inline bool sk_options_bits(scankit_type type, const scankit_sort_options *options, sk_bits *bits)
{
    const unsigned width = (unsigned)(8 * sk_type_size(type));
    *bits = (sk_bits){0, width};
    if (options == NULL || (options->begin_bit == 0 && options->end_bit == 0))
        return true;
    *bits = (sk_bits){options->begin_bit, options->end_bit};
    return options->begin_bit < options->end_bit && options->end_bit <= width && sk_kind_of(type) != SK_PIECE_FLOAT;
}

/* ---- bound.c ---- */

/* The keys from low to high, both included, of elements that are a whole piece. */
sk_bound sk_bound_of(const sk_piece *piece, uint64_t low, uint64_t high);

/* The same as a program. It points into `to`. */
typedef struct sk_bound_steps {
    sk_program program, joined;
    sk_step steps[12], test[2];
    sk_set_range range;
    sk_constant constants[12];
} sk_bound_steps;

void sk_bound_program(const sk_bound *bound, size_t element_size, sk_bound_steps *to);

/* ---- index.c ---- */

/* index[i] = position of the i-th element in stable order, in workspace of the caller's. bits: only with one key. */
scankit_error sk_sort_index(scankit_context *context, const sk_elements *elements, const scankit_key *keys,
                            size_t key_count, sk_bits bits, scankit_algorithm algorithm, unsigned index_size,
                            void *index);

/* The same for positions that are sorted already by what the keys leave equal. first: they are 0 to n - 1. */
scankit_error sk_refine_index(scankit_context *context, const sk_elements *elements, const scankit_key *keys,
                              size_t key_count, sk_bits bits, scankit_algorithm algorithm, bool first,
                              unsigned index_size, void *index);

/* positions[i] = index[i], of 4 bytes. */
scankit_error sk_widen_index(scankit_context *context, const void *index, uint64_t *positions, size_t n);

/* sk_sort_index() as 64-bit positions. */
scankit_error sk_positions(scankit_context *context, const sk_elements *elements, const scankit_key *keys,
                           size_t key_count, sk_bits bits, scankit_algorithm algorithm, uint64_t *positions);

/* out[i] = in[index[i]]; out may be in. Reports progress. */
scankit_error sk_permute(scankit_context *context, size_t size, const void *in, void *out, size_t n,
                         unsigned index_size, const void *index);

/* ---- descent.c ---- */

/* scankit_is_sorted() for any keys. */
scankit_error sk_first_descent(scankit_context *context, const sk_elements *elements, const scankit_key *keys,
                               size_t key_count, sk_bits bits, size_t *first);

/* ---- progress.c ---- */

/* The last report, of all n elements, unless the sort failed. */
scankit_error sk_last_report(scankit_context *context, size_t n, scankit_error error);

/* Before and after a sort: progress is reported as the options ask. */
static inline void sk_begin_progress(scankit_context *context, const scankit_sort_options *options)
{
    if (options != NULL)
        context->device->progress = (sk_progress){options->ready, options->ready_state, 0};
}

static inline scankit_error sk_end_progress(scankit_context *context, size_t n, scankit_error error)
{
    return context->device->progress.ready == NULL ? error : sk_last_report(context, n, error);
}

/* ---- sort.c ---- */

/* What the options leave to the sort as spare memory (see the backend's sort), or NULL. */
void *sk_spare_input(const scankit_context *context, const scankit_sort_options *options, const void *in,
                     const void *out);

/* Sorts elements that are their own key; spare as the backend's. */
scankit_error sk_sort_plain(scankit_context *context, const sk_piece *piece, const void *in, void *out, void *spare,
                            size_t n, sk_bits bits, scankit_algorithm algorithm);

/* ---- widen.c: pairs with keys or values of 1 or 2 bytes, on the way as words of 4 ---- */

typedef struct sk_widened {
    sk_piece key, value; /* of the caller's columns */
    sk_piece piece;      /* of the keys that are moved */
    sk_shape shape;      /* of what is moved: */
    sk_const_columns in; /* words, or the caller's columns */
    sk_columns out;
} sk_widened;

/* True if the device moves words rather than positions, for keys and values of these sizes. The values lie so that a
 * backend can move them. */
bool sk_can_be_widened(const scankit_context *context, sk_shape shape, const void *values_in, const void *values_out);

/* Takes words from the workspace. piece: of the keys. in_place: words may be the input and the output. */
scankit_error sk_widen(scankit_context *context, const sk_piece *piece, sk_shape shape, sk_const_columns in,
                       sk_columns out, size_t n, bool in_place, sk_widened *wide);

/* The same of k arrays of counts[0], counts[1], ... elements: keys[i] and values[i] become what is moved. Not wide->in.
 */
scankit_error sk_widen_many(scankit_context *context, const sk_piece *piece, sk_shape shape, size_t k,
                            const size_t *counts, const void **keys, const void **values, sk_columns out, bool in_place,
                            sk_widened *wide);

/* Words to the caller's columns, when they have been moved. */
scankit_error sk_narrow(scankit_context *context, const sk_widened *wide, sk_columns out, size_t n);

/* ---- merge.c ---- */

/* Why these are not k arrays of elements of that size, or NULL; the number of elements. */
const char *sk_wrong_arrays(size_t k, const void *const *arrays, const size_t *counts, size_t size, size_t *n);

/* Merges records in k arrays, n > 0 of them in all. */
scankit_error sk_merge_records(scankit_context *context, size_t record_size, const scankit_key *keys, size_t key_count,
                               size_t k, const void *const *begins, const size_t *counts, void *out);

#endif
