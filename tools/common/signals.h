/* signals.h - the signals that ask a program to end. */
#ifndef SIGNALS_H
#define SIGNALS_H

/* Has handler() called for each of them that is not ignored, the others being held back meanwhile. */
void signals_catch(void (*handler)(int number));

/* Dies by the signal, as if it had not been caught. Async-signal-safe. */
void signals_die(int number);

#endif
