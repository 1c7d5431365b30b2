// Integer intrinsics: counts of bits, permutations, wide products, funnel shifts, dot products, SIMD in a word.
#include "check.h"

constexpr int Functions = 22;

// clang 22 has no __dp4a for these headers.
__device__ unsigned signed_dot(unsigned x, unsigned y, int sum) {
#ifdef __clang__
  asm("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(x), "r"(y));
  return sum;
#else
  return __dp4a(static_cast<int>(x), static_cast<int>(y), sum);
#endif
}

__device__ unsigned unsigned_dot(unsigned x, unsigned y, unsigned sum) {
#ifdef __clang__
  asm("dp4a.u32.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(x), "r"(y));
  return sum;
#else
  return __dp4a(x, y, sum);
#endif
}

__global__ void run(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = in[i], y = in[(i + 1) % n], *to = out + Functions * i;
  unsigned long long wide = static_cast<unsigned long long>(x) << 32 | y;
  to[0] = __popc(x);
  to[1] = __clz(x);
  to[2] = __ffs(x);
  to[3] = __brev(x);
  to[4] = __popcll(wide);
  to[5] = __clzll(wide);
  to[6] = __byte_perm(x, y, 0x3715);
  to[7] = __umulhi(x, y);
  to[8] = __mulhi(static_cast<int>(x), static_cast<int>(y));
  to[9] = static_cast<unsigned>(__umul64hi(wide, wide) >> 7);
  to[10] = __usad(x, y, 3u);
  to[11] = __funnelshift_l(x, y, y % 40);
  to[12] = __funnelshift_rc(x, y, x % 40);
  to[13] = signed_dot(x, y, -7);
  to[14] = unsigned_dot(x, y, 11);
  to[15] = __vadd4(x, y);
  to[16] = __vabsdiffu4(x, y);
  to[17] = __vmaxs2(x, y);
  to[18] = __vcmpgtu4(x, y);
  to[19] = x / (y % 1000 + 1) + x % (y % 77 + 1);
  to[20] = static_cast<unsigned>(wide / (y | 1) + wide % (x | 1));
  to[21] = __uhadd(x, y) ^ __urhadd(x, y) ^ (x & y | ~x & 0x0f0f0f0f);
}

static void on_host(unsigned x, unsigned y, unsigned *to) {
  unsigned long long wide = static_cast<unsigned long long>(x) << 32 | y;
  auto byte = [](unsigned word, int at) { return word >> (8 * at) & 0xff; };
  auto signed_byte = [&](unsigned word, int at) { return static_cast<signed char>(byte(word, at)); };
  to[0] = __builtin_popcount(x);
  to[1] = x ? __builtin_clz(x) : 32;
  to[2] = __builtin_ffs(static_cast<int>(x));
  to[3] = 0;
  for (int i = 0; i < 32; i++)
    to[3] |= (x >> i & 1) << (31 - i);
  to[4] = __builtin_popcountll(wide);
  to[5] = wide ? __builtin_clzll(wide) : 64;
  to[6] = byte(y, 1) | byte(x, 1) << 8 | byte(y, 3) << 16 | byte(x, 3) << 24;
  to[7] = static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
  to[8] = static_cast<unsigned>(static_cast<long long>(static_cast<int>(x)) * static_cast<int>(y) >> 32);
  to[9] = static_cast<unsigned>(static_cast<unsigned long long>(static_cast<unsigned __int128>(wide) * wide >> 64) >> 7);
  to[10] = (x > y ? x - y : y - x) + 3;
  unsigned long long yx = static_cast<unsigned long long>(y) << 32 | x;
  to[11] = static_cast<unsigned>(yx << (y % 40 & 31) >> 32);
  to[12] = static_cast<unsigned>(yx >> (x % 40 > 32 ? 32 : x % 40));
  int dot = -7;
  unsigned other_dot = 11;
  to[15] = to[16] = to[17] = to[18] = 0;
  for (int i = 0; i < 4; i++) {
    dot += signed_byte(x, i) * signed_byte(y, i);
    other_dot += byte(x, i) * byte(y, i);
    to[15] |= (byte(x, i) + byte(y, i) & 0xff) << 8 * i;
    to[16] |= (byte(x, i) > byte(y, i) ? byte(x, i) - byte(y, i) : byte(y, i) - byte(x, i)) << 8 * i;
    to[18] |= (byte(x, i) > byte(y, i) ? 0xffu : 0) << 8 * i;
  }
  for (int i = 0; i < 2; i++) {
    short a = static_cast<short>(x >> 16 * i), b = static_cast<short>(y >> 16 * i);
    to[17] |= static_cast<unsigned>(static_cast<unsigned short>(a > b ? a : b)) << 16 * i;
  }
  to[13] = static_cast<unsigned>(dot);
  to[14] = other_dot;
  to[19] = x / (y % 1000 + 1) + x % (y % 77 + 1);
  to[20] = static_cast<unsigned>(wide / (y | 1) + wide % (x | 1));
  unsigned long long sum = static_cast<unsigned long long>(x) + y;
  to[21] = static_cast<unsigned>(sum >> 1) ^ static_cast<unsigned>((sum + 1) >> 1) ^ ((x & y) | (~x & 0x0f0f0f0f));
}

int main() {
  const int n = 211;
  std::vector<unsigned> in(n);
  Numbers numbers(13);
  for (unsigned &value : in)
    value = numbers.next() << 1 ^ numbers.next();
  in[0] = 0;
  in[1] = 0xffffffff;
  in[2] = 0x80000000;
  DeviceBuffer<unsigned> device(in), out(n * Functions);
  run<<<blocks_for(n, 64), 64>>>(device, out, n);
  finish_launch();
  std::vector<unsigned> found = out.host();
  for (int i = 0; i < n; i++) {
    unsigned expected[Functions];
    on_host(in[i], in[(i + 1) % n], expected);
    for (int f = 0; f < Functions; f++)
      if (found[Functions * i + f] != expected[f]) {
        std::fprintf(stderr, "function %d of %#x, %#x: %#x, expected %#x\n", f, in[i], in[(i + 1) % n],
                     found[Functions * i + f], expected[f]);
        return 1;
      }
  }
  std::puts("integers: 22 functions");
}
