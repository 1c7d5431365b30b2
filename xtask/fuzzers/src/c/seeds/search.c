int f(int n, int *a, int x) {
  int at = n;
#pragma scop
  for (int i = 0; i < n; i++) {
    if (a[i] == x) {
      at = i;
      break;
    }
  }
#pragma endscop
  return at;
}
