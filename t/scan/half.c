/* half.c - conversions between halves and floats: every half, and what rounding makes of the floats between two. */
#include <math.h>
#include <string.h>

#include "support/data.h"
#include "support/oracle.h"
#include "support/tap.h"

static uint16_t half_of(float value)
{
    return scankit_f16_from_f32(value).bits;
}

/* Back and forth, every number is itself, and NaNs keep their sign and become quiet. */
static void every_half(void)
{
    tap_begin("every half is a float, and comes back");
    for (uint32_t bits = 0; bits <= UINT16_MAX; bits++) {
        scankit_f16 half = {(uint16_t)bits};
        float value = scankit_f16_to_f32(half);
        double expected = oracle_double(SCANKIT_F16, bits);
        if (isnan(expected)) {
            if (!isnan(value) || half_of(value) != (bits | 0x200))
                tap_fail("0x%04x is %g, and then 0x%04x", bits, (double)value, half_of(value));
        } else if ((double)value != expected || !signbit(value) != !signbit(expected) || half_of(value) != bits) {
            tap_fail("0x%04x is %g instead of %g, and then 0x%04x", bits, (double)value, expected, half_of(value));
        }
    }
    tap_end();
}

static void rounds_to(float value)
{
    uint64_t expected = oracle_float_bits(SCANKIT_F16, (double)value);
    if (half_of(value) != expected)
        tap_fail("%a is 0x%04x, should be 0x%04llx", (double)value, half_of(value), (unsigned long long)expected);
}

/* Halfway between each half and the next, and one unit of a float to either side. */
static void ties(void)
{
    tap_begin("ties go to the even half, and what is next to them to the nearer one");
    for (uint32_t bits = 0; bits < 0x7c00; bits++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double low = oracle_double(SCANKIT_F16, bits);
            double high = bits == 0x7bff ? 65536 : oracle_double(SCANKIT_F16, bits + 1);
            float middle = (float)(sign * (low + high) / 2);
            rounds_to(middle);
            rounds_to(nextafterf(middle, 1e30f));
            rounds_to(nextafterf(middle, -1e30f));
        }
    tap_end();
}

static void random_floats(void)
{
    random_state random = random_seeded(16);
    tap_begin("a million floats of all bits");
    for (int i = 0; i < 1000000; i++) {
        uint32_t bits = (uint32_t)random_next(&random);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (isnan(value))
            TAP_CHECK(isnan(scankit_f16_to_f32(scankit_f16_from_f32(value))));
        else
            rounds_to(value);
    }
    tap_end();
}

int main(void)
{
    every_half();
    ties();
    random_floats();
    return tap_finish();
}
