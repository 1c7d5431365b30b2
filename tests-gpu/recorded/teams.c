// Reductions over teams of records of 4, 12 and 320 bytes, for recorded device code (tests-gpu/tests/recorded.rs).
// clang copies it as if it were aligned to 8 bytes.
typedef struct {
  float v[3];
} Three;
typedef struct {
  double v[40];
} Forty;

// Not inlined, so that what is recorded is short.
#define ALONE __attribute__((noinline)) static void
#define REDUCTION(NAME, TYPE, COUNT)                                                                           \
  ALONE add_##NAME(TYPE *to, const TYPE *from) {                                                              \
    for (int i = 0; i < COUNT; i++) to->v[i] += from->v[i];                                                   \
  }                                                                                                            \
  ALONE clear_##NAME(TYPE *to) {                                                                              \
    for (int i = 0; i < COUNT; i++) to->v[i] = 0;                                                             \
  }                                                                                                            \
  ALONE scaled_##NAME(TYPE *to, double x) {                                                                   \
    for (int i = 0; i < COUNT; i++) to->v[i] += i * x;                                                        \
  }
REDUCTION(three, Three, 3)
REDUCTION(forty, Forty, 40)
#pragma omp declare reduction(three : Three : add_three(&omp_out, &omp_in)) initializer(clear_three(&omp_priv))
#pragma omp declare reduction(forty : Forty : add_forty(&omp_out, &omp_in)) initializer(clear_forty(&omp_priv))

void sum_float(const float *a, float *out, long n) {
  float s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n]) map(tofrom : s)
  for (long i = 0; i < n; i++) s += a[i];
  *out = s;
}

void sum_three(const float *a, Three *out, long n) {
  __attribute__((aligned(8))) Three s = {{0}};
#pragma omp target teams distribute parallel for reduction(three : s) map(to : a[0 : n]) map(tofrom : s)
  for (long i = 0; i < n; i++) scaled_three(&s, a[i]);
  *out = s;
}

void sum_forty(const double *a, Forty *out, long n) {
  Forty s = {{0}};
#pragma omp target teams distribute parallel for reduction(forty : s) map(to : a[0 : n]) map(tofrom : s)
  for (long i = 0; i < n; i++) scaled_forty(&s, a[i]);
  *out = s;
}
