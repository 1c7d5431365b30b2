// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Copies, joins and compares zero-terminated strings.
#include <stddef.h>

size_t str_len(const char *s)
{
    const char *p = s;
    while (*p) p++; // truth: parallel
    return (size_t)(p - s);
}

char *str_copy(char *d, const char *s)
{
    char *start = d;
    while ((*d++ = *s++) != '\0') // truth: sequential
        ;
    return start;
}

/* Copies at most size - 1 characters; returns how many were copied. */
size_t str_copy_bounded(char *d, const char *s, size_t size)
{
    size_t n = 0;
    if (size == 0)
        return 0;
    while (n + 1 < size && s[n] != '\0') { // truth: sequential
        d[n] = s[n];
        n++;
    }
    d[n] = '\0';
    return n;
}

int str_compare(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) { // truth: parallel
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

const char *str_last(const char *s, char c)
{
    const char *p = s + str_len(s);
    while (p > s) // truth: parallel
        if (*--p == c)
            return p;
    return NULL;
}

void mem_fill(void *to, unsigned char v, size_t n)
{
    unsigned char *p = to;
    while (n-- > 0) // truth: parallel
        *p++ = v;
}
