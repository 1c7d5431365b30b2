// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Peaks, onsets and silence in a sampled signal.
#include <math.h>
#include <stddef.h>

#define IS_PEAK(v, i) ((v)[i] > (v)[(i) - 1] && (v)[i] >= (v)[(i) + 1])

size_t count_peaks(const float *v, size_t n)
{
    size_t peaks = 0;
    for (size_t i = 1; i + 1 < n; i++) // truth: parallel
        peaks += IS_PEAK(v, i);
    return peaks;
}

size_t first_peak(const float *v, size_t n, float least)
{
    for (size_t i = 1; i + 1 < n; i++) { // truth: parallel
        if (v[i] < least)
            continue;
        if (IS_PEAK(v, i))
            return i;
    }
    return n;
}

size_t list_peaks(const float *v, size_t n, size_t *where)
{
    size_t k = 0;
    for (size_t i = 1; i + 1 < n; i++) // truth: scan
        if (IS_PEAK(v, i))
            where[k++] = i;
    return k;
}

/* On above the high threshold, off below the low one. */
int switch_ons(const float *v, int n, float low, float high)
{
    int on = 0, count = 0;
    for (int i = 0; i < n; i++) { // truth: sequential
        if (!on && v[i] > high) {
            on = 1;
            count++;
        } else if (on && v[i] < low) {
            on = 0;
        }
    }
    return count;
}

/* First position from which a whole window stays quiet. */
int find_silence(const float *v, int n, int window, float level)
{
    for (int i = 0; i + window <= n; i++) { // truth: parallel
        float top = 0.0f;
        for (int k = 0; k < window; k++) // truth: parallel
            top = fmaxf(top, fabsf(v[i + k]));
        if (top < level)
            return i;
    }
    return -1;
}
