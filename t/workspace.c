/* workspace.c - calls take no more of a GPU's memory than scankit.h says. On a CPU, memory is the system's to give, and
 * cannot be told from what others take. */
#include "tap.h"
#include "work.h"

/* Memory is given out in pages of 2 MiB, and the device keeps a little for what its kernels need. */
#define PAGES ((size_t)6 << 20)

static size_t available(const work_place *place)
{
    size_t bytes = 0;
    if (scankit_memory_available(place->context, &bytes) != SCANKIT_OK)
        tap_bail_out("memory: %s", scankit_error_detail(place->context));
    return bytes;
}

/* A workspace only grows, so that what a new context has taken after its one call is the most that it had. */
static size_t taken_by(work_place *place, unsigned job)
{
    scankit_context *usual = place->context;
    if (scankit_open(&place->context, "cuda") != SCANKIT_OK)
        tap_bail_out("no second context");
    size_t before = available(place);
    if (work_do(place, job) == 0)
        tap_fail("%s", scankit_error_detail(place->context));
    size_t after = available(place);
    scankit_close(place->context);
    place->context = usual;
    return before > after ? before - after : 0;
}

/* Others may take memory of the GPU in the meantime, but not every time. */
static void test(work_place *place, unsigned job)
{
    enum { ATTEMPTS = 8 };
    size_t stated = work_space(job), least = SIZE_MAX;
    tap_begin("cuda: %s has the workspace that is stated", work_name(job));
    (void)taken_by(place, job); /* loads its code, which stays */
    for (int i = 0; i < ATTEMPTS && least > stated + PAGES; i++) {
        size_t taken = taken_by(place, job);
        least = taken < least ? taken : least;
    }
    tap_diag("%s: %.1f MiB, stated %.1f", work_name(job), (double)least / 0x1p20, (double)stated / 0x1p20);
    if (least > stated + PAGES)
        tap_fail("it took %zu bytes more", least - stated);
    tap_end();
}

int main(void)
{
    work_place place;
    if (!device_has_free_gpu("workspace of calls"))
        return tap_finish();
    work_open(&place, "cuda", "");
    for (unsigned job = 0; job < work_count(); job++)
        test(&place, job);
    work_close(&place);
    return tap_finish();
}
