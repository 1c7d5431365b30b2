// A matrix transposed in tiles through shared memory, words moved between two barriers, and a stencil over the
// transposed matrix.

enum { TILE = 32, ROWS = THREADS / TILE };

#ifdef __NVPTX__
static __attribute__((address_space(3))) u32 tile[TILE][TILE + 1];

KERNEL kernel(const u32 *in, u32 *out, u32 n) {
  u32 x = thread_id() % TILE, y = thread_id() / TILE;
  in += block_id() * IN * THREADS;
  out += block_id() * OUT * THREADS;
  (void)n;
  for (u32 j = y; j < TILE; j += ROWS)
    tile[j][x] = in[j * TILE + x];
  barrier();
  for (u32 j = y; j < TILE; j += ROWS) {
    u32 above = tile[x][(j + TILE - 1) % TILE], below = tile[x][(j + 1) % TILE];
    out[j * TILE + x] = 2 * tile[x][j] - above / 2 - below / 2;
  }
}
#else
C_LINKAGE void reference(const u32 *in, u32 *out, u32 n) {
  for (u32 block = 0; block < n / THREADS; block++, in += IN * THREADS, out += OUT * THREADS)
    for (u32 i = 0; i < TILE * TILE; i++) {
      u32 x = i % TILE, j = i / TILE;
      u32 above = in[x * TILE + (j + TILE - 1) % TILE], below = in[x * TILE + (j + 1) % TILE];
      out[i] = 2 * in[x * TILE + j] - above / 2 - below / 2;
    }
}
#endif
