// narrow_segments.cu - when blocks of their own sort segments of narrow keys, and their launch.
#include "sort/narrow/narrow_segments.cuh"

#include "common/shape.cuh"
#include "device/arena.cuh"
#include "device/launch.cuh"
#include "sort/narrow/narrow_blocks.cuh"
#include "sort/radix/split.cuh"

namespace
{

// Mean lengths of segments that blocks sort faster than threads and lanes do, or than other blocks.
constexpr size_t MEAN_LEAST = 512, MEAN_MOST = 15360;

// Elements of a segment that one block sorts, at most: among others, and where the GPU has little else to do.
size_t longest(sk_shape shape)
{
    return size_t(1) << (shape.key_size == 1 ? 17 : 16);
}
size_t longest_of_few(sk_shape shape)
{
    return size_t(1) << (shape.key_size == 1 ? 17 : 15);
}

bool are_bytes_alone(sk_shape shape)
{
    return shape.key_size == 1 && shape.value_size == 0;
}

// One block could sort all elements. So the host waits for no report.
bool are_few(const narrow_data &data)
{
    return data.n <= longest_of_few(data.shape);
}

// With so few segments for each multiprocessor, and long ones, a block takes all registers of one: the longest segment
// takes the time.
constexpr size_t ALONE_EACH = 4, ALONE_MEAN = 1024;

template <class K, class V>
scankit_error launch_narrow(cuda_device *gpu, const narrow_segments<K, V> &all, unsigned blocks)
{
    constexpr int EACH = NARROW_EACH<V>, ALONE = NARROW_EACH_ALONE<V>;
    constexpr size_t ROOM = sizeof(narrow_memory<K, V, EACH>), ROOM_ALONE = sizeof(narrow_memory<K, V, ALONE>);
    bool is_each_alone = all.segments <= ALONE_EACH * size_t(gpu->processors);
    if (is_each_alone && all.n / all.segments >= ALONE_MEAN && ROOM_ALONE <= gpu->shared_most)
        return launch(gpu, sort_narrow<K, V, ALONE>, blocks, NARROW_THREADS, ROOM_ALONE, all);
    return launch(gpu, sort_narrow<K, V, EACH>, blocks, NARROW_THREADS, ROOM, all);
}

template <class K, class V> narrow_segments<K, V> describe(const narrow_data &data, rank_by way)
{
    constexpr size_t COPIED = 4096, HELPERS = 64; // elements for a helper, and most helpers
    narrow_segments<K, V> all = {};
    all.in = {static_cast<const K *>(data.in.keys), static_cast<const V *>(data.in.values)};
    all.out = {static_cast<K *>(data.out.keys), static_cast<V *>(data.out.values)};
    all.offsets = data.offsets;
    all.segments = data.segments;
    all.n = data.n;
    all.most = longest(data.shape);
    all.order = order_of<K>(data.piece);
    all.way = way;
    all.helpers = unsigned(data.n / COPIED < HELPERS ? data.n / COPIED + 1 : HELPERS);
    return all;
}

template <class K, class V> scankit_error run(cuda_device *gpu, const narrow_data &data, rank_by way, bool *done)
{
    workspace scratch(gpu);
    narrow_segments<K, V> all = describe<K, V>(data, way);
    if (sizeof(K) == 2 &&
        (!scratch.take(&all.spare.keys, data.n) || (HAS_VALUE<V> && !scratch.take(&all.spare.values, data.n))))
        return SCANKIT_E_MEMORY;
    END_REHEARSAL(gpu);
    if (!are_few(data))
        all.has_longer = cuda_next_word(gpu);
    unsigned blocks = all.helpers + unsigned(data.segments);
    if constexpr (sizeof(K) == 1 && !HAS_VALUE<V>)
        TRY(launch(gpu, sort_byte_segments, blocks, NARROW_THREADS, 0, all));
    else
        TRY((launch_narrow<K, V>(gpu, all, blocks)));
    bool has_longer = false;
    if (!are_few(data))
        TRY(cuda_wait_word(gpu, &has_longer, sizeof has_longer));
    *done = !has_longer;
    return SCANKIT_OK;
}

} // namespace

bool are_for_narrow_blocks(const cuda_device *gpu, const narrow_data &data)
{
    using widest = narrow_memory<uint16_t, uint64_t, NARROW_EACH<uint64_t>>;
    const size_t each = are_bytes_alone(data.shape) ? BYTES_RESIDENT : 2, mean = data.n / data.segments;
    if (sizeof(widest) > gpu->shared_most)
        return false;
    // A column in place is lost where a split reads what it has written, or where other sorts have to begin again.
    if (data.shape.value_size > 0 && (data.in.keys == data.out.keys || data.in.values == data.out.values))
        return false;
    if (are_few(data))
        return data.segments <= each * size_t(gpu->processors);
    return !gpu->captures && mean >= MEAN_LEAST && mean <= MEAN_MOST;
}

scankit_error sort_narrow_segments(cuda_device *gpu, const narrow_data &data, bool *done)
{
    rank_by way;
    *done = false;
    TRY(split_way(gpu, &way));
    return dispatch_narrow_keys(data.shape, [&](auto key, auto value) {
        using K = decltype(key);
        using V = decltype(value);
        if constexpr (sizeof(K) <= 2)
            return run<K, V>(gpu, data, way, done);
        else
            return SCANKIT_E_ARGUMENT;
    });
}
