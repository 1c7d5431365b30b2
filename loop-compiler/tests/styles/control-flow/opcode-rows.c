// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Evaluates an operation, chosen by a code, on every element of arrays.
#include <math.h>
#include <stddef.h>

enum op { OP_ADD, OP_SUB, OP_MUL, OP_MIN, OP_MAX, OP_NEG };

int apply_rows(const unsigned char *ops, const double *a, const double *b, double *r, size_t n)
{
    if (!ops || !a || !b || !r)
        return -1;
    for (size_t i = 0; i < n; i++) { // truth: parallel
        switch (ops[i]) {
        case OP_ADD: r[i] = a[i] + b[i]; break;
        case OP_SUB: r[i] = a[i] - b[i]; break;
        case OP_MUL: r[i] = a[i] * b[i]; break;
        case OP_MIN: r[i] = fmin(a[i], b[i]); break;
        case OP_MAX: r[i] = fmax(a[i], b[i]); break;
        case OP_NEG: r[i] = -a[i]; break;
        default:     r[i] = NAN; break;
        }
    }
    return 0;
}

/* The same operations as the program of one register. */
double run_program(const unsigned char *ops, const double *arg, size_t n)
{
    double acc = 0.0;
    for (size_t pc = 0; pc < n; pc++) { // truth: sequential
        switch (ops[pc]) {
        case OP_ADD: acc += arg[pc]; break;
        case OP_SUB: acc -= arg[pc]; break;
        case OP_MUL: acc *= arg[pc]; break;
        case OP_MIN: acc = fmin(acc, arg[pc]); break;
        case OP_MAX: acc = fmax(acc, arg[pc]); break;
        case OP_NEG: acc = -acc; break;
        default: return acc;
        }
    }
    return acc;
}

void count_ops(const unsigned char *ops, size_t n, long counts[3])
{
    long sums = 0, products = 0, others = 0;
    for (size_t i = 0; i < n; i++) { // truth: parallel
        switch (ops[i]) {
        case OP_ADD:
        case OP_SUB:
            sums++;
            break;
        case OP_MUL:
            products++;
            break;
        default:
            others++;
        }
    }
    counts[0] = sums;
    counts[1] = products;
    counts[2] = others;
}
