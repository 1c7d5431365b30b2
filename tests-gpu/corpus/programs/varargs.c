// Variadic functions: arguments of several types, and an argument list passed to another function.

typedef __builtin_va_list list;

static double average(int n, ...) {
  list arguments;
  __builtin_va_start(arguments, n);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += __builtin_va_arg(arguments, double);
  __builtin_va_end(arguments);
  return sum / n;
}

// 'd' an int, 'l' a long long, 'f' a double, 'p' a pointer to int
static u64 fold(const char *format, list *arguments) {
  u64 h = 1469598103934665603ull;
  for (; *format; format++) {
    u64 x = 0;
    double d;
    switch (*format) {
    case 'd': x = (u32)__builtin_va_arg(*arguments, int); break;
    case 'l': x = __builtin_va_arg(*arguments, u64); break;
    case 'f': d = __builtin_va_arg(*arguments, double); __builtin_memcpy(&x, &d, 8); break;
    case 'p': x = (u32)*__builtin_va_arg(*arguments, int *); break;
    }
    h = (h ^ x) * 1099511628211ull;
  }
  return h;
}

__attribute__((noinline)) static u64 hash(const char *format, ...) {
  list arguments, copy;
  __builtin_va_start(arguments, format);
  __builtin_va_copy(copy, arguments);
  u64 h = fold(format, &arguments) * 3 + fold(format, &copy);
  __builtin_va_end(copy);
  __builtin_va_end(arguments);
  return h;
}

void item(const u32 *in, u32 *out) {
  int x = (int)in[3];
  double mean = average(3, in[0] / 8.0, in[1] / 4.0, in[2] / 2.0);
  u64 h = hash("dlfpd", (int)in[0], (u64)in[1] << 20, in[2] / 16.0, &x, (int)in[4]);
  u64 none = hash("");
  __builtin_memcpy(out, &mean, 8);
  __builtin_memcpy(out + 2, &h, 8);
  __builtin_memcpy(out + 4, &none, 8);
}
