// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Checks and normalizes the rows of a table, with jumps to the next row.
#include <math.h>
#include <stddef.h>

/* Scales each row to the sum 1; rows with negative values are set to zero. */
int normalize_rows(double *m, int rows, int cols)
{
    int rejected = 0;
    for (int r = 0; r < rows; r++) { // truth: parallel
        double *row = m + (size_t)r * cols;
        double sum = 0.0;
        for (int c = 0; c < cols; c++) { // truth: parallel
            if (row[c] < 0.0)
                goto reject;
            if (isnan(row[c]))
                goto reject;
        }
        for (int c = 0; c < cols; c++) // truth: parallel
            sum += row[c];
        if (sum == 0.0)
            goto next_row;
        for (int c = 0; c < cols; c++) // truth: parallel
            row[c] /= sum;
        goto next_row;
reject:
        rejected++;
        for (int c = 0; c < cols; c++) // truth: parallel
            row[c] = 0.0;
next_row:
        ;
    }
    return rejected;
}

/* Eliminates column by column; every step uses the rows changed before. */
int eliminate(double *m, int n)
{
    for (int k = 0; k < n; k++) { // truth: sequential
        double *pivot = m + (size_t)k * n;
        if (pivot[k] == 0.0)
            return -1;
        for (int r = k + 1; r < n; r++) { // truth: parallel
            double *row = m + (size_t)r * n;
            double f = row[k] / pivot[k];
            for (int c = k; c < n; c++) // truth: parallel
                row[c] -= f * pivot[c];
        }
    }
    return 0;
}
