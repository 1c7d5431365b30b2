// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Clamping, gating and limiting of control values with conditional expressions.
#include <math.h>

#define CLAMP(v, lo, hi) ((v) < (lo) ? (lo) : (v) > (hi) ? (hi) : (v))

void clamp_all(double *v, int n, double lo, double hi)
{
    for (int i = 0; i < n; ++i) // truth: parallel
        v[i] = CLAMP(v[i], lo, hi);
}

void dead_zone(const double *in, double *out, int n, double width)
{
    for (int i = 0; i < n; ++i) // truth: parallel
        out[i] = in[i] > width ? in[i] - width : in[i] < -width ? in[i] + width : 0.0;
}

/* An integrator that saturates. */
void integrate_clamped(const double *in, double *out, int n, double lo, double hi)
{
    double state = 0.0;
    for (int i = 0; i < n; ++i) { // truth: sequential
        state = CLAMP(state + in[i], lo, hi);
        out[i] = state;
    }
}

/* An integrator that does not. */
void integrate(const double *in, double *out, int n, double dt)
{
    double state = 0.0;
    for (int i = 0; i < n; ++i) { // truth: scan
        state += in[i] * dt;
        out[i] = state;
    }
}

/* Chooses the source of each sample; reads one array or the other. */
void select_source(const double *a, const double *b, const unsigned char *use_b, double *out, int n)
{
    for (int i = 0; i < n; ++i) // truth: parallel
        *(out + i) = *((use_b[i] ? b : a) + i);
}

/* Range of the values that lie inside the limits. */
double inner_range(const double *v, int n, double lo, double hi)
{
    double least = hi, most = lo;
    for (int i = 0; i < n; ++i) { // truth: parallel
        double c = v[i] < lo || v[i] > hi ? 0.5 * (lo + hi) : v[i];
        least = c < least ? c : least;
        most = c > most ? c : most;
    }
    return most > least ? most - least : 0.0;
}
