/* signals.c - see signals.h. */
#include "signals.h"

#include <signal.h>
#include <stddef.h>

static const int ending_signals[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};
#define SIGNALS (sizeof ending_signals / sizeof ending_signals[0])

void signals_catch(void (*handler)(int number))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++)
        sigaddset(&action.sa_mask, ending_signals[i]);
    for (size_t i = 0; i < SIGNALS; i++)
        if (sigaction(ending_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ending_signals[i], &action, NULL);
}

void signals_die(int number)
{
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    signal(number, SIG_DFL);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL); /* it is blocked within its handler */
}
