// Fourier transform of 16 points, with sines and cosines from polynomials.

typedef struct { double re, im; } Complex;

// Taylor series; accurate to the last bits for |x| <= pi/2, and the same bits on every machine.
static double sine(double x) {
  double square = x * x, term = x, sum = x;
  for (int k = 1; k < 12; k++) {
    term = -term * square / (double)(2 * k * (2 * k + 1));
    sum += term;
  }
  return sum;
}

static double exponential(double x) {
  // exp(x) = 2^k exp(r), |r| <= ln(2) / 2
  double k = __builtin_floor(x * 1.4426950408889634 + 0.5);
  double r = __builtin_fma(k, -1.9082149292705877e-10, __builtin_fma(k, -0.693147180369123816490, x));
  double term = 1, sum = 1;
  for (int i = 1; i < 16; i++) {
    term = term * r / i;
    sum += term;
  }
  u64 bits = (u64)((i64)k + 1023) << 52;
  double scale;
  __builtin_memcpy(&scale, &bits, 8);
  return sum * scale;
}

static void fft(Complex *a, int n) {
  const double pi = 3.14159265358979323846;
  for (int i = 1, j = 0; i < n; i++) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j) {
      Complex t = a[i];
      a[i] = a[j];
      a[j] = t;
    }
  }
  for (int length = 2; length <= n; length *= 2) {
    for (int k = 0; k < length / 2; k++) {
      double angle = -2 * pi * k / length;
      // The cosine as the sine of the complement keeps the argument small.
      Complex w = {sine(pi / 2 + angle), angle < -pi / 2 ? sine(-pi - angle) : sine(angle)};
      for (int i = k; i < n; i += length) {
        Complex *x = &a[i], *y = &a[i + length / 2];
        Complex v = {y->re * w.re - y->im * w.im, y->re * w.im + y->im * w.re};
        *y = (Complex){x->re - v.re, x->im - v.im};
        *x = (Complex){x->re + v.re, x->im + v.im};
      }
    }
  }
}

void item(const u32 *in, u32 *out) {
  Complex a[16];
  for (int i = 0; i < 16; i++)
    a[i] = (Complex){(i32)in[2 * i] * 0x1p-31, (i32)in[2 * i + 1] * 0x1p-31};
  fft(a, 16);
  double power = 0;
  for (int i = 0; i < 16; i++)
    power += a[i].re * a[i].re + a[i].im * a[i].im;
  __builtin_memcpy(out, &a[1], 16);
  __builtin_memcpy(out + 4, &a[11], 16);
  __builtin_memcpy(out + 8, &power, 8);
  double e[2] = {exponential((i32)in[40] * 0x1p-26), exponential(-(double)in[41] * 0x1p-23)};
  __builtin_memcpy(out + 10, e, 16);
}
