//! fault use-after-free
//! note The nodes of a list are freed while its loop still follows them; the twin reads the next pointer first.
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
  int n = 6, sums[32];
#pragma omp target parallel for num_threads(32) map(from : sums)
  for (int i = 0; i < 32; i++) {
    struct node *list = 0;
    for (int k = 0; k < n; k++) {
      struct node *fresh = malloc(sizeof *fresh);
      fresh->value = i + k, fresh->next = list, list = fresh;
    }
    sums[i] = 0;
    while (list) {
      struct node *next = list->next;
      free(list); //faulty
      sums[i] += list->value; //~
      //fixed: free(list);
      list = next;
    }
  }
  printf("%d %d\n", sums[0], sums[31]);
  return 0;
}
