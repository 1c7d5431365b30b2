// Cooperative groups: blocks, tiles, coalesced and labelled threads, reductions and scans of groups.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

struct Seen {
  int block_rank, block_size, tile_rank, tile_of_block, tile_sum, tile_greatest, tile_any, shuffled, before;
  int active_rank, active_size, active_sum, label_rank, label_size, partition_size;
};

__global__ void groups(Seen *out) {
  cg::thread_block block = cg::this_thread_block();
  int rank = static_cast<int>(block.thread_rank());
  Seen seen = {};
  seen.block_rank = rank;
  seen.block_size = static_cast<int>(block.num_threads());

  auto tile = cg::tiled_partition<8>(block);
  seen.tile_rank = static_cast<int>(tile.thread_rank());
  seen.tile_of_block = static_cast<int>(tile.meta_group_rank());
  seen.tile_sum = cg::reduce(tile, rank, cg::plus<int>());
  seen.tile_greatest = cg::reduce(tile, rank * 3, cg::greater<int>());
  seen.tile_any = tile.any(rank == 9);
  seen.shuffled = tile.shfl(rank, 3);
  seen.before = cg::exclusive_scan(tile, rank);

  if (rank % 3 == 1) {
    cg::coalesced_group active = cg::coalesced_threads();
    // Which threads come together is the machine's choice.
    seen.active_size = static_cast<int>(active.num_threads());
    seen.active_rank = static_cast<int>(active.thread_rank());
    seen.active_sum = cg::reduce(active, 1, cg::plus<int>());
  }
  block.sync();
  auto warp = cg::tiled_partition<32>(block);
  auto labelled = cg::labeled_partition(warp, rank % 5);
  seen.label_rank = static_cast<int>(labelled.thread_rank());
  seen.label_size = static_cast<int>(labelled.num_threads());
  auto halves = cg::binary_partition(warp, rank % 32 < 11);
  seen.partition_size = static_cast<int>(halves.size());
  out[rank] = seen;
}

__global__ void sum(const int *in, int n, int *out) {
  __shared__ int of_warps[32];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int value = 0;
  for (int i = static_cast<int>(block.thread_rank()); i < n; i += static_cast<int>(block.size()))
    value += in[i];
  value = cg::reduce(warp, value, cg::plus<int>());
  if (warp.thread_rank() == 0)
    of_warps[warp.meta_group_rank()] = value;
  cg::sync(block);
  if (warp.meta_group_rank() == 0) {
    value = warp.thread_rank() < warp.meta_group_size() ? of_warps[warp.thread_rank()] : 0;
    value = cg::reduce(warp, value, cg::plus<int>());
    cg::invoke_one(warp, [&] { *out = value; });
  }
}

int main() {
  const int threads = 96;
  DeviceBuffer<Seen> out(threads);
  groups<<<1, threads>>>(out);
  finish_launch();
  std::vector<Seen> host = out.host();
  for (int rank = 0; rank < threads; rank++) {
    const Seen &s = host[rank];
    int first = rank / 8 * 8, lane = rank % 32, warp_first = rank / 32 * 32;
    REQUIRE(s.block_rank == rank && s.block_size == threads);
    REQUIRE(s.tile_rank == rank % 8 && s.tile_of_block == rank / 8);
    REQUIRE(s.tile_sum == 8 * first + 28 && s.tile_greatest == 3 * (first + 7));
    REQUIRE(s.tile_any == (first == 8) && s.shuffled == first + 3);
    int before = 0, label_rank = 0, label_size = 0;
    for (int other = first; other < rank; other++)
      before += other;
    for (int other = warp_first; other < warp_first + 32; other++)
      if (other % 5 == rank % 5) {
        label_rank += other < rank;
        label_size++;
      }
    REQUIRE(s.before == before);
    if (rank % 3 == 1)
      REQUIRE(s.active_sum == s.active_size && s.active_rank < s.active_size);
    REQUIRE(s.label_rank == label_rank && s.label_size == label_size);
    REQUIRE(s.partition_size == (lane < 11 ? 11 : 21));
  }

  const int n = 3001;
  std::vector<int> values(n);
  int expected = 0;
  for (int i = 0; i < n; i++)
    expected += values[i] = i % 91 - 17;
  DeviceBuffer<int> in(values), total(1);
  sum<<<1, 160>>>(in, n, total);
  finish_launch();
  REQUIRE(total.host()[0] == expected);
  std::puts("cooperative_groups: blocks, tiles, coalesced threads");
}
