// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Loops whose headers do several things at once.
#include <stddef.h>

typedef unsigned char byte;

/* Reverses and complements a strand of bases, coded 0 to 3, in place. */
void reverse_complement(byte *s, int n)
{
    int i, j;
    for (i = 0, j = n - 1; i < j; i++, j--) { // truth: parallel
        byte t = (byte)(3 - s[i]);
        s[i] = (byte)(3 - s[j]);
        s[j] = t;
    }
    if (i == j)
        s[i] = (byte)(3 - s[i]);
}

int compare_ends(const byte *s, int n)
{
    int same = 0;
    for (int i = 0, j = n - 1; i < j; i++, j--) // truth: parallel
        if (s[i] == s[j]) same++;
    return same;
}

/* Packs four bases into each byte. */
void pack_bases(const byte *s, size_t n, byte *out)
{
    size_t i, k;
    for (i = 0, k = 0; i + 3 < n; i += 4, k++) // truth: parallel
        out[k] = (byte)(s[i] | s[i + 1] << 2 | s[i + 2] << 4 | s[i + 3] << 6);
    if (i < n)
        for (out[k] = 0; i < n; i++) // truth: parallel
            out[k] |= (byte)(s[i] << (2 * (i & 3)));
}

/* A window slides over the strand: one base enters, one leaves. */
int richest_window(const byte *s, int n, int width)
{
    int gc = 0, best = 0, at = 0;
    if (width <= 0 || n < width)
        return -1;
    for (int i = 0; i < width; i++) // truth: parallel
        gc += s[i] == 1 || s[i] == 2;
    best = gc;
    for (int out = 0, in = width; in < n; out++, in++) { // truth: scan
        gc += (s[in] == 1 || s[in] == 2) - (s[out] == 1 || s[out] == 2);
        if (gc > best)
            best = gc, at = out + 1;
    }
    return at;
}

/* Translates triplets until a stop. */
int translate(const byte *s, int n, const byte table[64], byte *out)
{
    int k = 0;
    for (int i = 0; i + 2 < n; i += 3, k++) { // truth: sequential
        byte acid = table[s[i] << 4 | s[i + 1] << 2 | s[i + 2]];
        if (acid == 0)
            break;
        out[k] = acid;
    }
    return k;
}
