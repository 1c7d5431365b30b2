// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Recursive helpers inside of loops: adaptive quadrature per interval, greatest divisors, Ackermann-like table.
#include <math.h>
#include <stddef.h>

static double f(double x) { return exp(-x * x) * cos(3.0 * x); }

static double simpson(double a, double fa, double b, double fb, double fm, double whole, double eps, int depth)
{
    const double m = 0.5 * (a + b), lm = 0.5 * (a + m), rm = 0.5 * (m + b);
    const double fl = f(lm), fr = f(rm);
    const double left = (m - a) / 6.0 * (fa + 4.0 * fl + fm), right = (b - m) / 6.0 * (fm + 4.0 * fr + fb);
    const double d = left + right - whole;
    if (depth <= 0 || fabs(d) <= 15.0 * eps)
        return left + right + d / 15.0;
    return simpson(a, fa, m, fm, fl, left, 0.5 * eps, depth - 1)
         + simpson(m, fm, b, fb, fr, right, 0.5 * eps, depth - 1);
}

static unsigned gcd(unsigned a, unsigned b) { return b == 0 ? a : gcd(b, a % b); }

double quad_intervals(const double *edge, size_t n, double *part)
{
    double total = 0.0;
    for (size_t i = 0; i < n; ++i) { // truth: parallel
        const double a = edge[i], b = edge[i + 1], fa = f(a), fb = f(b), fm = f(0.5 * (a + b));
        part[i] = simpson(a, fa, b, fb, fm, (b - a) / 6.0 * (fa + 4.0 * fm + fb), 1e-9, 30);
        total += part[i];
    }
    return total;
}

/* phi[i] = how many of 1..i have no common divisor with i */
void totients(unsigned *phi, unsigned n)
{
    for (unsigned i = 1; i <= n; ++i) { // truth: parallel
        unsigned c = 0;
        for (unsigned k = 1; k <= i; ++k) // truth: parallel
            c += gcd(i, k) == 1;
        phi[i] = c;
    }
}

unsigned gcd_all(const unsigned *v, size_t n)
{
    unsigned g = 0;
    for (size_t i = 0; i < n; ++i) { // truth: sequential
        g = gcd(g, v[i]);
        if (g == 1)
            break;
    }
    return g;
}

/* A memo table that is filled on demand. memo[0..n] holds zeros at the start. */
static unsigned long partitions(unsigned long *memo, unsigned n)
{
    if (n < 3) return n ? n : 1;
    if (memo[n] == 0)
        memo[n] = partitions(memo, n - 1) + 2 * partitions(memo, n - 3);
    return memo[n];
}

void sequence(unsigned long *memo, unsigned long *out, unsigned n)
{
    for (unsigned i = 0; i <= n; ++i) // truth: sequential
        out[i] = partitions(memo, i) % 1000003ul;
}
