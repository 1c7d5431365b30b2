// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Records of transactions: totals per account, validation, balances, selection, the largest transfer.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct { int from, to; int64_t amount; uint8_t kind; } Transfer;
typedef struct { int64_t balance; unsigned moves; } Account;
enum { KIND_NORMAL, KIND_FEE, KIND_REFUND, KINDS };

int ledger_validate(const Transfer *t, int n, int accounts)
{
    for (int i = 0; i < n; ++i) // truth: parallel
        if (t[i].from < 0 || t[i].from >= accounts || t[i].to < 0 || t[i].to >= accounts || t[i].kind >= KINDS)
            return i;
    return -1;
}

bool ledger_post(Account *a, const Transfer *t, int n, int accounts)
{
    int bad = ledger_validate(t, n, accounts);
    if (bad >= 0) {
        fprintf(stderr, "transfer %d is not valid\n", bad);
        return false;
    }
    for (int i = 0; i < n; ++i) { // truth: parallel
        a[t[i].from].balance -= t[i].amount;
        a[t[i].to].balance += t[i].amount;
        a[t[i].from].moves++;
        a[t[i].to].moves++;
    }
    return true;
}

/* A transfer is declined if the balance does not allow it at that moment. */
int ledger_post_checked(Account *a, const Transfer *t, int n)
{
    int declined = 0;
    for (int i = 0; i < n; ++i) { // truth: sequential
        if (a[t[i].from].balance < t[i].amount) {
            ++declined;
            continue;
        }
        a[t[i].from].balance -= t[i].amount;
        a[t[i].to].balance += t[i].amount;
    }
    return declined;
}

int ledger_select(const Transfer *t, int n, uint8_t kind, int *out, int64_t total[KINDS])
{
    int found = 0;
    for (int i = 0; i < n; ++i) // truth: parallel
        total[t[i].kind] += t[i].amount;
    for (int i = 0; i < n; ++i) // truth: scan
        if (t[i].kind == kind)
            out[found++] = i;
    return found;
}

void ledger_running(const Transfer *t, int n, int account, int64_t *balance)
{
    int64_t b = 0;
    for (int i = 0; i < n; ++i) { // truth: scan
        b += t[i].to == account ? t[i].amount : 0;
        b -= t[i].from == account ? t[i].amount : 0;
        balance[i] = b;
    }
}
