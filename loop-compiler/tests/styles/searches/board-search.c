// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Searches on a board of letters.
#include <stdbool.h>
#include <string.h>

#define SIDE 15

typedef char board[SIDE][SIDE];

bool find_letter(board b, char letter, int *row, int *col)
{
    int r, c;
    for (r = 0; r < SIDE; r++) // truth: parallel
        for (c = 0; c < SIDE; c++) // truth: parallel
            if (b[r][c] == letter)
                goto found;
    return false;
found:
    *row = r;
    *col = c;
    return true;
}

static bool word_at(board b, const char *word, int len, int r, int c, int dr, int dc)
{
    for (int k = 0; k < len; k++) { // truth: parallel
        int y = r + k * dr, x = c + k * dc;
        if (y < 0 || x < 0 || y >= SIDE || x >= SIDE || b[y][x] != word[k])
            return false;
    }
    return true;
}

/* In how many places does the word stand, in any of the eight directions? */
int count_word(board b, const char *word, int len)
{
    int count = 0;
    for (int r = 0; r < SIDE; r++) // truth: parallel
        for (int c = 0; c < SIDE; c++) // truth: parallel
            for (int d = 0; d < 9; d++) // truth: parallel
                if (d != 4 && word_at(b, word, len, r, c, d / 3 - 1, d % 3 - 1))
                    count++;
    return count;
}

/* Puts the words onto the board, each at the first place that is free. */
int place_words(board b, const char *const *word, const int *len, int words)
{
    int placed = 0;
    for (int w = 0; w < words; w++) { // truth: sequential
        int r = 0;
        while (r < SIDE && b[r][0] != ' ') // truth: parallel
            r++;
        if (r == SIDE || len[w] > SIDE)
            continue;
        memcpy(b[r], word[w], (size_t)len[w]);
        placed++;
    }
    return placed;
}
