void g(int *);
void f(int n, int *a, volatile int *v, int (*call)(int)) {
#pragma scop
  for (int i = 0; i < n; i++) {
    a[i] = call(i);
    switch (a[i]) { case 1: a[i] = 2; default: break; }
  }
#pragma endscop
#pragma scop
  while (n--) a[n] = v[n];
#pragma endscop
#pragma scop
  for (int i = 0, j = 0; i < n; i++, j++) { a[i] = a[j]++; g(a); goto end; }
#pragma endscop
#pragma scop
  for (int i = 0; i < n; i++) { static int kept; kept += a[i]; }
#pragma endscop
end:;
  a[0] = _Generic(n, int: 1, default: 2);
}
