// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Linear searches in arrays and tables of records.
#include <stddef.h>
#include <string.h>

struct entry {
    const char *name;
    int code;
    double rate;
};

int find_code(const struct entry *tab, int n, int code)
{
    for (int i = 0; i < n; i++) // truth: parallel
        if (tab[i].code == code)
            return i;
    return -1;
}

const struct entry *find_name(const struct entry *tab, int n, const char *name)
{
    if (name == NULL || *name == '\0')
        return NULL;
    for (const struct entry *e = tab; e < tab + n; e++) { // truth: parallel
        if (strcmp(e->name, name) == 0)
            return e;
    }
    return NULL;
}

/* Sets the rate of the first entry with this code. */
int set_rate(struct entry *tab, int n, int code, double rate)
{
    int i;

    for (i = 0; i < n; i++) { // truth: parallel
        if (tab[i].code == code)
            goto found;
    }
    return -1;
found:
    tab[i].rate = rate;
    return i;
}

/* Sets the rates of a list of codes: a code may occur more than once. */
int set_rates(struct entry *tab, int n, const int *code, const double *rate, int count)
{
    int missing = 0;
    for (int c = 0; c < count; c++) // truth: sequential
        if (set_rate(tab, n, code[c], rate[c]) < 0)
            missing++;
    return missing;
}
