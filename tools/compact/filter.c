/* filter.c - see filter.h. */
#include "filter.h"

#include "common/device.h"
#include "model/clock.h"

static size_t element_size(const struct filter *filter)
{
    return scankit_predicate_element_size(filter->predicate);
}

size_t filter_kept_size(const struct filter *filter)
{
    return filter->positions ? sizeof(uint64_t) : element_size(filter);
}

/* All three pointers are to the device's memory. */
static size_t choose(const struct filter *filter, const void *in, size_t n, void *kept, void *others)
{
    size_t count;
    if (filter->positions)
        check_call(filter->context, scankit_compact_positions(filter->context, filter->predicate, in, kept, n,
                                                              &filter->options, &count));
    else
        check_call(filter->context, scankit_split_predicate(filter->context, filter->predicate, in, kept, others, n,
                                                            &filter->options, &count));
    return count;
}

size_t filter_choose(struct filter *filter, const char *block, size_t n, uint64_t first, bool keeps, bool rejects)
{
    size_t size = element_size(filter);
    scankit_context *context = filter->context;
    filter->options.first = first;
    char *in = buffer_upload(&filter->in, context, block, n * size);
    char *kept = keeps ? buffer_room(&filter->kept, context, n * filter_kept_size(filter)) : NULL;
    return choose(filter, in, n, kept, rejects ? buffer_room(&filter->others, context, n * size) : NULL);
}

void filter_give(const struct filter *filter, size_t n, size_t count, char *kept, char *others)
{
    buffer_download(&filter->kept, kept, count * filter_kept_size(filter));
    buffer_download(&filter->others, others, (n - count) * element_size(filter));
}

static size_t choose_on_device(struct filter *filter, const char *block, size_t n, char *kept, char *others)
{
    size_t count = filter_choose(filter, block, n, filter->options.first, kept != NULL, others != NULL);
    filter_give(filter, n, count, kept, others);
    return count;
}

size_t filter_block(struct filter *filter, const char *block, size_t n, char *kept, char *others)
{
    double begin = seconds_now();
    size_t count = scankit_is_host(filter->context) ? choose(filter, block, n, kept, others)
                                                    : choose_on_device(filter, block, n, kept, others);
    device_worked(kept == NULL && others == NULL ? WORK_count : WORK_filter, n * element_size(filter), begin);
    filter->options.first += n;
    return count;
}

/* Bisects by the number of matches in a prefix. It runs after a failure, so it needs no memory and cannot fail. */
size_t filter_find(const struct filter *filter, const char *block, size_t n, size_t match)
{
    const void *in = scankit_is_host(filter->context) ? block : filter->in.data;
    scankit_compact_options options = filter->options;
    options.first -= n;
    size_t low = 0, high = n, count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        scankit_error error =
            scankit_split_predicate(filter->context, filter->predicate, in, NULL, NULL, middle, &options, &count);
        if (error == SCANKIT_OK && count > match)
            high = middle;
        else
            low = middle;
    }
    return low;
}

void filter_free(struct filter *filter)
{
    buffer_free(&filter->in);
    buffer_free(&filter->kept);
    buffer_free(&filter->others);
}
