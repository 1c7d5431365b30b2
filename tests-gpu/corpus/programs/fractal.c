// Points of the Mandelbrot and Julia sets: in double, float, and fixed point of 64 bits.

void item(const u32 *in, u32 *out) {
  double cx = (i32)in[0] * 0x1p-30, cy = (i32)in[1] * 0x1p-31;
  double x = 0, y = 0;
  u32 n = 0;
  for (; n < 200 && x * x + y * y <= 4; n++) {
    double t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
  }
  out[0] = n;
  float fx = (i32)in[2] * 0x1p-30f, fy = (i32)in[3] * 0x1p-31f;
  u32 m = 0;
  for (; m < 200 && fx * fx + fy * fy <= 4; m++) {
    float t = fx * fx - fy * fy - 0.75f;
    fy = 2 * fx * fy + 0.11f;
    fx = t;
  }
  out[1] = m;
  i64 gx = 0, gy = 0, dx = (i32)in[4] >> 3, dy = (i32)in[5] >> 4;
  u32 k = 0;
  for (; k < 200 && gx * gx + gy * gy <= 4ll << 56; k++) {
    i64 t = ((gx * gx - gy * gy) >> 28) + dx;
    gy = ((gx * gy) >> 27) + dy;
    gx = t;
  }
  out[2] = k;
  __builtin_memcpy(out + 4, &x, 8);
  __builtin_memcpy(out + 6, &fy, 4);
  __builtin_memcpy(out + 8, &gx, 8);
}
