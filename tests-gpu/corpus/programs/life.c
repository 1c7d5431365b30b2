// Conway's Game of Life: a block updates a board in shared memory, with a barrier after every generation.

enum { SIDE = 32, CELLS = SIDE * SIDE, GENERATIONS = 6 };

static u32 neighbours(u32 x, u32 y, u32 k) { // the index of neighbour k of a cell, on a torus
  u32 dx = k % 3 - 1, dy = k / 3 - 1;
  return ((y + dy) & (SIDE - 1)) * SIDE + ((x + dx) & (SIDE - 1));
}

static bool lives(bool now, u32 count) { return count == 3 || (now && count == 2); }

#ifdef __NVPTX__
SHARED u8 board[2][CELLS];

KERNEL kernel(const u32 *in, u32 *out, u32 n) {
  u32 t = thread_id(), block = block_id();
  (void)n;
  for (u32 cell = t; cell < CELLS; cell += THREADS)
    board[0][cell] = in[block * IN * THREADS + cell] & 1;
  barrier();
  for (u32 g = 0; g < GENERATIONS; g++) {
    for (u32 cell = t; cell < CELLS; cell += THREADS) {
      u32 count = 0;
      for (u32 k = 0; k < 9; k++)
        if (k != 4)
          count += board[g & 1][neighbours(cell % SIDE, cell / SIDE, k)];
      board[~g & 1][cell] = lives(board[g & 1][cell], count);
    }
    barrier();
  }
  for (u32 cell = t; cell < CELLS; cell += THREADS)
    out[block * OUT * THREADS + cell] = board[GENERATIONS & 1][cell];
}
#else
void reference(const u32 *in, u32 *out, u32 n) {
  static u8 board[2][CELLS];
  for (u32 block = 0; block < n / THREADS; block++) {
    for (u32 cell = 0; cell < CELLS; cell++)
      board[0][cell] = in[block * IN * THREADS + cell] & 1;
    for (u32 g = 0; g < GENERATIONS; g++)
      for (u32 cell = 0; cell < CELLS; cell++) {
        u32 count = 0;
        for (u32 k = 0; k < 9; k++)
          if (k != 4)
            count += board[g & 1][neighbours(cell % SIDE, cell / SIDE, k)];
        board[~g & 1][cell] = lives(board[g & 1][cell], count);
      }
    for (u32 cell = 0; cell < CELLS; cell++)
      out[block * OUT * THREADS + cell] = board[GENERATIONS & 1][cell];
  }
}
#endif
