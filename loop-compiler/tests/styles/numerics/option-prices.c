// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Prices of options: closed form for a list, binomial tree, implied volatility by bisection.
#include <math.h>
#include <stdlib.h>

typedef struct { double spot, strike, rate, sigma, years; int call; } Option;

static double cnd(double x) { return 0.5 * erfc(-x * 0.70710678118654752); }

static double closed_form(const Option *o)
{
    const double v = o->sigma * sqrt(o->years);
    const double d1 = (log(o->spot / o->strike) + (o->rate + 0.5 * o->sigma * o->sigma) * o->years) / v, d2 = d1 - v;
    const double k = o->strike * exp(-o->rate * o->years), c = o->spot * cnd(d1) - k * cnd(d2);
    return o->call ? c : c - o->spot + k;
}

static double tree(const Option *o, int steps, double *v)
{
    const double dt = o->years / steps, u = exp(o->sigma * sqrt(dt)), d = 1.0 / u;
    const double df = exp(-o->rate * dt), p = (1.0 / df - d) / (u - d);
    for (int i = 0; i <= steps; i++) { // truth: parallel
        const double s = o->spot * pow(u, 2.0 * i - steps);
        v[i] = fmax(0.0, o->call ? s - o->strike : o->strike - s);
    }
    for (int t = steps - 1; t >= 0; t--) // truth: sequential
        for (int i = 0; i <= t; i++) // truth: sequential
            v[i] = df * (p * v[i + 1] + (1.0 - p) * v[i]);
    return v[0];
}

static double implied(Option o, double price)
{
    double lo = 1e-4, hi = 5.0;
    while (hi - lo > 1e-8) { // truth: sequential
        o.sigma = 0.5 * (lo + hi);
        if (closed_form(&o) < price) lo = o.sigma; else hi = o.sigma;
    }
    return 0.5 * (lo + hi);
}

double price_all(const Option *o, double *price, double *vol, const double *quote, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) { // truth: parallel
        price[i] = closed_form(o + i);
        vol[i] = quote[i] > 0.0 ? implied(o[i], quote[i]) : o[i].sigma;
        sum += price[i];
    }
    return sum;
}

int price_trees(const Option *o, double *price, int n, int steps)
{
    double *v = malloc(((size_t)steps + 1) * sizeof *v);
    if (!v) return -1;
    for (int i = 0; i < n; i++) // truth: parallel
        price[i] = tree(&o[i], steps, v);
    free(v);
    return 0;
}
