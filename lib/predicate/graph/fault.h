/* fault.h - the first error of a compilation. Every layer reports here; later errors are dropped.
 *
 * After an error the tokens end, so that the parser returns. The values computed until then do not count. */
#ifndef SK_PREDICATE_FAULT_H
#define SK_PREDICATE_FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include "scankit.h"

typedef struct sk_fault {
    scankit_error error;
    size_t where; /* offset in the text */
    const char *reason;
    size_t here;          /* offset of the current token */
    bool lacks_registers; /* the text is right, and the steps keep too many values */
} sk_fault;

static inline bool sk_failed(const sk_fault *fault)
{
    return fault->error != SCANKIT_OK;
}

static inline void sk_fail(sk_fault *fault, scankit_error error, size_t at, const char *reason)
{
    if (sk_failed(fault))
        return;
    fault->error = error;
    fault->where = at;
    fault->reason = reason;
}

/* An error in the text, at an offset. */
static inline void sk_wrong(sk_fault *fault, size_t at, const char *reason)
{
    sk_fail(fault, SCANKIT_E_SYNTAX, at, reason);
}

static inline void sk_out_of_memory(sk_fault *fault)
{
    sk_fail(fault, SCANKIT_E_MEMORY, 0, NULL);
}

#endif
