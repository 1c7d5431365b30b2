// Complex numbers: products by the textbook formula, division by Smith's algorithm, square roots, polynomials.

typedef struct { double re, im; } Complex;

static Complex add(Complex a, Complex b) { return (Complex){a.re + b.re, a.im + b.im}; }
static Complex times(Complex a, Complex b) {
  return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static double magnitude(double x) { return __builtin_fabs(x); }

static Complex over(Complex a, Complex b) {
  if (magnitude(b.re) >= magnitude(b.im)) {
    double r = b.im / b.re, d = b.re + b.im * r;
    return (Complex){(a.re + a.im * r) / d, (a.im - a.re * r) / d};
  }
  double r = b.re / b.im, d = b.re * r + b.im;
  return (Complex){(a.re * r + a.im) / d, (a.im * r - a.re) / d};
}

static Complex root(Complex z) {
  double r = __builtin_sqrt(z.re * z.re + z.im * z.im);
  double u = __builtin_sqrt((r + magnitude(z.re)) / 2), v = z.im / (2 * u);
  return z.re >= 0 ? (Complex){u, v} : (Complex){magnitude(v), __builtin_copysign(u, z.im)};
}

void item(const u32 *in, u32 *out) {
  Complex c[8], z = {(i32)in[0] * 0x1p-31, (i32)in[1] * 0x1p-30};
  for (int i = 0; i < 8; i++)
    c[i] = (Complex){(i32)in[2 * i + 2] * 0x1p-28, (i32)in[2 * i + 3] * 0x1p-29};
  Complex p = {0, 0}, q = {1, 0};
  for (int i = 0; i < 8; i++) {
    p = add(times(p, z), c[i]);
    q = over(q, add(c[i], p));
  }
  Complex r[3] = {p, q, root(over(p, c[3]))};
  // Newton steps on the polynomial z^3 - 1.
  for (int i = 0; i < 6; i++) {
    Complex square = times(z, z), cube = times(square, z);
    z = add(z, over((Complex){1 - cube.re, -cube.im}, (Complex){3 * square.re, 3 * square.im}));
  }
  __builtin_memcpy(out, r, sizeof r);
  __builtin_memcpy(out + 12, &z, sizeof z);
}
