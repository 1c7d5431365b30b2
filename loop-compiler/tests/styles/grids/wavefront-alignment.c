// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Alignment score table by rows and by anti-diagonals, with the best local score.
#include <stddef.h>

#define MAX2(a, b) ((a) > (b) ? (a) : (b))
#define GAP 2

static inline int match(char a, char b) { return a == b ? 3 : -1; }

static void borders(int **s, int n, int m)
{
    for (int i = 0; i <= n; i++) s[i][0] = -GAP * i; // truth: parallel
    for (int j = 1; j <= m; j++) s[0][j] = -GAP * j; // truth: parallel
}

int align_rows(int **s, const char *a, int n, const char *b, int m)
{
    borders(s, n, m);
    for (int i = 1; i <= n; i++) { // truth: sequential
        for (int j = 1; j <= m; j++) { // truth: sequential
            int d = s[i - 1][j - 1] + match(a[i - 1], b[j - 1]);
            int g = MAX2(s[i - 1][j], s[i][j - 1]) - GAP;
            s[i][j] = MAX2(d, g);
        }
    }
    return s[n][m];
}

int align_diagonals(int **s, const char *a, int n, const char *b, int m)
{
    borders(s, n, m);
    for (int d = 2; d <= n + m; d++) { // truth: sequential
        const int lo = MAX2(1, d - m), hi = d - 1 < n ? d - 1 : n;
        for (int i = lo; i <= hi; i++) { // truth: parallel
            const int j = d - i;
            int v = s[i - 1][j - 1] + match(a[i - 1], b[j - 1]);
            v = MAX2(v, s[i - 1][j] - GAP);
            s[i][j] = MAX2(v, s[i][j - 1] - GAP);
        }
    }
    return s[n][m];
}
