/* machine.h - what identifies a machine, as far as it sets the speed of its devices. */
#ifndef MACHINE_H
#define MACHINE_H

/* Processors that this process may use. */
unsigned machine_processors(void);

/* Lines "NAME VALUE": host, CPU model, processors, GPUs, scankit's version. Starts no GPU. */
const char *machine_key(void);

#endif
