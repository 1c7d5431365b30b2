//! The values of special registers.

use super::run::Run;
use crate::instruction::SpecialRegister;
use crate::memory::MemoryModel;
use crate::observer::Observer;
use crate::semantics::Plane32;

/// The value of a special register.
pub(super) enum SpecialValue {
    /// The same in all lanes.
    Same(u64),
    /// Of each lane.
    Lanes(Plane32),
}

impl<M: MemoryModel, O: Observer> Run<'_, M, O> {
    /// The value of a special register in warp `w`.
    pub(super) fn special(
        &self,
        special: SpecialRegister,
        id: &[u32; 3],
        resident_index: u64,
        w: usize,
        tid: &[Plane32; 3],
    ) -> SpecialValue {
        let all = SpecialValue::Same;
        let per_lane = |f: fn(u32) -> u32| SpecialValue::Lanes(std::array::from_fn(|i| f(i as u32)));
        let time = self.progress.steps_given - self.progress.steps_left;
        match special {
            SpecialRegister::Tid(axis) => SpecialValue::Lanes(tid[usize::from(axis)]),
            SpecialRegister::Ntid(axis) => all(u64::from(self.config.block[usize::from(axis)])),
            SpecialRegister::Ctaid(axis) => all(u64::from(id[usize::from(axis)])),
            SpecialRegister::Nctaid(axis) => all(u64::from(self.config.grid[usize::from(axis)])),
            SpecialRegister::LaneId => per_lane(|i| i),
            SpecialRegister::WarpId => all(w as u64),
            SpecialRegister::NwarpId => all(u64::from(self.description.max_threads_per_sm / 32)),
            SpecialRegister::SmId => all(resident_index % u64::from(self.description.multiprocessors.max(1))),
            SpecialRegister::NsmId => all(u64::from(self.description.multiprocessors)),
            SpecialRegister::GridId => all(self.grid_id),
            SpecialRegister::MaskEq => per_lane(|i| 1 << i),
            SpecialRegister::MaskLt => per_lane(|i| (1 << i) - 1),
            SpecialRegister::MaskLe => per_lane(|i| (2u64 << i).wrapping_sub(1) as u32),
            SpecialRegister::MaskGt => per_lane(|i| !((2u64 << i).wrapping_sub(1) as u32)),
            SpecialRegister::MaskGe => per_lane(|i| !((1 << i) - 1)),
            // Every instruction takes one cycle, of one nanosecond.
            SpecialRegister::Clock | SpecialRegister::GlobalTimer => all(time),
            SpecialRegister::ClockHigh | SpecialRegister::GlobalTimerHigh => all(time >> 32),
            SpecialRegister::DynamicShared => all(u64::from(self.config.dynamic_shared)),
            SpecialRegister::TotalShared => all(u64::from(self.shared_bytes)),
            SpecialRegister::MeetingHigh => all(self.options.cooperative.unwrap_or(0) >> 32),
            SpecialRegister::MeetingLow => all(self.options.cooperative.unwrap_or(0) & u64::from(u32::MAX)),
            SpecialRegister::Zero => all(0),
            SpecialRegister::One => all(1),
        }
    }
}
