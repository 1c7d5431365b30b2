//! warpfold's own entry points.
//!
//! They are inlined wherever they are called, as are those that clang calls: a list whose callbacks are known
//! then stays in registers. Left to itself, LLVM makes one function of an entry that a module calls twice,
//! with the list in memory.

use core::ffi::c_void;

use super::callbacks::{BufferCallback, InterWarpCopy, List, ShuffleReduce, ShuffleReduceMasked};

symbols! {
    /// Reductions.
    const REDUCTIONS for Kernels;

    device {
        use core::num::NonZero;

        use super::layout::{WORKSPACE_HEADER_BYTES, slots_header_bytes};
        use crate::arch::atomic::Word;
        use crate::arch::{id, warp::lane};
        use crate::reduce::list::{
            AccumulateRecords, BlockList, Buffer, DispersedList, FoldRecords, LoadRecords, StoreRecords, WarpList,
        };
        use crate::reduce::multiprocessor_slots::{self, Slots};
        use crate::reduce::{block, canonical, grid, warp};

        /// The part of a workspace behind its header.
        #[inline(always)]
        fn behind_header(workspace: *mut c_void) -> *mut c_void {
            workspace.wrapping_byte_add(WORKSPACE_HEADER_BYTES)
        }

        /// The records of a workspace with a slot for each block.
        #[inline(always)]
        fn records(workspace: *mut c_void) -> Buffer {
            Buffer::array(behind_header(workspace), u64::MAX)
        }

        /// The slots and the records of a workspace with rows of slots.
        #[inline(always)]
        fn rows_of(workspace: *mut c_void, rows: u32, per_row: u32) -> (Slots, Buffer) {
            let busy: *const Word = behind_header(workspace).cast();
            let filled = busy.wrapping_add(rows as usize);
            let row_count = NonZero::new(rows).unwrap_or(NonZero::<u32>::MIN);
            let slots = Slots { rows: row_count, per_row, busy, filled, delivered: workspace.cast() };
            (slots, Buffer::array(workspace.wrapping_byte_add(slots_header_bytes(rows as usize)), u64::MAX))
        }
    }

    /// Does nothing; kept, it gives a module without line information one line directive.
    ///
    /// ptxas leaves the PTX in the cubin if a single line directive is in it; this function, kept, brings one
    /// where everything else of the runtime was inlined. Weak, because every translation unit keeps it, and a
    /// program has one of them.
    #[linkage = "weak"]
    #[inline(never)]
    fn __warpfold_anchor() => {};

    /// Reduces over all threads of the block.
    ///
    /// # Safety
    /// As for [`block::reduce`].
    #[inline(always)]
    unsafe fn __warpfold_block_reduce(list: List, shfl: ShuffleReduce, iwcpy: InterWarpCopy) -> i32 {
        callers: EVERY_THREAD, orders: BLOCK, result: IN_THREAD_0,
    } => block::reduce(&mut BlockList::<false> { list, shfl, iwcpy }) as i32;

    /// Reduces over the lanes of the warp as a tree of neighbours, and stores the record of a chunk in its slot.
    ///
    /// # Safety
    /// As for [`canonical::store`].
    #[inline(always)]
    unsafe fn __warpfold_chunk_store(
        workspace: *mut c_void, slot: u32, list: List, shfl: ShuffleReduce, lgcpy: BufferCallback,
    ) {
        callers: ALL_LANES, orders: "nothing; the end of the launch orders the slots",
        result: "in the slot, for __warpfold_chunks_finalize",
    } => {
        let to = StoreRecords { buffer: records(workspace), lgcpy };
        canonical::store(&mut WarpList { list, shfl }, slot, lane(id::thread()), &to)
    };

    /// Reduces slots 0 to num_slots-1, which __warpfold_chunk_store filled, as a tree of neighbours.
    ///
    /// # Safety
    /// As for [`canonical::finalize`].
    #[inline(always)]
    unsafe fn __warpfold_chunks_finalize(
        workspace: *mut c_void, num_slots: u32, list: List, shfl: ShuffleReduce, lgcpy: BufferCallback,
        glcpy: BufferCallback,
    ) -> i32 {
        callers: ONE_BLOCK, orders: BLOCK_IF_LARGE,
        result: "in slot 0, and in linear thread 0, which gets 1; all others get 0; without slots all get 0",
    } => {
        let buffer = records(workspace);
        let (to, from) = (StoreRecords { buffer, lgcpy }, LoadRecords { buffer, glcpy });
        canonical::finalize(&mut WarpList { list, shfl }, num_slots, &to, &from) as i32
    };

    /// Folds slots 0 to num_slots-1 of a workspace that __warpfold_grid_store filled.
    ///
    /// # Safety
    /// As for [`grid::finalize`].
    #[inline(always)]
    unsafe fn __warpfold_grid_finalize(
        workspace: *mut c_void, num_slots: u32, list: List, shfl: ShuffleReduce, iwcpy: InterWarpCopy,
        glcpy: BufferCallback, glred: BufferCallback,
    ) -> i32 {
        callers: ONE_BLOCK, orders: BLOCK_IF_LARGE,
        result: "in linear thread 0, which gets 1; all others get 0; without slots all get 0",
    } => {
        let from = FoldRecords { buffer: records(workspace), glcpy, glred };
        grid::finalize(&mut BlockList::<false> { list, shfl, iwcpy }, num_slots, &from) as i32
    };

    /// Reduces over all threads of the grid, through one slot of the workspace for each block.
    ///
    /// # Safety
    /// As for [`grid::reduce`]; the first word of the workspace counts.
    #[inline(always)]
    unsafe fn __warpfold_grid_reduce(
        workspace: *mut c_void, list: List, shfl: ShuffleReduce, iwcpy: InterWarpCopy, lgcpy: BufferCallback,
        glcpy: BufferCallback, glred: BufferCallback,
    ) -> i32 {
        callers: GRID, orders: HAND_OVER, result: IN_ONE_THREAD,
    } => {
        let buffer = records(workspace);
        let (to, from) = (StoreRecords { buffer, lgcpy }, FoldRecords { buffer, glcpy, glred });
        grid::reduce(&mut BlockList::<false> { list, shfl, iwcpy }, workspace.cast(), &to, &from) as i32
    };

    /// Reduces over all threads of the block and stores the record in the block's slot.
    ///
    /// # Safety
    /// As for [`grid::store`].
    #[inline(always)]
    unsafe fn __warpfold_grid_store(
        workspace: *mut c_void, list: List, shfl: ShuffleReduce, iwcpy: InterWarpCopy, lgcpy: BufferCallback,
    ) {
        callers: EVERY_THREAD, orders: "as __warpfold_block_reduce; the end of the launch orders the slots",
        result: "in the slots, for __warpfold_grid_finalize",
    } => {
        let to = StoreRecords { buffer: records(workspace), lgcpy };
        grid::store(&mut BlockList::<false> { list, shfl, iwcpy }, &to)
    };

    /// Reduces over all threads of the block and combines the record into a slot of the multiprocessor's row.
    ///
    /// # Safety
    /// As for [`multiprocessor_slots::accumulate`].
    #[inline(always)]
    unsafe fn __warpfold_slots_accumulate(
        workspace: *mut c_void, rows: u32, per_row: u32, list: List, shfl: ShuffleReduce,
        iwcpy: InterWarpCopy, lgcpy: BufferCallback, lgred: BufferCallback,
    ) {
        callers: EVERY_THREAD,
        orders: "as __warpfold_block_reduce; what earlier users of the slot did happens before what this one does",
        result: "in the slots, for __warpfold_slots_finalize",
    } => {
        let (slots, buffer) = rows_of(workspace, rows, per_row);
        let (to, into) = (StoreRecords { buffer, lgcpy }, AccumulateRecords { buffer, lgred });
        multiprocessor_slots::accumulate(&mut BlockList::<false> { list, shfl, iwcpy }, &slots, &to, &into)
    };

    /// Folds the filled slots of a workspace that __warpfold_slots_accumulate used.
    ///
    /// # Safety
    /// As for [`multiprocessor_slots::finalize`].
    #[inline(always)]
    unsafe fn __warpfold_slots_finalize(
        workspace: *mut c_void, rows: u32, per_row: u32, list: List, shfl: ShuffleReduce,
        iwcpy: InterWarpCopy, glcpy: BufferCallback, glred: BufferCallback,
    ) -> i32 {
        callers: ONE_BLOCK, orders: BLOCK,
        result: "in linear thread 0, which gets 1; all others get 0; without filled slots all get 0",
    } => {
        let (slots, buffer) = rows_of(workspace, rows, per_row);
        let from = FoldRecords { buffer, glcpy, glred };
        multiprocessor_slots::finalize(&mut BlockList::<false> { list, shfl, iwcpy }, &slots, &from) as i32
    };

    /// Reduces over all threads of the grid, through the slots of a row for each multiprocessor.
    ///
    /// # Safety
    /// As for [`multiprocessor_slots::reduce`].
    #[inline(always)]
    unsafe fn __warpfold_slots_reduce(
        workspace: *mut c_void, rows: u32, per_row: u32, list: List, shfl: ShuffleReduce,
        iwcpy: InterWarpCopy, lgcpy: BufferCallback, lgred: BufferCallback, glcpy: BufferCallback,
        glred: BufferCallback,
    ) -> i32 {
        callers: GRID, orders: HAND_OVER, result: IN_ONE_THREAD,
    } => {
        let (slots, buffer) = rows_of(workspace, rows, per_row);
        let (to, into) = (StoreRecords { buffer, lgcpy }, AccumulateRecords { buffer, lgred });
        let from = FoldRecords { buffer, glcpy, glred };
        multiprocessor_slots::reduce(&mut BlockList::<false> { list, shfl, iwcpy }, &slots, &to, &into, &from) as i32
    };

    /// Reduces over lanes 0 to size-1 of the warp, size <= 32; lane is the caller's own.
    ///
    /// # Safety
    /// As for [`warp::reduce_contiguous`].
    #[inline(always)]
    unsafe fn __warpfold_warp_reduce_contiguous(list: List, shfl: ShuffleReduce, size: u32, lane: u32) {
        callers: EVERY_LANE, orders: NOTHING, result: IN_LANE_0,
    } => warp::reduce_contiguous(&mut WarpList { list, shfl }, size, lane);

    /// Reduces over the lanes of a mask, in their order.
    ///
    /// # Safety
    /// As for [`warp::reduce_dispersed`].
    #[inline(always)]
    unsafe fn __warpfold_warp_reduce_dispersed(list: List, shfl: ShuffleReduceMasked, mask: u32) -> i32 {
        callers: LANES_OF_MASK, orders: NOTHING, result: IN_LOWEST_LANE,
    } => warp::reduce_dispersed(&mut DispersedList { list, shfl }, mask, lane(id::thread())) as i32;

    /// Reduces over all 32 lanes of the warp.
    ///
    /// # Safety
    /// As for [`warp::reduce_full`].
    #[inline(always)]
    unsafe fn __warpfold_warp_reduce_full(list: List, shfl: ShuffleReduce) {
        callers: ALL_LANES, orders: NOTHING, result: IN_LANE_0,
    } => warp::reduce_full(&mut WarpList { list, shfl });

    /// Reduces over linear threads 0 to size-1 of the block.
    ///
    /// # Safety
    /// As for [`block::reduce_first`].
    #[inline(always)]
    unsafe fn gpu_irregular_block_reduce(list: List, shfl: ShuffleReduce, iwcpy: InterWarpCopy, size: u32) {
        callers: EVERY_THREAD, orders: BLOCK_IF_LARGE, result: "in linear thread 0",
    } => {
        block::reduce_first(&mut BlockList::<false> { list, shfl, iwcpy }, size);
    };

    /// Another name of __warpfold_warp_reduce_dispersed, without a returned value.
    ///
    /// # Safety
    /// As for [`warp::reduce_dispersed`].
    #[inline(always)]
    unsafe fn gpu_irregular_simt_reduce(list: List, shfl: ShuffleReduceMasked, mask: u32) {
        callers: LANES_OF_MASK, orders: NOTHING, result: "in the lowest lane of the mask",
    } => {
        warp::reduce_dispersed(&mut DispersedList { list, shfl }, mask, lane(id::thread()));
    };

    /// Another name of __warpfold_warp_reduce_contiguous.
    ///
    /// # Safety
    /// As for [`warp::reduce_contiguous`].
    #[inline(always)]
    unsafe fn gpu_irregular_warp_reduce(list: List, shfl: ShuffleReduce, size: u32, lane: u32) {
        callers: EVERY_LANE, orders: NOTHING, result: IN_LANE_0,
    } => warp::reduce_contiguous(&mut WarpList { list, shfl }, size, lane);

    /// Another name of __warpfold_warp_reduce_full.
    ///
    /// # Safety
    /// As for [`warp::reduce_full`].
    #[inline(always)]
    unsafe fn gpu_regular_warp_reduce(list: List, shfl: ShuffleReduce) {
        callers: ALL_LANES, orders: NOTHING, result: IN_LANE_0,
    } => warp::reduce_full(&mut WarpList { list, shfl });
}
