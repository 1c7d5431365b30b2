// Checks that count themselves.
#include <stdio.h>

static long checks = 0, failures = 0;

// Tells what differs, of many differences the first.
static void check(const char *what, double got, double expected) {
  checks++;
  if (!(got == expected) && failures++ < 20) printf("%s: %.17g, not %.17g\n", what, got, expected);
}

static int report(void) {
  printf("%ld checks, %ld failures\n", checks, failures);
  return failures != 0;
}
