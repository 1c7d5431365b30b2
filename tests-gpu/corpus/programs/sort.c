// Three sorting algorithms: Batcher's network, recursive quicksort, and insertion sort.

static void order(i32 *a, int i, int j) {
  if (a[i] > a[j]) {
    i32 t = a[i];
    a[i] = a[j];
    a[j] = t;
  }
}

static void network(i32 *a, int n) {
  for (int p = 1; p < n; p *= 2)
    for (int k = p; k >= 1; k /= 2)
      for (int j = k % p; j + k < n; j += 2 * k)
        for (int i = 0; i < k && i + j + k < n; i++)
          if ((i + j) / (2 * p) == (i + j + k) / (2 * p))
            order(a, i + j, i + j + k);
}

static void quick(i32 *a, int low, int high) {
  if (low >= high)
    return;
  i32 pivot = a[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot)
      i++;
    while (a[j] > pivot)
      j--;
    if (i <= j)
      order(a, i++, j--);
  }
  quick(a, low, j);
  quick(a, i, high);
}

static void insertion(u8 *a, int n) {
  for (int i = 1; i < n; i++) {
    u8 x = a[i];
    int j = i;
    for (; j > 0 && a[j - 1] > x; j--)
      a[j] = a[j - 1];
    a[j] = x;
  }
}

static u32 mix(u32 h, u32 x) { return (h ^ x) * 0x01000193u; }

void item(const u32 *in, u32 *out) {
  i32 a[IN], b[IN];
  u8 c[IN];
  for (int i = 0; i < IN; i++) {
    a[i] = (i32)in[i];
    b[i] = (i32)in[i];
    c[i] = (u8)(in[i] >> 5);
  }
  network(a, IN);
  quick(b, 0, IN - 1);
  insertion(c, IN);
  u32 h = 0x811c9dc5u, g = h, f = h;
  for (int i = 0; i < IN; i++) {
    h = mix(h, (u32)a[i]);
    g = mix(g, (u32)b[i]);
    f = mix(f, c[i]);
  }
  out[0] = h;
  out[1] = g;
  out[2] = f;
  out[3] = (u32)a[0];
  out[4] = (u32)b[IN - 1];
  out[5] = c[IN / 2];
}
