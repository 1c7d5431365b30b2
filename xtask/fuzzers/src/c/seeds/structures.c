struct point { double x, v[3]; struct { int k; } inner; };
union word { int i; float f; };
struct bits { unsigned low : 3; };
void f(int n, struct point p[n], struct point *q, union word *w, struct bits *b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    p[i].x += q->x;
    for (int j = 0; j < 3; j++)
      p[i].v[j] = -p[i].v[j] * q->v[j];
    q->inner.k |= p[i].inner.k;
  }
#pragma endscop
#pragma scop
  for (int i = 0; i < n; i++)
    w[i].i = b[i].low;
#pragma endscop
}
