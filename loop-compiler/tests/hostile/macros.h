#ifndef MACROS_H
#define MACROS_H
#ifdef USE_FLOAT
typedef float real;
#else
typedef double real;
#endif
#define FIXED 7000
#ifndef ROW
#define ROW 50
#endif
#define AT(i, j) ((i) * ROW + (j))
#ifdef CLAMPED
#define CLAMP(x)   ((x) < 0 ?   0 : (x))
#else
#define CLAMP(x) (x)
#endif
#if DEEP > 2
enum { LIMIT = 3000000 };
#else
enum { LIMIT = 2000000 };
#endif
static inline int scaled(int x) {
#ifdef SCALED
  return 3 * x;
#else
  return 2 * x;
#endif
}
#endif
