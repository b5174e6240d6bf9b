// row.cu - see row.cuh.
#include "row.cuh"

#include <algorithm>
#include <cstdio>

sweep_state sweep;

namespace
{

constexpr double BUDGET = 1500; // microseconds of a measurement, or one call
constexpr int MEASUREMENTS = 5;
constexpr double CALLS_MOST = 200, BEHIND = 0.95;

// Microseconds of a call.
template <class F> double time_of(F call, int calls)
{
    static cudaEvent_t begin, end;
    if (begin == nullptr) {
        cudaEventCreate(&begin);
        cudaEventCreate(&end);
    }
    cudaEventRecord(begin, sweep.stream);
    for (int i = 0; i < calls; i++)
        call();
    cudaEventRecord(end, sweep.stream);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    return milliseconds * 1000.0 / calls;
}

int calls_for(double microseconds)
{
    return int(std::max(1.0, std::min(CALLS_MOST, BUDGET / microseconds)));
}

double median(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

void print(const sweep_row &row, const char *text)
{
    std::printf("%-12s %-24s %-4s %10zu  %s\n", row.primitive, row.variant.c_str(), row.type, row.n, text);
}

struct begins_run {
    uint64_t *to;
    uint64_t length;
    __device__ void operator()(size_t i) const
    {
        to[i] = i > 0 && mixed(~i) % length == 0;
    }
};

} // namespace

const char *sweep_open(size_t most, double below)
{
    sweep.below = below;
    sweep.most = most;
    sweep.room_bytes = 10 * 8 * most;
    if (scankit_open(&sweep.context, "cuda") != SCANKIT_OK)
        return "no GPU";
    if (cudaStreamCreateWithFlags(&sweep.stream, cudaStreamNonBlocking) != cudaSuccess ||
        scankit_set_stream(sweep.context, sweep.stream) != SCANKIT_OK)
        return "no stream";
    for (char **memory : {&sweep.a, &sweep.b, &sweep.c, &sweep.d})
        if (cudaMalloc(memory, 2 * 8 * most) != cudaSuccess)
            return "not enough memory";
    return cudaMalloc(&sweep.room, sweep.room_bytes) == cudaSuccess ? nullptr : "not enough memory";
}

void sweep_tally(size_t *rows, size_t *behind)
{
    *rows = sweep.rows;
    *behind = sweep.behind;
}

std::vector<size_t> sweep_sizes(size_t most)
{
    std::vector<size_t> sizes;
    for (int log2 : {10, 12, 14, 16, 18, 19, 20, 21, 22, 24, 27}) {
        size_t n = size_t(std::exp2(log2) * 1.13) | 1;
        if (size_t(1) << log2 <= std::min(most, sweep.most))
            sizes.push_back(n);
    }
    return sizes;
}

void number_runs(uint64_t *ids, size_t n, uint64_t length)
{
    for_places(n, begins_run{ids, length});
    scankit_scan(sweep.context, SCANKIT_U64, SCANKIT_SUM, SCANKIT_INCLUSIVE, nullptr, ids, ids, n);
}

void measure(const sweep_row &row, const std::function<scankit_error()> &own,
             const std::function<cudaError_t(void *, size_t &)> &cub)
{
    size_t bytes = 0;
    scankit_error error = own();
    if (error != SCANKIT_OK) {
        print(row, scankit_error_detail(sweep.context));
        return;
    }
    if (cub(nullptr, bytes) != cudaSuccess || bytes > sweep.room_bytes) {
        cudaGetLastError(); // clears the error
        return;             // nothing to compare with
    }
    auto call_cub = [&] { cub(sweep.room, bytes); };
    call_cub();
    int own_calls = calls_for(time_of(own, 1)), cub_calls = calls_for(time_of(call_cub, 1));
    std::vector<double> own_times, cub_times;
    for (int i = 0; i < MEASUREMENTS; i++) {
        own_times.push_back(time_of(own, own_calls));
        cub_times.push_back(time_of(call_cub, cub_calls));
    }
    double own_time = median(own_times), cub_time = median(cub_times), ratio = cub_time / own_time;
    sweep.rows++;
    sweep.behind += ratio < BEHIND;
    char text[80];
    std::snprintf(text, sizeof text, "%10.2f %10.2f %6.2f%s", own_time, cub_time, ratio, ratio < BEHIND ? " <" : "");
    if (ratio < sweep.below)
        print(row, text);
    std::fflush(stdout);
}
