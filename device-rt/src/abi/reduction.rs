//! Reductions as clang and flang call them, and the shuffles that their callbacks are made of.

use core::ffi::c_void;

use super::Ident;
use super::callbacks::{BufferCallback, InterWarpCopy, List, ShuffleReduce};

symbols! {
    /// Reductions as clang and flang call them, and the shuffles of their callbacks.
    const REDUCTION for Compilers;

    device {
        use core::cell::Cell;
        use core::num::NonZero;

        use super::layout::{GENERIC_SPMD, IMAGE_SLOT_BYTES};
        use crate::arch::{id, own_copy};
        use crate::arch::warp::{self, ALL_LANES};
        use crate::openmp::query;
        use crate::openmp::team::state;
        use crate::reduce::block;
        use crate::reduce::grid::{self, Callers, ImageSlots, TeamSlots};
        use crate::reduce::list::{
            AccumulateRecords, BlockList, Buffer, DenseRecords, FoldList, FoldRecords, Layout, MOST_MOVED_BYTES,
            StoreRecords, WarpList,
        };
        use crate::shared_array;

        /// What a reduction returns. Only who has the result goes on to read the program's variable: without a mark LLVM
        /// would load it in all threads, while one stores it, if what that one does with it is a condition.
        #[inline(always)]
        fn has_result(has: bool) -> i32 {
            if has {
                own_copy();
            }
            i32::from(has)
        }

        /// Which threads take part in a reduction over teams.
        #[inline(always)]
        fn callers() -> Callers {
            match (state::is_spmd(), state::mode()) {
                (false, _) => Callers::Alone,
                // LLVM puts variables of the team's code into shared memory, one for all threads.
                (true, mode) if mode == u32::from(GENERIC_SPMD) => Callers::OneCopy,
                _ => Callers::Block,
            }
        }

        /// The image's slots, of `stride` bytes each, as records to store `to`; moved to, `first` is their address.
        #[inline(always)]
        fn image_slots(
            to: StoreRecords, stride: u32, first: &Cell<*mut c_void>,
        ) -> ImageSlots<StoreRecords, impl Fn()> {
            let in_use = state::image_slots_in_use();
            let move_to = || first.set(state::image_slots());
            ImageSlots { in_use, bytes: IMAGE_SLOT_BYTES as u64, stride, to, move_to }
        }
    }

    /// Reduces over teams, through a record for each team in the launch's reduction buffer.
    ///
    /// What LLVM 23's compilers call, with LLVM 23's launch environment.
    ///
    /// # Safety
    /// As for [`grid::reduce_teams`].
    #[inline(always)]
    unsafe fn __kmpc_gpu_xteam_reduce_nowait(
        location: Ident, list: List, shfl: ShuffleReduce, iwcpy: InterWarpCopy, lgcpy: BufferCallback,
        glcpy: BufferCallback, glred: BufferCallback,
    ) -> i32 {
        callers: TEAMS, orders: HAND_OVER, result: IN_ONE_TEAM,
    } => {
        // A launch of one team may have no launch environment.
        if id::grid_blocks() == 1 {
            return has_result(callers() == Callers::Alone || id::thread() == 0);
        }
        let (first, delivered) = state::reduction_of_23();
        let bytes = state::reduction_layout().bytes;
        let scratch = shared_array![u64; MOST_MOVED_BYTES / 8].cast();
        let records = DenseRecords { first, bytes, scratch, lgcpy, glcpy, glred };
        // A block reduces through records whose number is a multiple of a warp's size, which are aligned.
        let buffer = records.buffer();
        let (to, from) = (StoreRecords { buffer, lgcpy }, FoldRecords { buffer, glcpy, glred });
        let mut list = FoldList { warp: WarpList { list, shfl }, to, from };
        has_result(grid::reduce_teams_in_own_slots(&mut list, callers, delivered, &records, &records))
    };

    /// Reduces over the threads of the parallel region; bytes is ignored.
    ///
    /// A region of one thread has nothing to combine.
    ///
    /// # Safety
    /// As for [`block::reduce_ordered`].
    #[inline(always)]
    unsafe fn __kmpc_nvptx_parallel_reduce_nowait_v2(
        location: Ident, bytes: u64, list: List, shfl: ShuffleReduce, iwcpy: InterWarpCopy,
    ) -> i32 {
        callers: REGION, orders: AMONG_CALLERS,
        result: "in thread 0 of the region, which gets 1; all others get 0",
    } => {
        if !query::nesting().is_shared() {
            return 1;
        }
        has_result(block::reduce_ordered(&mut BlockList::<true> { list, shfl, iwcpy }, query::threads()))
    };

    /// Reduces over teams, through a buffer of that many records, or fewer if their size is rounded up.
    ///
    /// With the counters of the launch environment. `bytes` is the size of the largest variable times their
    /// number, not that of a record, which the kernel's environment has.
    ///
    /// # Safety
    /// As for [`grid::reduce_teams`]; `buffer` is what `__kmpc_reduction_get_fixed_buffer` returned, with as
    /// many records.
    #[inline(always)]
    #[allow(clippy::too_many_arguments, reason = "the type is that of LLVM's calls")]
    unsafe fn __kmpc_nvptx_teams_reduce_nowait_v2(
        location: Ident, buffer: *mut c_void, records: u32, bytes: u64, list: List, shfl: ShuffleReduce,
        iwcpy: InterWarpCopy, lgcpy: BufferCallback, lgred: BufferCallback, glcpy: BufferCallback,
        glred: BufferCallback,
    ) -> i32 {
        callers: TEAMS, orders: HAND_OVER, result: IN_ONE_TEAM,
    } => {
        let first = Cell::new(buffer);
        let (buffer, image, layout) = match bytes {
            // The size of a naturally aligned record: the buffer is indexed as an array, by a constant.
            1 | 2 | 4 | 8 => {
                let layout = Layout { records, stride: bytes as u32, bytes: bytes as u32 };
                (Buffer::array(&first, bytes), Buffer::array(state::image_slots(), bytes), layout)
            }
            _ => {
                let layout = state::reduction_layout();
                let image = Buffer::laid_out(state::image_slots(), layout, bytes);
                (Buffer::laid_out(&first, layout, bytes), image, layout)
            }
        };
        let records = NonZero::new(layout.records).unwrap_or(NonZero::<u32>::MIN);
        let image = image_slots(StoreRecords { buffer: image, lgcpy }, layout.stride, &first);
        let (to, from) = (StoreRecords { buffer, lgcpy }, FoldRecords { buffer, glcpy, glred });
        let mut list = FoldList { warp: WarpList { list, shfl }, to, from };
        let into = AccumulateRecords { buffer, lgred };
        // A kernel that reduces has a launch environment.
        let control = state::reduction_control();
        let slots = TeamSlots { control, records, to: &to, into: &into, from: &from, image: &image };
        has_result(grid::reduce_teams(&mut list, callers, &slots))
    };

    /// The reduction buffer of the launch.
    ///
    /// # Safety
    /// The launch has a launch environment, as all launches of kernels that reduce over teams have.
    unsafe fn __kmpc_reduction_get_fixed_buffer() -> *mut c_void => state::reduction_buffer();

    /// The value of the lane delta above, in segments of width lanes.
    ///
    /// # Safety
    /// As for [`warp::shuffle_down_in`].
    unsafe fn __kmpc_shuffle_int32(value: i32, delta: i16, width: i16) -> i32 {
        callers: EVERY_LANE, orders: NOTHING, result: SHUFFLED,
    } => warp::shuffle_down_in(ALL_LANES, value as u32, delta as u32, width as u32) as i32;

    /// The value of the lane delta above, in segments of width lanes.
    ///
    /// # Safety
    /// As for [`warp::shuffle_down_in`].
    unsafe fn __kmpc_shuffle_int64(value: i64, delta: i16, width: i16) -> i64 {
        callers: EVERY_LANE, orders: NOTHING, result: SHUFFLED,
    } => {
        let half = |value: i64| warp::shuffle_down_in(ALL_LANES, value as u32, delta as u32, width as u32);
        let (low, high) = (half(value), half(value >> 32));
        i64::from(low) | i64::from(high) << 32
    };
}
