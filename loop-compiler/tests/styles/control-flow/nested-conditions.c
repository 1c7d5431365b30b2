// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Tariffs and taxes: nested conditions with temporaries.
#include <math.h>
#include <stdint.h>

typedef struct {
    double gross;
    int children;
    uint8_t married, retired;
} person;

static double base_rate(double income)
{
    if (income < 10000.0)
        return 0.0;
    if (income < 40000.0)
        return 0.2;
    return 0.35;
}

double compute_taxes(const person *p, int n, double *tax)
{
    double total = 0.0;
    for (int i = 0; i < n; i++) { // truth: parallel
        double income = p[i].gross;
        double t;
        if (p[i].married) {
            double half = 0.5 * income;
            if (p[i].children > 0)
                half -= 1000.0 * p[i].children;
            if (half < 0.0)
                half = 0.0;
            t = 2.0 * half * base_rate(half);
        } else {
            double allowance = p[i].retired ? 3000.0 : 1000.0;
            if (p[i].children)
                allowance += 500.0;
            income = income > allowance ? income - allowance : 0.0;
            t = income * base_rate(income);
        }
        tax[i] = floor(t);
        total += tax[i];
    }
    return total;
}

/* The deduction that one person does not use passes on to the next. */
void share_deduction(double *tax, int n, double deduction)
{
    for (int i = 0; i < n; i++) { // truth: sequential
        double used = tax[i] < deduction ? tax[i] : deduction;
        tax[i] -= used;
        deduction -= used;
    }
}

int in_bracket(const person *p, int n, double lo, double hi)
{
    int k = 0;
    for (int i = 0; i < n; i++) { // truth: parallel
        double g = p[i].gross;
        if (g >= lo) {
            if (g < hi) {
                if (!p[i].retired)
                    k += 1;
            }
        }
    }
    return k;
}
