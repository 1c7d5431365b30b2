// Gravity between bodies, in float, and a Runge-Kutta step in double.

typedef struct { float x, y, z, mass; } Body;

static float inverse_root(float x) { return 1.0f / __builtin_sqrtf(x); }

static void step(Body *body, float (*speed)[3], int n, float dt) {
  for (int i = 0; i < n; i++) {
    float force[3] = {0, 0, 0};
    for (int j = 0; j < n; j++) {
      float dx = body[j].x - body[i].x, dy = body[j].y - body[i].y, dz = body[j].z - body[i].z;
      float r = inverse_root(dx * dx + dy * dy + dz * dz + 0.01f);
      float pull = body[j].mass * r * r * r;
      force[0] += pull * dx;
      force[1] += pull * dy;
      force[2] += pull * dz;
    }
    for (int k = 0; k < 3; k++)
      speed[i][k] += dt * force[k];
  }
  for (int i = 0; i < n; i++) {
    body[i].x += dt * speed[i][0];
    body[i].y += dt * speed[i][1];
    body[i].z += dt * speed[i][2];
  }
}

static void lorenz(const double *s, double *d) {
  d[0] = 10 * (s[1] - s[0]);
  d[1] = s[0] * (28 - s[2]) - s[1];
  d[2] = s[0] * s[1] - 8.0 / 3 * s[2];
}

static void runge_kutta(double *s, double h, void (*derivative)(const double *, double *)) {
  static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, ahead[4] = {0, 0.5, 0.5, 1};
  double k[3] = {0, 0, 0}, sum[3] = {0, 0, 0};
  for (int stage = 0; stage < 4; stage++) {
    double at[3];
    for (int i = 0; i < 3; i++)
      at[i] = s[i] + h * ahead[stage] * k[i];
    derivative(at, k);
    for (int i = 0; i < 3; i++)
      sum[i] += weight[stage] * k[i];
  }
  for (int i = 0; i < 3; i++)
    s[i] += h * sum[i];
}

void item(const u32 *in, u32 *out) {
  Body body[8];
  float speed[8][3] = {{0}};
  for (int i = 0; i < 8; i++)
    body[i] = (Body){(i32)in[4 * i] * 0x1p-31f, (i32)in[4 * i + 1] * 0x1p-31f, (i32)in[4 * i + 2] * 0x1p-31f,
                     (float)(in[4 * i + 3] >> 8) * 0x1p-24f};
  for (int i = 0; i < 4; i++)
    step(body, speed, 8, 0.0625f);
  __builtin_memcpy(out, &body[1], 16);
  __builtin_memcpy(out + 4, &speed[7], 12);
  double s[3] = {(i32)in[40] * 0x1p-28, (i32)in[41] * 0x1p-28, in[42] * 0x1p-27};
  for (int i = 0; i < 10; i++)
    runge_kutta(s, 0.01, lorenz);
  __builtin_memcpy(out + 8, s, 24);
}
