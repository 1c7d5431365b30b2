// The code around a program: the kernel on the device, `main` on the host.

#ifdef __NVPTX__
#ifndef WHOLE
KERNEL kernel(const u32 *in, u32 *out, u32 n) {
  u32 i = block_id() * THREADS + thread_id();
  if (i < n)
    item(in + i * IN, out + i * OUT);
}
#endif
#else
#include <stdio.h>

static u32 in[ITEMS * IN], out[ITEMS * OUT];

#ifndef WHOLE
void reference(const u32 *in, u32 *out, u32 n) {
  for (u32 i = 0; i < n; i++)
    item(in + i * IN, out + i * OUT);
}
#endif

int main(void) {
  if (fread(in, sizeof in, 1, stdin) != 1)
    return 1;
  reference(in, out, ITEMS);
  return fwrite(out, sizeof out, 1, stdout) != 1;
}
#endif
