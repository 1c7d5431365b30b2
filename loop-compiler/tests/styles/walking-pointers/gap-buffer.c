// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Moves the text within a gap buffer and a delay line.
#include <stddef.h>
#include <string.h>

struct delay {
  float line[512];
  size_t len;
};

/* Opens one slot at the front: the copy runs from the end down. */
void open_front(char *buf, size_t used) {
  char *d = buf + used;
  const char *s = buf + used - 1;
  while (used--) // truth: sequential
    *d-- = *s--;
}

/* Fades from the first byte on: both pointers start in one buffer. */
void fade_out(unsigned char *buf, size_t n) {
  if (n < 2)
    return;
  unsigned char *dst = buf + 1;
  const unsigned char *src = buf;
  while (--n) // truth: sequential
    *dst++ = (unsigned char)(*src++ * 7u / 8u);
}

/* Brings the upper half down over the lower half. */
void fold_halves(unsigned char *buf, size_t half) {
  unsigned char *dst = buf;
  const unsigned char *src = buf + half;
  const unsigned char *const stop = src + half;
  while (src < stop) // truth: parallel
    *dst++ ^= *src++;
}

int delay_push(struct delay *d, const float *in, float *out, size_t n) {
  if (d->len == 0 || d->len > 512 || n > d->len)
    return -1;
  const float *old = d->line;
  for (size_t i = 0; i < n; i++) // truth: parallel
    *out++ = *in++ + 0.5f * *old++;

  float *w = d->line;
  in -= n;
  for (size_t i = 0; i < n; i++) // truth: parallel
    *w++ = *in++;
  return 0;
}

void close_gap(int *a, size_t n) {
  int *to = a;
  const int *from = a + 1;
  for (size_t left = n; left > 1; left--) // truth: sequential
    *to++ = *from++;
}
