// Votes, matches and reductions of a warp, of all lanes and of some.
#include "check.h"

struct Answers {
  unsigned ballot, match, match_long, active, sum, least, greatest, and_all, or_all, xor_all;
  int all, any, none, least_signed, match_all, match_pred;
};

__global__ void ask(Answers *out) {
  int lane = threadIdx.x;
  const unsigned full = 0xffffffff;
  Answers &a = out[lane];
  a.ballot = __ballot_sync(full, lane % 3 == 0);
  a.all = __all_sync(full, lane < 32);
  a.any = __any_sync(full, lane == 31);
  a.none = __any_sync(full, lane > 31);
  a.match = __match_any_sync(full, lane / 5);
  a.match_long = __match_any_sync(full, static_cast<unsigned long long>(lane % 4) << 40);
  a.match_all = static_cast<int>(__match_all_sync(full, lane / 32, &a.match_pred));
  a.sum = __reduce_add_sync(full, static_cast<unsigned>(lane * 3));
  a.least = __reduce_min_sync(full, static_cast<unsigned>(100 - lane));
  a.greatest = __reduce_max_sync(full, static_cast<unsigned>(lane ^ 5));
  a.least_signed = __reduce_min_sync(full, 10 - lane);
  a.and_all = __reduce_and_sync(full, static_cast<unsigned>(lane) | 0x100);
  a.or_all = __reduce_or_sync(full, 1u << lane);
  a.xor_all = __reduce_xor_sync(full, static_cast<unsigned>(lane * lane));
  __syncwarp();
  if (lane >= 20) {
    a.active = __activemask();
    a.sum += 1000 * __reduce_add_sync(0xfff00000, 1u);
  }
}

int main() {
  DeviceBuffer<Answers> out(32);
  CUDA(cudaMemset(out, 0, 32 * sizeof(Answers)));
  ask<<<1, 32>>>(out);
  finish_launch();
  std::vector<Answers> host = out.host();
  unsigned multiples = 0, exclusive = 0;
  for (int lane = 0; lane < 32; lane++) {
    multiples |= lane % 3 == 0 ? 1u << lane : 0;
    exclusive ^= static_cast<unsigned>(lane * lane);
  }
  for (int lane = 0; lane < 32; lane++) {
    const Answers &a = host[lane];
    unsigned same = 0, same_rest = 0;
    for (int other = 0; other < 32; other++) {
      same |= other / 5 == lane / 5 ? 1u << other : 0;
      same_rest |= other % 4 == lane % 4 ? 1u << other : 0;
    }
    REQUIRE(a.ballot == multiples);
    REQUIRE(a.all && a.any && !a.none);
    REQUIRE(a.match == same && a.match_long == same_rest);
    REQUIRE(a.match_all == -1 && a.match_pred == 1);
    REQUIRE(a.sum == 3 * 496 + (lane >= 20 ? 12000 : 0));
    REQUIRE(a.least == 69 && a.greatest == 31 && a.least_signed == -21);
    REQUIRE(a.and_all == 0x100 && a.or_all == 0xffffffff && a.xor_all == exclusive);
    // Which lanes are active together is the machine's choice, but a lane is active itself.
    REQUIRE(lane < 20 ? a.active == 0 : (a.active >> lane & 1) == 1);
  }
  std::puts("warp_vote: votes, matches, reductions");
}
