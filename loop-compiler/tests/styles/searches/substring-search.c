// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Finds and replaces patterns in texts.
#include <stddef.h>
#include <string.h>

long find_pattern(const char *text, long n, const char *pat, long m)
{
    if (m == 0)
        return 0;
    for (long i = 0; i + m <= n; i++) { // truth: parallel
        long k = 0;
        while (k < m && text[i + k] == pat[k]) // truth: parallel
            k++;
        if (k == m)
            return i;
    }
    return -1;
}

/* Occurrences may overlap. */
long count_pattern(const char *text, long n, const char *pat, long m)
{
    long count = 0;
    for (long i = 0; i + m <= n; i++) { // truth: parallel
        if (memcmp(text + i, pat, (size_t)m) == 0)
            count++;
    }
    return count;
}

/* Occurrences may not overlap: a match moves the position on. */
long count_disjoint(const char *text, long n, const char *pat, long m)
{
    long count = 0, i = 0;
    if (m <= 0)
        return 0;
    while (i + m <= n) { // truth: sequential
        if (memcmp(text + i, pat, (size_t)m) == 0) {
            count++;
            i += m;
        } else {
            i++;
        }
    }
    return count;
}

/* Length of the longest border of each prefix. */
void border_table(const char *pat, long m, long *border)
{
    border[0] = 0;
    for (long i = 1, k = 0; i < m; i++) { // truth: sequential
        while (k > 0 && pat[i] != pat[k]) // truth: sequential
            k = border[k - 1];
        if (pat[i] == pat[k])
            k++;
        border[i] = k;
    }
}

long replace_char(char *text, long n, char from, char to)
{
    long replaced = 0;
    for (long i = 0; i < n; i++) { // truth: parallel
        if (text[i] != from) continue;
        text[i] = to;
        replaced++;
    }
    return replaced;
}
