/* model.c - the choice of a device from made-up figures, and the file that keeps figures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/figures.h"
#include "support/tap.h"

#define KEY "host here\ncpu fast\nprocessors 4\n"
#define MIB (UINT64_C(1) << 20)

static struct figures four(void)
{
    struct figures figures;
    figures_default(&figures, 4);
    return figures;
}

/* ---- choices ---- */

static void built_in(void)
{
    static const unsigned counts[] = {1, 2, 4, 16, 128, 4096};
    tap_begin("built-in figures: the choice is where the estimates meet");
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int work = 0; work < WORK_COUNT; work++) {
            struct figures figures;
            figures_default(&figures, counts[c]);
            uint64_t even = model_break_even(&figures, (enum work)work, counts[c]);
            tap_case("%u processors, work %d, break-even at %llu", counts[c], work, (unsigned long long)even);
            TAP_CHECK(even > 4 * MIB);
            if (even == UINT64_MAX)
                continue;
            for (double part = 0.5; part < 3; part *= 1.5) {
                uint64_t bytes = (uint64_t)((double)even * part);
                bool gpu = model_gpu(&figures, (enum work)work, bytes) <
                           model_cpu(&figures, (enum work)work, counts[c], bytes);
                TAP_CHECK(bytes < 8 * MIB || gpu == (part > 1));
            }
        }
    tap_end();
    struct figures figures = four();
    tap_ok(model_break_even(&figures, WORK_NONE, 4) == UINT64_MAX, "no work is never for a GPU");
}

static void made_up(void)
{
    struct figures figures = four();
    figure_set(&figures, FIGURE_start, 0.9);
    figure_set(&figures, FIGURE_stop, 0.1);
    figure_set(&figures, FIGURE_read, 1e12);
    figure_set(&figures, FIGURE_write, 1e12);
    figure_set(&figures, FIGURE_cpu + WORK_scan, 1e9);
    figure_set(&figures, FIGURE_cuda + WORK_scan, 2e9);
    uint64_t even = model_break_even(&figures, WORK_scan, 4);
    tap_ok(even > 1990000000 && even < 2010000000, "1 s of start, 1 and 2 GB/s: even at 2 GB");
    uint64_t half = model_break_even(&figures, WORK_scan, 2);
    tap_ok(half > 660000000 && half < 670000000, "half of the processors: 0.5 and 2 GB/s, even at 0.67 GB");
    tap_ok(model_break_even(&figures, WORK_scan, 64) == even, "more threads than processors gain nothing");
    figure_set(&figures, FIGURE_cuda + WORK_scan, 0.9e9);
    tap_ok(model_break_even(&figures, WORK_scan, 4) == UINT64_MAX, "a slow GPU is never worth it");

    figures = four();
    figure_set(&figures, FIGURE_write, 1e8);
    figure_set(&figures, FIGURE_cpu + WORK_scan, 1e9);
    figure_set(&figures, FIGURE_cuda + WORK_scan, 1e12);
    tap_ok(model_break_even(&figures, WORK_scan, 4) == UINT64_MAX, "where writing is the limit, a GPU gains nothing");
    tap_ok(model_break_even(&figures, WORK_reduce, 4) < UINT64_MAX, "but without output it does");

    figures = four();
    figure_set(&figures, FIGURE_start, 1e-6);
    figure_set(&figures, FIGURE_stop, 1e-6);
    figure_set(&figures, FIGURE_cpu + WORK_sort4, 1e4);
    tap_ok(model_break_even(&figures, WORK_sort4, 4) > 4 * MIB, "4 MiB are never worth the start of a GPU");
}

static void kinds(void)
{
    tap_ok(work_of_sort(1, true) == WORK_sort1 && work_of_sort(2, true) == WORK_sort2 &&
               work_of_sort(4, true) == WORK_sort4 && work_of_sort(8, true) == WORK_sort8 &&
               work_of_sort(8, false) == WORK_sort_short && work_of_sort(31, false) == WORK_sort_short &&
               work_of_sort(32, false) == WORK_sort_long && work_of_sort(1 << 20, false) == WORK_sort_long,
           "each sort has its kind of work");
}

