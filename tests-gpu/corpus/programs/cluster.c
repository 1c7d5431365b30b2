// Image processing: a step of k-means, a convolution, bilinear sampling and a gamma table.

void item(const u32 *in, u32 *out) {
  float centre[3][2] = {{-0.5f, -0.5f}, {0.5f, 0}, {0, 0.5f}};
  float sum[3][2] = {{0}};
  i32 count[3] = {0};
  u32 labels = 0;
  for (int i = 0; i < 32; i++) {
    float p[2] = {(i32)in[2 * i] * 0x1p-31f, (i32)in[2 * i + 1] * 0x1p-31f}, best = __builtin_inff();
    int label = 0;
    for (int c = 0; c < 3; c++) {
      float dx = p[0] - centre[c][0], dy = p[1] - centre[c][1], d = dx * dx + dy * dy;
      if (d < best) {
        best = d;
        label = c;
      }
    }
    sum[label][0] += p[0];
    sum[label][1] += p[1];
    count[label]++;
    labels = labels * 3 + (u32)label;
  }
  out[0] = labels;
  for (int c = 0; c < 3; c++) {
    float mean = sum[c][0] / (float)count[c] + sum[c][1];
    // The bits of the NaN of 0/0 differ between machines.
    if (count[c])
      __builtin_memcpy(&out[1 + c], &mean, 4);
  }
  const u8 *image = (const u8 *)in; // 16 x 16
  static const i8 kernel[3][3] = {{1, 2, 1}, {0, 0, 0}, {-1, -2, -1}};
  u32 edges = 0;
  for (int y = 1; y < 15; y++)
    for (int x = 1; x < 15; x++) {
      i32 g = 0;
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
          g += kernel[j][i] * image[(y + j - 1) * 16 + x + i - 1];
      g = g < 0 ? -g : g;
      edges = edges * 7 + (u32)(g > 255 ? 255 : g);
    }
  out[4] = edges;
  float u = (float)(in[3] & 0xffff) * (14.0f / 65536), v = (float)(in[4] & 0xffff) * (14.0f / 65536);
  float fu = __builtin_floorf(u), fv = __builtin_floorf(v);
  const u8 *corner = &image[(i32)fv * 16 + (i32)fu];
  float top = corner[0] + (u - fu) * (float)(corner[1] - corner[0]);
  float bottom = corner[16] + (u - fu) * (float)(corner[17] - corner[16]);
  float sample = top + (v - fv) * (bottom - top);
  __builtin_memcpy(out + 5, &sample, 4);
  out[6] = (u32)(i32)__builtin_rintf(sample) | (u32)(i32)__builtin_ceilf(sample) << 8 |
           (u32)(i32)__builtin_truncf(-sample) << 16;
  float limit = __builtin_fminf(__builtin_fmaxf(sample, 30.0f), 220.0f);
  __builtin_memcpy(out + 7, &limit, 4);
  double round = __builtin_round(sample * 2.5) + __builtin_nearbyint(sample * -3.5) + __builtin_trunc(u * 9.0);
  __builtin_memcpy(out + 8, &round, 8);
}
