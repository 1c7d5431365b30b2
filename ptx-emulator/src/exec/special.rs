//! The values of special registers.

use super::run::Run;
use crate::memory::MemoryModel;
use crate::observer::Observer;
use crate::op::Special;
use crate::semantics::{LANES, Plane32, Plane64};

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    pub(super) fn special(
        &self,
        special: Special,
        id: &[u32; 3],
        place: u64,
        w: usize,
        tid: &[Plane32; 3],
    ) -> Plane64 {
        let all = |v: u64| [v; LANES];
        let per_lane = |f: fn(u32) -> u32| std::array::from_fn(|i| u64::from(f(i as u32)));
        let time = self.progress.steps_given - self.progress.steps_left;
        match special {
            Special::Tid(axis) => tid[usize::from(axis)].map(u64::from),
            Special::Ntid(axis) => all(u64::from(self.config.block[usize::from(axis)])),
            Special::Ctaid(axis) => all(u64::from(id[usize::from(axis)])),
            Special::Nctaid(axis) => all(u64::from(self.config.grid[usize::from(axis)])),
            Special::LaneId => per_lane(|i| i),
            Special::WarpId => all(w as u64),
            Special::NwarpId => all(u64::from(self.description.max_threads_per_sm / 32)),
            Special::SmId => all(place % u64::from(self.description.multiprocessors.max(1))),
            Special::NsmId => all(u64::from(self.description.multiprocessors)),
            Special::GridId => all(self.grid_id),
            Special::MaskEq => per_lane(|i| 1 << i),
            Special::MaskLt => per_lane(|i| (1 << i) - 1),
            Special::MaskLe => per_lane(|i| (2u64 << i).wrapping_sub(1) as u32),
            Special::MaskGt => per_lane(|i| !((2u64 << i).wrapping_sub(1) as u32)),
            Special::MaskGe => per_lane(|i| !((1 << i) - 1)),
            // One instruction takes one cycle, and one nanosecond.
            Special::Clock | Special::GlobalTimer => all(time),
            Special::ClockHigh | Special::GlobalTimerHigh => all(time >> 32),
            Special::DynamicShared => all(u64::from(self.config.dynamic_shared)),
            Special::TotalShared => all(u64::from(self.shared_bytes)),
            Special::Zero => all(0),
            Special::One => all(1),
        }
    }
}
