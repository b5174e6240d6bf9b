/* heavy.c - keys that have one of a few values are counted, and the others are moved together; and runs of a value. */
#include "cpu/kernel/lanes.h"
#include "cpu/kernel/stream.h"

#undef KEY

#define BLOCK ((size_t)512) /* keys that are counted before others are moved */
#define GROUP 4             /* values that are counted at once */
#define MANY (8 * BLOCK)    /* keys for which slots of values are looked for */

#define KEY_BITS 32
#define SIFT SK_ISA_NAME(sk_sift_32)
#define SIFT_ONE SK_ISA_NAME(sk_sift_one_32)
#define FILL SK_ISA_NAME(sk_fill_32)
#include "cpu/kernel/lanes.inc"

#include "heavy.inc"

#include "cpu/kernel/lanes_end.inc"

#define KEY_BITS 64
#define SIFT SK_ISA_NAME(sk_sift_64)
#define SIFT_ONE SK_ISA_NAME(sk_sift_one_64)
#define FILL SK_ISA_NAME(sk_fill_64)
#include "cpu/kernel/lanes.inc"

#include "heavy.inc"

#include "cpu/kernel/lanes_end.inc"
