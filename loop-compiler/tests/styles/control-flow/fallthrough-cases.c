// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Switches in loops in which one case falls through to the next.
#include <stddef.h>
#include <stdint.h>

enum level { LEVEL_DEBUG, LEVEL_INFO, LEVEL_WARNING, LEVEL_ERROR, LEVEL_FATAL };

/* Each message counts at its own level and at all lower ones. */
void count_levels(const uint8_t *level, int n, int at_least[4])
{
    int info = 0, warning = 0, error = 0, fatal = 0;

    for (int i = 0; i < n; i++) { // truth: parallel
        switch (level[i]) {
        case LEVEL_FATAL:
            fatal++;
            /* fall through */
        case LEVEL_ERROR:
            error++;
            /* fall through */
        case LEVEL_WARNING:
            warning++;
            /* fall through */
        case LEVEL_INFO:
            info++;
            /* fall through */
        default:
            break;
        }
    }
    at_least[0] = info;
    at_least[1] = warning;
    at_least[2] = error;
    at_least[3] = fatal;
}

/* Widens samples of 1 to 4 bytes, big-endian. */
void widen(const uint8_t (*raw)[4], const uint8_t *bytes, uint32_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++) { // truth: parallel
        uint32_t v = 0;
        unsigned k = 0;
        switch (bytes[i]) {
        case 4: v = raw[i][k++]; /* fall through */
        case 3: v = v << 8 | raw[i][k++]; /* fall through */
        case 2: v = v << 8 | raw[i][k++]; /* fall through */
        case 1: v = v << 8 | raw[i][k]; break;
        default: v = UINT32_MAX; break;
        }
        out[i] = v;
    }
}

/* A mode that stays on until another message changes it. */
int muted_messages(const uint8_t *level, const uint8_t *command, int n)
{
    int muted = 0, dropped = 0;
    for (int i = 0; i < n; i++) { // truth: sequential
        switch (command[i]) {
        case 'm': muted = 1; break;
        case 'u': muted = 0; break;
        default:
            if (muted && level[i] < LEVEL_ERROR)
                dropped++;
        }
    }
    return dropped;
}
