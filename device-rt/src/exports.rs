//! The one table of the symbols that the device builds export: prototypes, meanings and contracts.
//!
//! The C header is made of it ([`c_header`](crate::c_header)), and tests compare it with the bitcode.

use std::format;
use std::string::String;
use std::vec::Vec;

/// One exported symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// Its symbol.
    pub name: &'static str,
    /// What kind of symbol it is.
    pub kind: Kind,
    /// What it does or holds, in one line.
    pub meaning: &'static str,
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function.
    Function {
        /// Names and types of its parameters.
        parameters: &'static [(&'static str, Type)],
        /// What it returns.
        returns: Type,
        /// What its callers must keep to and may rely on.
        contract: Contract,
    },
    /// A variable of the module.
    Variable {
        /// How many bytes it has.
        bytes: u32,
        /// The number of its address space.
        space: u32,
    },
}

/// What callers of a function must keep to, and what they may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Who calls it, with which lanes.
    pub callers: &'static str,
    /// Which memory it orders among whom.
    pub orders: &'static str,
    /// Who holds the result, and what is returned to whom.
    pub result: &'static str,
}

macro_rules! types {
    ($($(#[$doc:meta])* $name:ident $c:literal $llvm:literal)*) => {
        /// The type of a parameter or of what is returned.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Type {
            $($(#[$doc])* $name),*
        }

        impl Type {
            /// As a C declaration has it before the name.
            pub const fn c(self) -> &'static str {
                match self { $(Type::$name => $c),* }
            }

            /// As LLVM IR writes it.
            pub const fn llvm(self) -> &'static str {
                match self { $(Type::$name => $llvm),* }
            }
        }
    };
}

types! {
    /// Nothing is returned.
    Void "void " "void"
    /// 8 bits, unsigned.
    U8 "uint8_t " "i8"
    /// 16 bits, signed.
    I16 "int16_t " "i16"
    /// 32 bits, signed.
    I32 "int32_t " "i32"
    /// 32 bits, unsigned.
    U32 "uint32_t " "i32"
    /// 64 bits, signed.
    I64 "int64_t " "i64"
    /// 64 bits, unsigned.
    U64 "uint64_t " "i64"
    /// Any memory.
    Pointer "void *" "ptr"
    /// Memory that is only read.
    ConstPointer "const void *" "ptr"
    /// An array of pointers.
    Pointers "void **" "ptr"
    /// A word.
    I32Pointer "int32_t *" "ptr"
    /// A word.
    U32Pointer "uint32_t *" "ptr"
    /// Two words.
    I64Pointer "int64_t *" "ptr"
    /// Two words.
    U64Pointer "uint64_t *" "ptr"
    /// A number.
    F32Pointer "float *" "ptr"
    /// A number.
    F64Pointer "double *" "ptr"
    /// What the compiler says of a kernel.
    KernelEnvironment "const warpfold_kernel_environment *" "ptr"
    /// What the host says of a launch.
    LaunchEnvironment "warpfold_launch_environment *" "ptr"
    /// Combines with another lane.
    ShuffleReduce "warpfold_shuffle_reduce_fn *" "ptr"
    /// Combines with another lane of a mask.
    ShuffleReduceMasked "warpfold_shuffle_reduce_masked_fn *" "ptr"
    /// Combines with another lane, without a choice of algorithm.
    SwapReduce "warpfold_swap_reduce_fn *" "ptr"
    /// Moves values between warps.
    InterWarpCopy "warpfold_inter_warp_copy_fn *" "ptr"
    /// The body of a loop, numbered by 32 bits.
    LoopBody32 "warpfold_loop_body_32_fn *" "ptr"
    /// The body of a loop, numbered by 64 bits.
    LoopBody64 "warpfold_loop_body_64_fn *" "ptr"
    /// Moves values between a list and a record.
    BufferCallback "warpfold_buffer_fn *" "ptr"
}

impl Export {
    /// Its type as LLVM IR writes it; of a variable with its address space.
    pub fn llvm(&self) -> String {
        match self.kind {
            Kind::Function { parameters, returns, .. } => {
                let types: Vec<&str> = parameters.iter().map(|(_, ty)| ty.llvm()).collect();
                format!("{} ({})", returns.llvm(), types.join(", "))
            }
            Kind::Variable { bytes, space } => format!("[{bytes} x i8] addrspace({space})"),
        }
    }

    /// Its declaration in C, without attributes.
    pub fn c(&self) -> String {
        match self.kind {
            Kind::Function { parameters: [], returns, .. } => format!("{}{}(void)", returns.c(), self.name),
            Kind::Function { parameters, returns, .. } => {
                let declared: Vec<String> =
                    parameters.iter().map(|(name, ty)| format!("{}{name}", ty.c())).collect();
                format!("{}{}({})", returns.c(), self.name, declared.join(", "))
            }
            Kind::Variable { bytes, .. } => format!("unsigned char {}[{bytes}]", self.name),
        }
    }
}

macro_rules! exports {
    ($(
        $(#[$doc:meta])*
        $table:ident, $names:ident {
            $(
                #[doc = $meaning:literal]
                fn $name:ident($($parameter:ident: $ty:ident),* $(,)?) -> $returns:ident {
                    callers: $callers:expr,
                    orders: $orders:expr,
                    result: $result:expr $(,)?
                }
            )*
            $(variables {
                $(
                    #[doc = $held:literal]
                    static $variable:ident: $bytes:literal bytes in $space:literal;
                )*
            })?
        }
    )*) => {$(
        $(#[$doc])*
        pub const $table: &[Export] = &[
            $(Export {
                name: stringify!($name),
                kind: Kind::Function {
                    parameters: &[$((stringify!($parameter), Type::$ty)),*],
                    returns: Type::$returns,
                    contract: Contract { callers: $callers, orders: $orders, result: $result },
                },
                meaning: $meaning.trim_ascii(),
            },)*
            $($(Export {
                name: stringify!($variable),
                kind: Kind::Variable { bytes: $bytes, space: $space },
                meaning: $held.trim_ascii(),
            },)*)?
        ];

        #[doc = concat!("The names of [`", stringify!($table), "`].")]
        pub const $names: &[&str] = &[$(stringify!($name),)* $($(stringify!($variable),)*)?];
    )*};
}

const EVERY_THREAD: &str = "every thread of the block, converged";
const EVERY_LANE: &str = "every lane of the warp that exists, converged";
const GRID: &str = "every thread of the grid, each block converged; blocks need not run at the same time";
const ONE_BLOCK: &str = "every thread of the one block of a later launch, converged";
const ALONE: &str = "any thread, by itself";
const REGION: &str = "every thread of the parallel region";
const NOTHING: &str = "nothing";
const BLOCK_MEMORY: &str =
    "with more than 32 threads all memory among the threads of the block, else nothing";
const HAND_OVER: &str = "whatever comes before the call in each block's linear thread 0 comes before the return in the thread that gets 1";
const NONE: &str = "none";
const IN_LANE_0: &str = "in lane 0";
const IN_THREAD_0: &str = "in linear thread 0, which gets 1; all others get 0";
const IN_LEADERS: &str = "in lane 0 of every warp; linear thread 0 gets 1, all others 0";
const IN_ONE_THREAD: &str = "in linear thread 0 of one block, which gets 1; all others of the grid get 0";
const TEAMS: &str = "of each team linear thread 0, which holds the team's value, and either all its other threads, \
                     converged, or none, because they have exited; teams need not run at the same time";
const SHARED_LOOP: &str = "the first of the caller's chunks in *lower to *upper, both inclusive, the distance to its \
                           next one in *stride, and in *last whether it has the loop's last iteration";
const SHUFFLED: &str =
    "returned to each caller; a lane without one delta above it in its segment gets its own value";

exports! {
    /// The reductions for kernels of our own and of other generators.
    REDUCTION_EXPORTS, REDUCTION_NAMES {
        /// Does nothing; kept, it gives a module without line information one line directive.
        fn __warpfold_anchor() -> Void { callers: ALONE, orders: NOTHING, result: NONE }

        /// Reduces over all threads of the block.
        fn __warpfold_block_reduce(list: Pointer, shfl: ShuffleReduce, iwcpy: InterWarpCopy) -> I32 {
            callers: EVERY_THREAD, orders: BLOCK_MEMORY, result: IN_THREAD_0,
        }

        /// Folds slots 0 to num_slots-1 of a workspace that __warpfold_grid_store filled.
        fn __warpfold_grid_finalize(
            workspace: Pointer, num_slots: U32, list: Pointer, shfl: ShuffleReduce, iwcpy: InterWarpCopy,
            glcpy: BufferCallback, glred: BufferCallback,
        ) -> I32 {
            callers: ONE_BLOCK, orders: BLOCK_MEMORY,
            result: "in linear thread 0, which gets 1; all others get 0; without slots all do",
        }

        /// Reduces over all threads of the grid, through one slot of the workspace for each block.
        fn __warpfold_grid_reduce(
            workspace: Pointer, list: Pointer, shfl: ShuffleReduce, iwcpy: InterWarpCopy,
            lgcpy: BufferCallback, glcpy: BufferCallback, glred: BufferCallback,
        ) -> I32 {
            callers: GRID, orders: HAND_OVER, result: IN_ONE_THREAD,
        }

        /// Reduces over all threads of the block and stores the record in the block's slot.
        fn __warpfold_grid_store(
            workspace: Pointer, list: Pointer, shfl: ShuffleReduce, iwcpy: InterWarpCopy, lgcpy: BufferCallback,
        ) -> Void {
            callers: EVERY_THREAD, orders: "as __warpfold_block_reduce; the end of the launch orders the slots",
            result: "in the slots, for __warpfold_grid_finalize",
        }

        /// Reduces over all threads of the block and combines the record into a slot of the multiprocessor's row.
        fn __warpfold_slots_accumulate(
            workspace: Pointer, rows: U32, per_row: U32, list: Pointer, shfl: ShuffleReduce,
            iwcpy: InterWarpCopy, lgcpy: BufferCallback, lgred: BufferCallback,
        ) -> Void {
            callers: EVERY_THREAD,
            orders: "as __warpfold_block_reduce, and whatever the slot's earlier users did before what this one does",
            result: "in the slots, for __warpfold_slots_finalize",
        }

        /// Folds the filled slots of a workspace that __warpfold_slots_accumulate used.
        fn __warpfold_slots_finalize(
            workspace: Pointer, rows: U32, per_row: U32, list: Pointer, shfl: ShuffleReduce,
            iwcpy: InterWarpCopy, glcpy: BufferCallback, glred: BufferCallback,
        ) -> I32 {
            callers: ONE_BLOCK, orders: "all memory among the threads of the block",
            result: "in linear thread 0, which gets 1; all others get 0; without filled slots all do",
        }

        /// Reduces over all threads of the grid, through the slots of a row for each multiprocessor.
        fn __warpfold_slots_reduce(
            workspace: Pointer, rows: U32, per_row: U32, list: Pointer, shfl: ShuffleReduce,
            iwcpy: InterWarpCopy, lgcpy: BufferCallback, lgred: BufferCallback, glcpy: BufferCallback,
            glred: BufferCallback,
        ) -> I32 {
            callers: GRID, orders: HAND_OVER, result: IN_ONE_THREAD,
        }

        /// Reduces over lanes 0 to size-1 of the warp, size <= 32; lane is the caller's own.
        fn __warpfold_warp_reduce_contiguous(list: Pointer, shfl: ShuffleReduce, size: U32, lane: U32) -> Void {
            callers: EVERY_LANE, orders: NOTHING, result: IN_LANE_0,
        }

        /// Reduces over the lanes of a mask, in their order.
        fn __warpfold_warp_reduce_dispersed(list: Pointer, shfl: ShuffleReduceMasked, mask: U32) -> I32 {
            callers: "the lanes of the mask, each with the same mask; they need not be converged",
            orders: NOTHING,
            result: "in the lowest lane of the mask, which gets 1; the others get 0",
        }

        /// Reduces over all 32 lanes of the warp.
        fn __warpfold_warp_reduce_full(list: Pointer, shfl: ShuffleReduce) -> Void {
            callers: "all 32 lanes of the warp, converged", orders: NOTHING, result: IN_LANE_0,
        }

        /// Baseline: whether LLVM's first runtime could reduce a block of so many threads by a tree.
        fn can_block_reduce(region_threads: U32, active_lanes: U32) -> I32 {
            callers: ALONE, orders: NOTHING, result: "1 or 0, returned to each caller",
        }

        /// Reduces over linear threads 0 to size-1 of the block.
        fn gpu_irregular_block_reduce(list: Pointer, shfl: ShuffleReduce, iwcpy: InterWarpCopy, size: U32) -> Void {
            callers: EVERY_THREAD, orders: BLOCK_MEMORY, result: "in linear thread 0",
        }

        /// __warpfold_warp_reduce_dispersed without an answer.
        fn gpu_irregular_simt_reduce(list: Pointer, shfl: ShuffleReduceMasked, mask: U32) -> Void {
            callers: "the lanes of the mask, each with the same mask; they need not be converged",
            orders: NOTHING,
            result: "in the lowest lane of the mask",
        }

        /// __warpfold_warp_reduce_contiguous under the design's name.
        fn gpu_irregular_warp_reduce(list: Pointer, shfl: ShuffleReduce, size: U32, lane: U32) -> Void {
            callers: EVERY_LANE, orders: NOTHING, result: IN_LANE_0,
        }

        /// __warpfold_warp_reduce_full under the design's name.
        fn gpu_regular_warp_reduce(list: Pointer, shfl: ShuffleReduce) -> Void {
            callers: "all 32 lanes of the warp, converged", orders: NOTHING, result: IN_LANE_0,
        }

        /// Baseline: sums the values of lane 0 of every warp.
        fn kmpc_reduce_block_double(value: F64Pointer) -> I32 {
            callers: EVERY_THREAD, orders: "all memory among the threads of the block", result: IN_LEADERS,
        }

        /// Baseline: sums the values of lane 0 of every warp.
        fn kmpc_reduce_block_float(value: F32Pointer) -> I32 {
            callers: EVERY_THREAD, orders: "all memory among the threads of the block", result: IN_LEADERS,
        }

        /// Baseline: sums the values of lane 0 of every warp.
        fn kmpc_reduce_block_int32(value: I32Pointer) -> I32 {
            callers: EVERY_THREAD, orders: "all memory among the threads of the block", result: IN_LEADERS,
        }

        /// Baseline: sums the values of lane 0 of every warp.
        fn kmpc_reduce_block_int64(value: I64Pointer) -> I32 {
            callers: EVERY_THREAD, orders: "all memory among the threads of the block", result: IN_LEADERS,
        }

        /// Baseline: reduces over the warp; the block stage is to follow, variable by variable.
        fn kmpc_reduce_warp(list: Pointer, swap: SwapReduce, in_simd_region: I32) -> I32 {
            callers: EVERY_LANE, orders: NOTHING,
            result: "in lane 0; in a simd region it gets 1 and the others 0, otherwise all get 3",
        }
    }

    /// What clang and flang call, and what they and libomptarget find by name.
    OPENMP_EXPORTS, OPENMP_NAMES {
        /// The barrier of the parallel region, or of the team outside one.
        fn __kmpc_barrier(location: ConstPointer, thread: I32) -> Void {
            callers: REGION, orders: "all memory among the callers", result: NONE,
        }

        /// The barrier of the block.
        fn __kmpc_barrier_simple_spmd(location: ConstPointer, thread: I32) -> Void {
            callers: EVERY_THREAD, orders: "all memory among the threads of the block", result: NONE,
        }

        /// Ends a loop that teams share: does nothing.
        fn __kmpc_distribute_static_fini(location: ConstPointer, thread: I32) -> Void {
            callers: ALONE, orders: NOTHING, result: NONE,
        }

        /// The caller's team's part of a loop over signed 32-bit numbers.
        fn __kmpc_distribute_static_init_4(
            location: ConstPointer, thread: I32, schedule: I32, last: I32Pointer, lower: I32Pointer,
            upper: I32Pointer, stride: I32Pointer, increment: I32, chunk: I32,
        ) -> Void {
            callers: ALONE, orders: NOTHING, result: SHARED_LOOP,
        }

        /// The caller's team's part of a loop over unsigned 32-bit numbers.
        fn __kmpc_distribute_static_init_4u(
            location: ConstPointer, thread: I32, schedule: I32, last: I32Pointer, lower: U32Pointer,
            upper: U32Pointer, stride: I32Pointer, increment: I32, chunk: I32,
        ) -> Void {
            callers: ALONE, orders: NOTHING, result: SHARED_LOOP,
        }

        /// The caller's team's part of a loop over signed 64-bit numbers.
        fn __kmpc_distribute_static_init_8(
            location: ConstPointer, thread: I32, schedule: I32, last: I32Pointer, lower: I64Pointer,
            upper: I64Pointer, stride: I64Pointer, increment: I64, chunk: I64,
        ) -> Void {
            callers: ALONE, orders: NOTHING, result: SHARED_LOOP,
        }

        /// The caller's team's part of a loop over unsigned 64-bit numbers.
        fn __kmpc_distribute_static_init_8u(
            location: ConstPointer, thread: I32, schedule: I32, last: I32Pointer, lower: U64Pointer,
            upper: U64Pointer, stride: I64Pointer, increment: I64, chunk: I64,
        ) -> Void {
            callers: ALONE, orders: NOTHING, result: SHARED_LOOP,
        }

        /// Ends a loop that threads share: does nothing.
        fn __kmpc_for_static_fini(location: ConstPointer, thread: I32) -> Void {
            callers: ALONE, orders: NOTHING, result: NONE,
        }

        /// The caller's part of a loop over signed 32-bit numbers.
        fn __kmpc_for_static_init_4(
            location: ConstPointer, thread: I32, schedule: I32, last: I32Pointer, lower: I32Pointer,
            upper: I32Pointer, stride: I32Pointer, increment: I32, chunk: I32,
        ) -> Void {
            callers: ALONE, orders: NOTHING, result: SHARED_LOOP,
        }

        /// The caller's part of a loop over unsigned 32-bit numbers.
        fn __kmpc_for_static_init_4u(
            location: ConstPointer, thread: I32, schedule: I32, last: I32Pointer, lower: U32Pointer,
            upper: U32Pointer, stride: I32Pointer, increment: I32, chunk: I32,
        ) -> Void {
            callers: ALONE, orders: NOTHING, result: SHARED_LOOP,
        }

        /// The caller's part of a loop over signed 64-bit numbers.
        fn __kmpc_for_static_init_8(
            location: ConstPointer, thread: I32, schedule: I32, last: I32Pointer, lower: I64Pointer,
            upper: I64Pointer, stride: I64Pointer, increment: I64, chunk: I64,
        ) -> Void {
            callers: ALONE, orders: NOTHING, result: SHARED_LOOP,
        }

        /// The caller's part of a loop over unsigned 64-bit numbers.
        fn __kmpc_for_static_init_8u(
            location: ConstPointer, thread: I32, schedule: I32, last: I32Pointer, lower: U64Pointer,
            upper: U64Pointer, stride: I64Pointer, increment: I64, chunk: I64,
        ) -> Void {
            callers: ALONE, orders: NOTHING, result: SHARED_LOOP,
        }

        /// Runs the caller's iterations of a loop that is dealt to teams, and each team's chunks to its threads.
        fn __kmpc_distribute_for_static_loop_4(
            location: ConstPointer, body: LoopBody32, argument: Pointer, trips: U32, threads: U32, block_chunk: U32,
            thread_chunk: U32, once: U8,
        ) -> Void {
            callers: REGION, orders: NOTHING, result: NONE,
        }

        /// Runs the caller's iterations of a loop that is dealt to teams, and each team's chunks to its threads.
        fn __kmpc_distribute_for_static_loop_4u(
            location: ConstPointer, body: LoopBody32, argument: Pointer, trips: U32, threads: U32, block_chunk: U32,
            thread_chunk: U32, once: U8,
        ) -> Void {
            callers: REGION, orders: NOTHING, result: NONE,
        }

        /// Runs the caller's iterations of a loop that is dealt to teams, and each team's chunks to its threads.
        fn __kmpc_distribute_for_static_loop_8(
            location: ConstPointer, body: LoopBody64, argument: Pointer, trips: U64, threads: U64, block_chunk: U64,
            thread_chunk: U64, once: U8,
        ) -> Void {
            callers: REGION, orders: NOTHING, result: NONE,
        }

        /// Runs the caller's iterations of a loop that is dealt to teams, and each team's chunks to its threads.
        fn __kmpc_distribute_for_static_loop_8u(
            location: ConstPointer, body: LoopBody64, argument: Pointer, trips: U64, threads: U64, block_chunk: U64,
            thread_chunk: U64, once: U8,
        ) -> Void {
            callers: REGION, orders: NOTHING, result: NONE,
        }

        /// Runs the caller's iterations of a loop that is dealt to teams, block_chunk (or 1) at a time.
        fn __kmpc_distribute_static_loop_4(
            location: ConstPointer, body: LoopBody32, argument: Pointer, trips: U32, block_chunk: U32, once: U8,
        ) -> Void {
            callers: ALONE, orders: NOTHING, result: NONE,
        }

        /// Runs the caller's iterations of a loop that is dealt to teams, block_chunk (or 1) at a time.
        fn __kmpc_distribute_static_loop_4u(
            location: ConstPointer, body: LoopBody32, argument: Pointer, trips: U32, block_chunk: U32, once: U8,
        ) -> Void {
            callers: ALONE, orders: NOTHING, result: NONE,
        }

        /// Runs the caller's iterations of a loop that is dealt to teams, block_chunk (or 1) at a time.
        fn __kmpc_distribute_static_loop_8(
            location: ConstPointer, body: LoopBody64, argument: Pointer, trips: U64, block_chunk: U64, once: U8,
        ) -> Void {
            callers: ALONE, orders: NOTHING, result: NONE,
        }

        /// Runs the caller's iterations of a loop that is dealt to teams, block_chunk (or 1) at a time.
        fn __kmpc_distribute_static_loop_8u(
            location: ConstPointer, body: LoopBody64, argument: Pointer, trips: U64, block_chunk: U64, once: U8,
        ) -> Void {
            callers: ALONE, orders: NOTHING, result: NONE,
        }

        /// Runs the caller's iterations of a loop that is dealt to threads, thread_chunk (or 1) at a time.
        fn __kmpc_for_static_loop_4(
            location: ConstPointer, body: LoopBody32, argument: Pointer, trips: U32, threads: U32, thread_chunk: U32,
            once: U8,
        ) -> Void {
            callers: REGION, orders: NOTHING, result: NONE,
        }

        /// Runs the caller's iterations of a loop that is dealt to threads, thread_chunk (or 1) at a time.
        fn __kmpc_for_static_loop_4u(
            location: ConstPointer, body: LoopBody32, argument: Pointer, trips: U32, threads: U32, thread_chunk: U32,
            once: U8,
        ) -> Void {
            callers: REGION, orders: NOTHING, result: NONE,
        }

        /// Runs the caller's iterations of a loop that is dealt to threads, thread_chunk (or 1) at a time.
        fn __kmpc_for_static_loop_8(
            location: ConstPointer, body: LoopBody64, argument: Pointer, trips: U64, threads: U64, thread_chunk: U64,
            once: U8,
        ) -> Void {
            callers: REGION, orders: NOTHING, result: NONE,
        }

        /// Runs the caller's iterations of a loop that is dealt to threads, thread_chunk (or 1) at a time.
        fn __kmpc_for_static_loop_8u(
            location: ConstPointer, body: LoopBody64, argument: Pointer, trips: U64, threads: U64, thread_chunk: U64,
            once: U8,
        ) -> Void {
            callers: REGION, orders: NOTHING, result: NONE,
        }

        /// How many blocks the grid has.
        fn __kmpc_get_hardware_num_blocks() -> I32 {
            callers: ALONE, orders: NOTHING, result: "returned to each caller",
        }

        /// How many threads the block has.
        fn __kmpc_get_hardware_num_threads_in_block() -> I32 {
            callers: ALONE, orders: NOTHING, result: "returned to each caller",
        }

        /// The linear number of the thread in its block.
        fn __kmpc_get_hardware_thread_id_in_block() -> I32 {
            callers: ALONE, orders: NOTHING, result: "returned to each caller",
        }

        /// How many lanes a warp has: 32.
        fn __kmpc_get_warp_size() -> I32 { callers: ALONE, orders: NOTHING, result: "returned to each caller" }

        /// The number of the thread in its parallel region.
        fn __kmpc_global_thread_num(location: ConstPointer) -> I32 {
            callers: ALONE, orders: NOTHING, result: "returned to each caller",
        }

        /// Reduces over teams, through one record for each of them.
        fn __kmpc_gpu_xteam_reduce_nowait(
            location: ConstPointer, list: Pointer, shfl: ShuffleReduce, iwcpy: InterWarpCopy,
            lgcpy: BufferCallback, glcpy: BufferCallback, glred: BufferCallback,
        ) -> I32 {
            callers: TEAMS, orders: HAND_OVER, result: IN_ONE_THREAD,
        }

        /// Reduces over the threads of the parallel region; bytes is not looked at.
        fn __kmpc_nvptx_parallel_reduce_nowait_v2(
            location: ConstPointer, bytes: U64, list: Pointer, shfl: ShuffleReduce, iwcpy: InterWarpCopy,
        ) -> I32 {
            callers: REGION,
            orders: "with more than 32 threads all memory among the callers, else nothing",
            result: "in thread 0 of the region, which gets 1; all others get 0",
        }

        /// Reduces over teams, through a buffer of that many records; bytes is not looked at.
        fn __kmpc_nvptx_teams_reduce_nowait_v2(
            location: ConstPointer, buffer: Pointer, records: U32, bytes: U64, list: Pointer,
            shfl: ShuffleReduce, iwcpy: InterWarpCopy, lgcpy: BufferCallback, lgred: BufferCallback,
            glcpy: BufferCallback, glred: BufferCallback,
        ) -> I32 {
            callers: TEAMS, orders: HAND_OVER, result: IN_ONE_THREAD,
        }

        /// Calls an outlined function in the threads of a new parallel region, with count captured values.
        fn __kmpc_parallel_60(
            location: ConstPointer, thread: I32, condition: I32, num_threads: I32, proc_bind: I32,
            outlined: ConstPointer, wrapper: ConstPointer, captured: Pointers, count: U64, strict: I32,
        ) -> Void {
            callers: "outside a region every thread of the block, converged; inside one whoever starts it, alone",
            orders: "at the end of an outermost region all memory among the threads of the block",
            result: NONE,
        }

        /// The reduction buffer of the launch, or null.
        fn __kmpc_reduction_get_fixed_buffer() -> Pointer {
            callers: ALONE, orders: NOTHING, result: "returned to each caller",
        }

        /// The value of the lane delta above, in segments of width lanes.
        fn __kmpc_shuffle_int32(value: I32, delta: I16, width: I16) -> I32 {
            callers: EVERY_LANE, orders: NOTHING, result: SHUFFLED,
        }

        /// The value of the lane delta above, in segments of width lanes.
        fn __kmpc_shuffle_int64(value: I64, delta: I16, width: I16) -> I64 {
            callers: EVERY_LANE, orders: NOTHING, result: SHUFFLED,
        }

        /// Ends a kernel.
        fn __kmpc_target_deinit() -> Void {
            callers: "every thread that __kmpc_target_init told to run the body", orders: NOTHING, result: NONE,
        }

        /// Starts a kernel.
        fn __kmpc_target_init(environment: KernelEnvironment, launch: LaunchEnvironment) -> I32 {
            callers: "every thread of the block, converged, before anything else of the runtime",
            orders: "all memory among the threads of the block",
            result: "-1 in the threads that are to run the kernel's body",
        }

        /// How many teams there are.
        fn omp_get_num_teams() -> I32 { callers: ALONE, orders: NOTHING, result: "returned to each caller" }

        /// How many threads the innermost parallel region has.
        fn omp_get_num_threads() -> I32 { callers: ALONE, orders: NOTHING, result: "returned to each caller" }

        /// The number of the team.
        fn omp_get_team_num() -> I32 { callers: ALONE, orders: NOTHING, result: "returned to each caller" }

        /// The number of the thread in the innermost parallel region.
        fn omp_get_thread_num() -> I32 { callers: ALONE, orders: NOTHING, result: "returned to each caller" }

        variables {
            /// What the host says of the device; libomptarget writes it after loading an image.
            static __omp_rtl_device_environment: 48 bytes in 4;
            /// Other than 0 in a program that wants chunks of `distribute` dealt to teams in turn.
            static __warpfold_dist_round_robin: 4 bytes in 0;
            /// The state of the team, one for all translation units.
            static __warpfold_team: 1048 bytes in 3;
        }
    }
}
