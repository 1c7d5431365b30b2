//! fault use-after-free
//! note A device pointer is used after the data that it points to were unmapped; the twin unmaps them at the end.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int n = 64, a[64], sum = 0;
  for (int i = 0; i < n; i++) a[i] = 2 * i;
#pragma omp target enter data map(to : a)
  int *on_device = omp_get_mapped_ptr(a, omp_get_default_device());
#pragma omp target exit data map(delete : a) //faulty
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) is_device_ptr(on_device) reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += on_device[i]; //~
  //fixed: #pragma omp target exit data map(delete : a)
  printf("sum %d\n", sum);
  return 0;
}
