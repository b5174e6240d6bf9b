/* machine.h - what identifies a machine, as far as it sets the speed of its devices. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stddef.h>

/* Processors that this process may use. */
unsigned machine_processors(void);

/* Lines "NAME VALUE": host, CPU model, processors, GPUs, scankit's version. Starts no GPU. */
#define MACHINE_KEY_BYTES ((size_t)2048)
void machine_key(char key[MACHINE_KEY_BYTES]);

#endif
