// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Lists that end with a sentinel value.
#include <stddef.h>

#define END (-1)

typedef struct rule {
    int from, to;   /* from is END behind the last rule */
    int weight;
} rule;

size_t rule_count(const rule *r)
{
    size_t n = 0;
    while (r[n].from != END) // truth: parallel
        n++;
    return n;
}

/* The list must contain the key or END. */
const int *find_in_list(const int *list, int key)
{
    for (; *list != END; list++) // truth: parallel
        if (*list == key)
            return list;
    return NULL;
}

int list_copy(int *to, const int *from, int max)
{
    int k = 0;
    while (k < max && from[k] != END) { // truth: sequential
        to[k] = from[k];
        k++;
    }
    return k;
}

/* Applies the rules to all states: the first rule that fits decides. */
void apply_rules(const rule *r, int *state, int n)
{
    const size_t rules = rule_count(r);
    for (int i = 0; i < n; i++) { // truth: parallel
        size_t k;
        for (k = 0; k < rules; k++) // truth: parallel
            if (r[k].from == state[i])
                break;
        if (k < rules)
            state[i] = r[k].to;
    }
}

/* Follows rules until none fits. */
int follow(const rule *r, int state, int limit)
{
    while (limit-- > 0) { // truth: sequential
        const rule *q = r;
        while (q->from != END && q->from != state) // truth: parallel
            q++;
        if (q->from == END)
            break;
        state = q->to;
    }
    return state;
}
