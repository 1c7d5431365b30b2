enum { FIRST = 3, SECOND };
typedef unsigned char byte;
void f(int n, byte *b, short *s, unsigned *u, long *l, __int128 *w, _Bool *t, float *f, double _Complex *z) {
#pragma scop
  for (long i = n - 1; i >= 0; i -= 2) {
    b[i] += s[i] << 2 | SECOND;
    u[i] = ~u[i] ^ (unsigned) l[i] % 7u;
    w[i] = w[i] * -5 + sizeof(int);
    t[i] = t[i] && f[i] > 1.5f || !s[i];
    z[i] = z[i] * (2.0 + 1.0i) - __real__ (z[i] + 1.0);
    l[i]--;
    f[i] = 'a' / f[i];
  }
#pragma endscop
}
