// Checks, with a counter.
#include <stdio.h>

static long checks = 0, failures = 0;

// Reports the first difference.
static void check(const char *what, double got, double expected) {
  checks++;
  if (!(got == expected) && failures++ < 20) printf("%s: %.17g, not %.17g\n", what, got, expected);
}

static int report(void) {
  printf("%ld checks, %ld failures\n", checks, failures);
  return failures != 0;
}
