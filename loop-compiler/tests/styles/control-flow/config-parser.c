// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Parses "key=value" texts with a state machine and converts the result.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PAIRS 64

struct pair { char key[16]; char value[32]; };
enum state { IN_KEY, IN_VALUE, IN_COMMENT };

int parse_pairs(const char *text, size_t len, struct pair *out)
{
    enum state st = IN_KEY;
    int n = 0;
    size_t k = 0;

    memset(out, 0, MAX_PAIRS * sizeof *out);
    for (size_t i = 0; i < len && n < MAX_PAIRS; i++) { // truth: sequential
        char c = text[i];
        switch (st) {
        case IN_COMMENT:
            if (c == '\n') st = IN_KEY;
            break;
        case IN_KEY:
            if (c == '#') st = IN_COMMENT;
            else if (c == '=') { st = IN_VALUE; k = 0; }
            else if (k + 1 < sizeof out[n].key) out[n].key[k++] = c;
            break;
        case IN_VALUE:
            if (c == '\n') { st = IN_KEY; k = 0; n++; }
            else if (k + 1 < sizeof out[n].value) out[n].value[k++] = c;
            break;
        }
    }
    return n;
}

const char *pair_value(const struct pair *p, int n, const char *key)
{
    for (int i = 0; i < n; i++) // truth: parallel
        if (strncmp(p[i].key, key, sizeof p[i].key) == 0)
            return p[i].value;
    return NULL;
}

int count_empty(const struct pair *p, int n)
{
    int empty = 0;
    for (int i = 0; i < n; i++) // truth: parallel
        empty += p[i].value[0] == '\0';
    return empty;
}

/* Control characters become blanks. */
size_t sanitize(struct pair *p, int n)
{
    size_t changed = 0;
    for (int i = 0; i < n; i++) // truth: parallel
        for (size_t k = 0; k < sizeof p[i].value; k++) { // truth: parallel
            if (p[i].value[k] == '\0' || p[i].value[k] >= ' ')
                continue;
            p[i].value[k] = ' ';
            changed++;
        }
    return changed;
}
