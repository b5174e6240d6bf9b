/* network.c - sorts of few keys in registers, where these are wide. */
#include "lanes.h"

#undef KEY

#if SK_NETWORK_ROWS > 0

#define KEY_BITS 32
#define NETWORK SK_ISA_NAME(sk_network_32)
#include "lanes.inc"

#include "network.inc"

#include "lanes_end.inc"

#define KEY_BITS 64
#define NETWORK SK_ISA_NAME(sk_network_64)
#include "lanes.inc"

#include "network.inc"

#include "lanes_end.inc"

#endif
