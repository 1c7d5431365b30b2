// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Reverses and rotates arrays in place with two pointers that meet.
#include <stdbool.h>
#include <stddef.h>

static void reverse_ints(int *lo, int *hi)
{
    while (lo < hi) { // truth: parallel
        int t = *lo;
        *lo++ = *hi;
        *hi-- = t;
    }
}

void rotate_left(int *a, size_t n, size_t by)
{
    if (n < 2)
        return;
    by %= n;
    if (by == 0)
        return;
    reverse_ints(a, a + by - 1);
    reverse_ints(a + by, a + n - 1);
    reverse_ints(a, a + n - 1);
}

bool is_palindrome(const char *s, size_t len)
{
    const char *front = s;
    const char *back = s + len;

    while (front < back) { // truth: parallel
        if (*front++ != *--back)
            return false;
    }
    return true;
}

/* Reverses the bytes of each word of a buffer. */
void swap_words(unsigned char *p, size_t words)
{
    unsigned char *const end = p + 4 * words;
    for (; p != end; p += 4) { // truth: parallel
        unsigned char a = p[0], b = p[1];
        p[0] = p[3];
        p[1] = p[2];
        p[2] = b;
        p[3] = a;
    }
}

/* Moves every element one place up, the last one to the front. */
void rotate_one(double *a, size_t n)
{
    if (n == 0) return;
    double carried = a[n - 1];
    for (double *p = a, *e = a + n; p < e; ++p) { // truth: sequential
        double t = *p;
        *p = carried;
        carried = t;
    }
}
