/* little.h - little-endian numbers in files. */
#ifndef LITTLE_H
#define LITTLE_H

#include <stdint.h>

static inline uint32_t little_u16(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t little_u32(const unsigned char *at)
{
    return little_u16(at) | little_u16(at + 2) << 16;
}

static inline void little_put(unsigned char *to, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

#endif
