// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Selects events and numbers them with counters that advance on a condition.
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  uint32_t time;
  uint16_t kind;
  uint16_t flags;
} event;

#define FLAG_DROPPED 0x0001

int select_kind(const event *ev, int n, uint16_t kind, event *out) {
  int k = 0;
  for (int i = 0; i < n; i++) { // truth: scan
    if (ev[i].kind != kind || (ev[i].flags & FLAG_DROPPED))
      continue;
    out[k] = ev[i];
    k++;
  }
  return k;
}

/* Number of each event within its kind or -1; the counter is read on the way. */
void number_kept(const event *ev, int n, int *number) {
  int next = 0;
  for (int i = 0; i < n; i++) { // truth: scan
    if (ev[i].flags & FLAG_DROPPED)
      number[i] = -1;
    else
      number[i] = next++;
  }
}

int count_kept(const event *ev, int n) {
  int kept = 0;
  for (int i = 0; i < n; i++) // truth: parallel
    if (!(ev[i].flags & FLAG_DROPPED))
      kept++;
  return kept;
}

/* Drops events that come too soon after the last one that was kept. */
int debounce(event *ev, int n, uint32_t quiet) {
  uint32_t last = 0;
  int dropped = 0;
  for (int i = 0; i < n; i++) { // truth: sequential
    if (i > 0 && ev[i].time - last < quiet) {
      ev[i].flags |= FLAG_DROPPED;
      dropped++;
    } else {
      last = ev[i].time;
    }
  }
  return dropped;
}

/* Every second event, whatever it is: the counter follows from i. */
void thin_events(const event *ev, int n, event *out) {
  int k = 0;
  for (int i = 0; i < n; i += 2) // truth: parallel
    out[k++] = ev[i];
}
