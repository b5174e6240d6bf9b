/* signals.h - the signals that ask a program to end. */
#ifndef SIGNALS_H
#define SIGNALS_H

/* Sets the handler of each of them that is not ignored. They block each other while it runs. */
void signals_catch(void (*handler)(int number));

/* Ends the process by the signal's default action. Async-signal-safe. */
void signals_die(int number);

#endif
