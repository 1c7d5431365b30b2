// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Polynomials, discounted sums and sequences in which each value follows from the last.
#include <math.h>
#include <stddef.h>

/* Present value of payments; the interest rate changes from year to year. */
double present_value(const double *payment, const double *rate, int years)
{
    double sum = 0.0, factor = 1.0;
    for (int k = 0; k < years; k++) { // truth: scan
        sum += payment[k] * factor;
        factor /= 1.0 + rate[k];
    }
    return sum;
}

double horner(const double *c, int terms, double x)
{
    double r = 0.0;
    for (int k = terms - 1; k >= 0; k--) // truth: scan
        r = r * x + c[k];
    return r;
}

/* Many arguments: each evaluation is independent. */
void horner_all(const double *c, int terms, const double *x, double *out, int n)
{
    for (int i = 0; i < n; i++) // truth: parallel
        out[i] = horner(c, terms, x[i]);
}

void derivative(const double *c, int terms, double *out)
{
    for (int k = 1; k < terms; k++) // truth: parallel
        out[k - 1] = k * c[k];
}

/* Balance of a loan after each month, rounded to cents. */
int balances(double loan, double rate, double payment, double *out, int months)
{
    for (int m = 0; m < months; m++) { // truth: sequential
        loan = floor(100.0 * (loan * (1.0 + rate) - payment)) / 100.0;
        if (loan <= 0.0)
            return m;
        out[m] = loan;
    }
    return months;
}

/* Logistic map: every value from the one before it. */
void logistic(double *x, int n, double r)
{
    for (int i = 1; i < n; i++) // truth: sequential
        x[i] = r * x[i - 1] * (1.0 - x[i - 1]);
}
