// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Sums over rows of different lengths that lie one after the other.
#include <stddef.h>

/* The place of a row follows from the lengths of all rows before it. */
void ragged_sums(const unsigned *len, size_t rows, const float *v, float *out)
{
    const unsigned *stop = len + rows;
    while (len != stop) { // truth: sequential
        unsigned k = *len++;
        float s = 0.0f;
        while (k--) // truth: parallel
            s += *v++;
        *out++ = s;
    }
}

void row_starts(const unsigned *len, size_t rows, size_t *start)
{
    size_t at = 0;
    *start++ = 0;
    while (rows--) { // truth: scan
        at += *len++;
        *start++ = at;
    }
}

void indexed_sums(const size_t *start, size_t rows, const float *v, float *out)
{
    for (size_t r = 0; r < rows; r++) { // truth: parallel
        const float *p = v + start[r];
        const float *e = v + start[r + 1];
        float s = 0.0f;
        while (p < e) // truth: parallel
            s += *p++;
        *out++ = s;
    }
}

/* Rows of one length, `cols` values each. */
void even_maxima(const float *v, size_t rows, size_t cols, float *out)
{
    if (cols == 0)
        return;
    for (float *o = out; o < out + rows; o++) { // truth: parallel
        float top = *v++;
        for (size_t c = 1; c < cols; c++, v++) // truth: parallel
            if (*v > top)
                top = *v;
        *o = top;
    }
}
