/* spinner.h - a kernel that occupies multiprocessors of the first GPU until it is stopped. Each of its blocks uses all
 * the shared memory of one multiprocessor. It needs the GPU's driver, but no compiler. */
#ifndef SPINNER_H
#define SPINNER_H

#include <stdbool.h>

typedef struct spinner spinner;

/* Uses the library's CUDA context, so that both can run at the same time. Returns NULL if that is impossible, with the
 * reason in *reason. */
spinner *spinner_open(const char **reason);
void spinner_close(spinner *s);

unsigned spinner_processors(const spinner *s);

/* Starts blocks that spin for `seconds`. Returns when all are running, or false if that takes more than a second. */
bool spinner_start(spinner *s, unsigned blocks, unsigned seconds);

/* True while they run. */
bool spinner_spins(const spinner *s);

/* Waits for their end. */
void spinner_stop(spinner *s);

#endif
