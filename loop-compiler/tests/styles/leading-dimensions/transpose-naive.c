// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// A wrong and a right way to transpose a square matrix, and A = A + A^T with all elements visited.
#include <stddef.h>

typedef struct Square { size_t n, ld; double *e; } Square;

#define E(s, i, j) ((s)->e[(i) * (s)->ld + (j)])

/* Visits each pair twice, so the matrix comes out as it was; kept as a cache exercise. */
void square_swap_all(Square *s)
{
    for (size_t i = 0; i < s->n; i++) // truth: sequential
        for (size_t j = 0; j < s->n; j++) { // truth: parallel
            const double t = E(s, i, j);
            E(s, i, j) = E(s, j, i);
            E(s, j, i) = t;
        }
}

/* The upper triangle is overwritten before it is read again: the result is not symmetric. */
void square_add_transpose(Square *s)
{
    for (size_t i = 0; i < s->n; i++) // truth: sequential
        for (size_t j = 0; j < s->n; j++) // truth: parallel
            E(s, i, j) += E(s, j, i);
}

void square_symmetrize(Square *s)
{
    if (!s || !s->e)
        return;
    for (size_t i = 0; i < s->n; i++) // truth: parallel
        for (size_t j = 0; j < i; j++) { // truth: parallel
            const double m = 0.5 * (E(s, i, j) + E(s, j, i));
            E(s, i, j) = m;
            E(s, j, i) = m;
        }
}

double square_trace(const Square *s)
{
    double t = 0;
    const double *p = s->e;
    for (size_t i = s->n; i != 0; i--) { // truth: parallel
        t += *p;
        p += s->ld + 1;
    }
    return t;
}
