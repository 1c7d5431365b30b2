// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Polynomials: Horner's rule for one and for many points, derivative, product, synthetic division, a root.
#include <math.h>
#include <string.h>

typedef double coef;

coef poly_at(const coef *c, int degree, double x)
{
    coef r = c[degree];
    for (int k = degree - 1; k >= 0; --k) // truth: scan
        r = r * x + c[k];
    return r;
}

void poly_many(const coef *c, int degree, const double *x, double *y, int n)
{
    for (int i = 0; i < n; ++i) // truth: parallel
        y[i] = poly_at(c, degree, x[i]);
}

void poly_derivative(const coef *c, int degree, coef *d)
{
    for (int k = 1; k <= degree; ++k) // truth: parallel
        d[k - 1] = k * c[k];
}

/* The derivative over the polynomial itself. */
void poly_derivative_in_place(coef *c, int degree)
{
    for (int k = 1; k <= degree; ++k) // truth: sequential
        c[k - 1] = k * c[k];
    c[degree] = 0.0;
}

void poly_product(const coef *a, int na, const coef *b, int nb, coef *c)
{
    memset(c, 0, sizeof(coef) * (size_t)(na + nb + 1));
    for (int i = 0; i <= na; ++i) // truth: parallel
        for (int j = 0; j <= nb; ++j) // truth: parallel
            c[i + j] += a[i] * b[j];
}

/* c becomes the quotient by (x - r); the remainder is returned. */
coef poly_deflate(coef *c, int degree, double r)
{
    coef carry = c[degree];
    c[degree] = 0.0;
    for (int k = degree - 1; k >= 0; --k) { // truth: scan
        const coef keep = c[k];
        c[k] = carry;
        carry = keep + carry * r;
    }
    return carry;
}

double poly_root(const coef *c, const coef *d, int degree, double x, double tol)
{
    for (int it = 0; it < 100; ++it) { // truth: sequential
        const double step = poly_at(c, degree, x) / poly_at(d, degree - 1, x);
        x -= step;
        if (fabs(step) <= tol)
            break;
    }
    return x;
}