/* ---- measurements ---- */

static void measurements(void)
{
    struct figures figures = four();
    int figure = FIGURE_cpu + WORK_filter;
    double before = figures.value[figure];
    tap_ok(figure_measured(&figures, figure, before) && figures.measured[figure], "a first measurement is kept");
    tap_ok(!figure_measured(&figures, figure, before * 1.1), "a small difference is noise");
    tap_ok(figure_measured(&figures, figure, before / 100) && figures.value[figure] > before / 4,
           "one bad measurement changes little");
    for (int i = 0; i < 40; i++)
        figure_measured(&figures, figure, before / 100);
    tap_ok(figures.value[figure] < before / 80, "forty measurements change all");
    double now = figures.value[figure];
    tap_ok(!figure_measured(&figures, figure, 0) && !figure_measured(&figures, figure, -1) &&
               !figure_measured(&figures, figure, 0.0 / (before - before)) &&
               !figure_measured(&figures, figure, 1 / (before - before)) && figures.value[figure] == now,
           "impossible measurements are not taken");
}

/* ---- the file ---- */

static void all_measured(struct figures *figures)
{
    *figures = four();
    for (int i = 0; i < FIGURE_COUNT; i++)
        figure_set(figures, i, figures->value[i] * 0.75);
}

static void texts(void)
{
    char text[FIGURES_TEXT_BYTES];
    struct figures figures, back = four();
    all_measured(&figures);
    figures_print(&figures, KEY, text);
    bool same = figures_parse(&back, text, KEY);
    for (int i = 0; i < FIGURE_COUNT; i++)
        same = same && back.measured[i] && back.value[i] > 0.9999 * figures.value[i] &&
               back.value[i] < 1.0001 * figures.value[i];
    tap_ok(same, "figures survive the file");
    figures = back = four();
    figures_print(&figures, KEY, text);
    tap_ok(figures_parse(&back, text, KEY) && memcmp(&back, &figures, sizeof back) == 0, "no figures do too");
}

static bool changes_nothing(const char *text, const char *key)
{
    struct figures figures = four(), before = four();
    return !figures_parse(&figures, text, key) && memcmp(&figures, &before, sizeof before) == 0;
}

static void damaged(void)
{
    static const char *const wrong[] = {
        "",
        "\n",
        "scankit figures 1\n",
        "scankit figures 2\n" KEY "end\n",
        KEY "end\n",
        "scankit figures 1\n" KEY,
        "scankit figures 1\n" KEY "end",
        "scankit figures 1\n" KEY "end\nend\n",
        "scankit figures 1\n" KEY "start\nend\n",
        "scankit figures 1\n" KEY "start x\nend\n",
        "scankit figures 1\n" KEY "start -1\nend\n",
        "scankit figures 1\n" KEY "start nan\nend\n",
        "scankit figures 1\n" KEY "read inf\nend\n",
        "scankit figures 1\n" KEY "read 0\nend\n",
        "scankit figures 1\n" KEY "read 1e9 \nend\n",
        "scankit figures 1\n" KEY "bogosort cpu 1e9\nend\n",
        "scankit figures 1\n" KEY "read 1e9\nsort4 cpu 1e300\nend\n",
    };
    char text[FIGURES_TEXT_BYTES];
    struct figures figures;
    tap_begin("damaged files change nothing");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tap_case("\"%s\"", wrong[i]);
        TAP_CHECK(changes_nothing(wrong[i], KEY));
    }
    all_measured(&figures);
    figures_print(&figures, KEY, text);
    for (size_t length = strlen(text) - 1; length > 0; length--) {
        tap_case("cut after %zu bytes", length);
        text[length] = '\0';
        TAP_CHECK(changes_nothing(text, KEY));
    }
    tap_end();
    figures_print(&figures, KEY, text);
    tap_ok(changes_nothing(text, "host there\ncpu fast\nprocessors 4\n"), "figures of another machine are not taken");
}

int main(void)
{
    built_in();
    made_up();
    kinds();
    measurements();
    texts();
    damaged();
    return tap_finish();
}
