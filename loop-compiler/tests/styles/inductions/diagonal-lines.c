// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Diagonals of square boards, addressed by one running index.
#include <stddef.h>

typedef signed char cell;

int main_diagonal(const cell *board, int n)
{
    int sum = 0;
    for (int i = 0, k = 0; i < n; i++, k += n + 1) // truth: parallel
        sum += board[k];
    return sum;
}

int anti_diagonal(const cell *board, int n)
{
    int sum = 0, k = n - 1;
    for (int i = 0; i < n; i++) { // truth: parallel
        sum += board[k];
        k += n - 1;
    }
    return sum;
}

void identity(double *m, int n)
{
    int at = 0;
    for (int k = 0; k < n * n; k++) // truth: parallel
        m[k] = 0.0;
    for (int i = 0; i < n; i++) { // truth: parallel
        m[at] = 1.0;
        at += n + 1;
    }
}

/* One point for each line, column and diagonal that is full. */
int full_lines(const cell *board, int n, cell who)
{
    int full = 0;
    for (int i = 0; i < n; i++) { // truth: parallel
        int in_row = 0, in_col = 0;
        int r = i * n, c = i;
        for (int j = 0; j < n; j++) { // truth: parallel
            in_row += board[r++] == who;
            in_col += board[c] == who;
            c += n;
        }
        full += (in_row == n) + (in_col == n);
    }
    return full;
}

/* Slides the pieces of a row to the left; a piece merges with an equal one. */
int slide_left(cell *row, int n)
{
    int to = 0;
    for (int i = 0; i < n; i++) { // truth: sequential
        if (row[i] == 0)
            continue;
        cell piece = row[i];
        row[i] = 0;
        if (to > 0 && row[to - 1] == piece)
            row[to - 1]++;
        else
            row[to++] = piece;
    }
    return to;
}
