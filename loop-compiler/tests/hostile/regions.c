// Regions that are no statements of one block, functions that read what a region stores, and variables of blocks.
// rejected: the region begins as the body of a loop, a branch or a label
// rejected: the region ends outside of the block in which it begins

#include <stdio.h>

int a[64], b[64];

void bodies(int n, int c) {
  if (c)
#pragma scop
    for (int i = 0; i < n; i++)
      a[i] += 1;
    for (int i = 0; i < n; i++)
      b[i] += 1;
#pragma endscop
}

void one_body(int n, int c) {
  for (int k = 0; k < 3; k++)
#pragma scop
    for (int i = 0; i < n; i++)
      a[i] += k;
#pragma endscop
  if (c)
#pragma scop
    for (int i = 0; i < n; i++)
      a[i] += 5;
#pragma endscop
  else
#pragma scop
    for (int i = 0; i < n; i++)
      b[i] += 7;
#pragma endscop
}

void outside(int n) {
  for (int i = 0; i < n; i++) {
#pragma scop
    a[i] += 1; }
#pragma endscop
}

__attribute__((pure)) int reads(int i);

void pure_function(int n) {
#pragma scop
  for (int i = 1; i < n; i++)
    a[i] = reads(i) + 1;
#pragma endscop
}

int reads(int i) { return a[i - 1]; }

const int *table = a;
static int element(int i) { return table[i - 1]; }

void table_function(int n) {
#pragma scop
  for (int i = 1; i < n; i++)
    a[i] = element(i) + 1;
#pragma endscop
}

void labels(int n, int m) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int j;
    for (j = 0; j < m; j++)
      b[i] += j;
  }
#pragma endscop
past:;
}

void offset(int n) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; i + j < n; j++)
      b[i] += a[i + j];
#pragma endscop
}

static void print(const char *name) {
  unsigned sum = 0;
  for (int i = 0; i < 64; i++)
    sum = (sum * 31 + a[i]) * 31 + b[i];
  printf("%s %u\n", name, sum);
}

int main(void) {
  for (int i = 0; i < 64; i++)
    a[i] = i, b[i] = 3 * i;
  bodies(60, 0), print("bodies");
  bodies(60, 1), print("bodies");
  one_body(60, 0), print("one_body");
  one_body(60, 1), print("one_body");
  outside(60), print("outside");
  pure_function(60), print("pure_function");
  table_function(60), print("table_function");
  labels(60, 9), print("labels");
  offset(60), print("offset");
}
