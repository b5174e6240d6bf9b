/* spinner.h - a kernel that holds multiprocessors of the first GPU until it is told to let go: every block of it has
 * all the shared memory of one. It needs the GPU's driver alone, no compiler. */
#ifndef SPINNER_H
#define SPINNER_H

#include <stdbool.h>

typedef struct spinner spinner;

/* In the context that the library has too, so that both may run at once. NULL where that is not possible; *reason says
 * why. */
spinner *spinner_open(const char **reason);
void spinner_close(spinner *s);

unsigned spinner_processors(const spinner *s);

/* Returns when so many blocks run, false where that takes more than a second. They end by themselves after so many
 * seconds. */
bool spinner_start(spinner *s, unsigned blocks, unsigned seconds);

/* Whether they still run. */
bool spinner_spins(const spinner *s);

/* Waits for their end. */
void spinner_stop(spinner *s);

#endif
