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
    /// Yes or no.
    Bool "bool " "i1"
    /// 8 bits, signed.
    I8 "int8_t " "i8"
    /// 8 bits, unsigned.
    U8 "uint8_t " "i8"
    /// 16 bits, signed.
    I16 "int16_t " "i16"
    /// 16 bits, unsigned.
    U16 "uint16_t " "i16"
    /// 32 bits, signed.
    I32 "int32_t " "i32"
    /// 32 bits, unsigned.
    U32 "uint32_t " "i32"
    /// 64 bits, signed.
    I64 "int64_t " "i64"
    /// 64 bits, unsigned.
    U64 "uint64_t " "i64"
    /// A number.
    F32 "float " "float"
    /// A number.
    F64 "double " "double"
    /// A complex number.
    Complex32 "float _Complex " "{ float, float }"
    /// A complex number.
    Complex64 "double _Complex " "{ double, double }"
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

/// A contract; `;` is that of a function that concerns its caller alone.
macro_rules! contract {
    ({ callers: $callers:expr, orders: $orders:expr, result: $result:expr $(,)? } $returns:ident) => {
        Contract { callers: $callers, orders: $orders, result: $result }
    };
    (; Void) => {
        Contract { callers: ALONE, orders: NOTHING, result: NONE }
    };
    (; $returns:ident) => {
        Contract { callers: ALONE, orders: NOTHING, result: EACH }
    };
}

macro_rules! exports {
    ($(
        $(#[$doc:meta])*
        $table:ident, $names:ident {
            $(
                #[doc = $meaning:literal]
                fn $name:ident($($parameter:ident: $ty:ident),* $(,)?) -> $returns:ident $contract:tt
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
                    contract: contract!($contract $returns),
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
const STARTERS: &str = "outside a region every thread of the block, converged, in generic mode the main thread; inside one \
                        whoever starts it, alone";
const REGION_END: &str = "at the end of an outermost region all memory among the threads of the block";
const NOTHING: &str = "nothing";
const BLOCK_MEMORY: &str =
    "with more than 32 threads all memory among the threads of the block, else nothing";
const HAND_OVER: &str = "whatever comes before the call in each block's linear thread 0 comes before the return in the thread that gets 1";
const NONE: &str = "none";
const EACH: &str = "returned to each caller";
const IN_LANE_0: &str = "in lane 0";
const IN_THREAD_0: &str = "in linear thread 0, which gets 1; all others get 0";
const IN_LEADERS: &str = "in lane 0 of every warp; linear thread 0 gets 1, all others 0";
const IN_ONE_THREAD: &str = "in linear thread 0 of one block, which gets 1; all others of the grid get 0";
const TEAMS: &str = "of each team linear thread 0, which holds the team's value, and either all its other threads, \
                     converged, or none, because they have exited; in generic mode the main thread; teams need not run \
                     at the same time";
const SHARED_LOOP: &str = "the first of the caller's chunks in *lower to *upper, both inclusive, the distance to its \
                           next one in *stride, and in *last whether it has the loop's last iteration";
const SHUFFLED: &str =
    "returned to each caller; a lane without one delta above it in its segment gets its own value";

exports! {
    /// The reductions for kernels of our own and of other generators.
    REDUCTION_EXPORTS, REDUCTION_NAMES {
        /// Does nothing; kept, it gives a module without line information one line directive.
        fn __warpfold_anchor() -> Void;

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
        fn __kmpc_distribute_static_fini(location: ConstPointer, thread: I32) -> Void;

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
        fn __kmpc_for_static_fini(location: ConstPointer, thread: I32) -> Void;

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
        ) -> Void;

        /// Runs the caller's iterations of a loop that is dealt to teams, block_chunk (or 1) at a time.
        fn __kmpc_distribute_static_loop_4u(
            location: ConstPointer, body: LoopBody32, argument: Pointer, trips: U32, block_chunk: U32, once: U8,
        ) -> Void;

        /// Runs the caller's iterations of a loop that is dealt to teams, block_chunk (or 1) at a time.
        fn __kmpc_distribute_static_loop_8(
            location: ConstPointer, body: LoopBody64, argument: Pointer, trips: U64, block_chunk: U64, once: U8,
        ) -> Void;

        /// Runs the caller's iterations of a loop that is dealt to teams, block_chunk (or 1) at a time.
        fn __kmpc_distribute_static_loop_8u(
            location: ConstPointer, body: LoopBody64, argument: Pointer, trips: U64, block_chunk: U64, once: U8,
        ) -> Void;

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

        /// Never called: names what LLVM calls once it has changed a kernel's mode.
        fn __warpfold_callees(unused: Pointer) -> Void;

        /// How many blocks the grid has.
        fn __kmpc_get_hardware_num_blocks() -> I32;

        /// How many threads the block has.
        fn __kmpc_get_hardware_num_threads_in_block() -> I32;

        /// The linear number of the thread in its block.
        fn __kmpc_get_hardware_thread_id_in_block() -> I32;

        /// How many lanes a warp has: 32.
        fn __kmpc_get_warp_size() -> I32;

        /// The number of the thread in its parallel region.
        fn __kmpc_global_thread_num(location: ConstPointer) -> I32;

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

        /// Reduces over teams, through a buffer of that many records, fewer if their size does not align them.
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
            callers: STARTERS,
            orders: REGION_END,
            result: NONE,
        }

        /// The reduction buffer of the launch, or null.
        fn __kmpc_reduction_get_fixed_buffer() -> Pointer;

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





        /// Whether all threads run the kernel's body.
        fn __kmpc_is_spmd_exec_mode() -> I8;

        /// What workers are to call, or null, in *work; whether the caller takes part.
        fn __kmpc_kernel_parallel(work: Pointers) -> Bool {
            callers: "a worker, between the barriers at a region's start and end",
            orders: NOTHING,
            result: EACH,
        }

        /// Ends the caller's part of a region.
        fn __kmpc_kernel_end_parallel() -> Void {
            callers: "a worker, between the barriers at a region's start and end",
            orders: NOTHING,
            result: NONE,
        }

        /// __kmpc_parallel_60 as LLVM 19 calls it.
        fn __kmpc_parallel_51(
            location: ConstPointer, thread: I32, condition: I32, num_threads: I32, proc_bind: I32,
            outlined: ConstPointer, wrapper: ConstPointer, captured: Pointers, count: U64,
        ) -> Void {
            callers: STARTERS, orders: REGION_END, result: NONE,
        }

        /// Puts the caller into a region of its own.
        fn __kmpc_serialized_parallel(location: ConstPointer, thread: I32) -> Void;

        /// Takes the caller out of it.
        fn __kmpc_end_serialized_parallel(location: ConstPointer, thread: I32) -> Void;

        /// How many parallel regions enclose the caller.
        fn __kmpc_parallel_level(location: ConstPointer, thread: I32) -> U16;

        /// Does nothing: constructs say themselves what they are to be.
        fn __kmpc_push_num_threads(location: ConstPointer, thread: I32, num_threads: I32) -> Void;

        /// Does nothing: constructs say themselves what they are to be.
        fn __kmpc_push_num_threads_strict(
            location: ConstPointer, thread: I32, num_threads: I32, severity: I32, message: ConstPointer,
        ) -> Void;

        /// Does nothing: constructs say themselves what they are to be.
        fn __kmpc_push_proc_bind(location: ConstPointer, thread: I32, proc_bind: I32) -> Void;

        /// Does nothing: constructs say themselves what they are to be.
        fn __kmpc_push_num_teams(
            location: ConstPointer, thread: I32, teams: I32, num_threads: I32,
        ) -> Void;

        /// Does nothing: constructs say themselves what they are to be.
        fn __kmpc_push_num_teams_51(
            location: ConstPointer, thread: I32, least: I32, most: I32, num_threads: I32,
        ) -> Void;

        /// Does nothing: constructs say themselves what they are to be.
        fn __kmpc_set_thread_limit(location: ConstPointer, thread: I32, num_threads: I32) -> Void;

        /// The barrier between the main thread and the workers that LLVM makes.
        fn __kmpc_barrier_simple_generic(location: ConstPointer, thread: I32) -> Void {
            callers: "main thread and workers, each where it is",
            orders: "all memory among them",
            result: NONE,
        }

        /// __kmpc_barrier; nothing is ever cancelled.
        fn __kmpc_cancel_barrier(location: ConstPointer, thread: I32) -> I32 {
            callers: REGION,
            orders: "all memory among the callers",
            result: "0, returned to each caller",
        }

        /// 0: nothing is ever cancelled.
        fn __kmpc_cancel(location: ConstPointer, thread: I32, kind: I32) -> I32;

        /// 0: nothing is ever cancelled.
        fn __kmpc_cancellationpoint(location: ConstPointer, thread: I32, kind: I32) -> I32;

        /// Orders the caller's memory accesses, as all threads of the device see them.
        fn __kmpc_flush(location: ConstPointer) -> Void {
            callers: ALONE,
            orders: "all memory, for the caller, in one order with all other flushes",
            result: NONE,
        }

        /// Enters a critical region: waits until nobody is in it.
        fn __kmpc_critical(location: ConstPointer, thread: I32, name: I32Pointer) -> Void {
            callers: "one lane of a warp at a time",
            orders: "what the last holder did before what the caller does next",
            result: NONE,
        }

        /// __kmpc_critical; hints change nothing.
        fn __kmpc_critical_with_hint(
            location: ConstPointer, thread: I32, name: I32Pointer, hint: U32,
        ) -> Void {
            callers: "one lane of a warp at a time",
            orders: "what the last holder did before what the caller does next",
            result: NONE,
        }

        /// Leaves a critical region.
        fn __kmpc_end_critical(location: ConstPointer, thread: I32, name: I32Pointer) -> Void {
            callers: "who is in it",
            orders: "what the caller did before what the next holder does",
            result: NONE,
        }

        /// Whether the caller is the first thread of the region.
        fn __kmpc_master(location: ConstPointer, thread: I32) -> I32;

        /// Whether the caller is the thread of this number.
        fn __kmpc_masked(location: ConstPointer, thread: I32, filter: I32) -> I32;

        /// 1 in one thread of the region.
        fn __kmpc_single(location: ConstPointer, thread: I32) -> I32;

        /// Does nothing.
        fn __kmpc_end_master(location: ConstPointer, thread: I32) -> Void;

        /// Does nothing.
        fn __kmpc_end_masked(location: ConstPointer, thread: I32) -> Void;

        /// Does nothing.
        fn __kmpc_end_single(location: ConstPointer, thread: I32) -> Void;

        /// Does nothing.
        fn __kmpc_ordered(location: ConstPointer, thread: I32) -> Void;

        /// Does nothing.
        fn __kmpc_end_ordered(location: ConstPointer, thread: I32) -> Void;

        /// Calls copy(own list, list of the values of the thread with did_it) in the other threads.
        fn __kmpc_copyprivate(
            location: ConstPointer, thread: I32, bytes: U64, list: Pointer, copy: ConstPointer, did_it: I32,
        ) -> Void {
            callers: REGION, orders: "all memory among the callers", result: NONE,
        }

        /// The lanes that run this call together.
        fn __kmpc_warp_active_thread_mask() -> U64;

        /// Waits for the lanes of the mask.
        fn __kmpc_syncwarp(mask: U64) -> Void {
            callers: "the lanes of the mask", orders: "all memory among them", result: NONE,
        }

        /// Memory that the whole team can reach, aligned to 16 bytes; last allocated, first given back.
        fn __kmpc_alloc_shared(bytes: U64) -> Pointer;

        /// Gives the memory back.
        fn __kmpc_free_shared(memory: Pointer, bytes: U64) -> Void;

        /// Room for the addresses of count variables, in *variables.
        fn __kmpc_begin_sharing_variables(variables: Pointer, count: U64) -> Void {
            callers: "the main thread, outside of parallel regions", orders: NOTHING, result: NONE,
        }

        /// Gives that room back.
        fn __kmpc_end_sharing_variables() -> Void {
            callers: "the main thread, outside of parallel regions", orders: NOTHING, result: NONE,
        }

        /// Where the captured values of the region are, in *variables.
        fn __kmpc_get_shared_variables(variables: Pointer) -> Void {
            callers: "a worker, between the barriers at a region's start and end",
            orders: NOTHING,
            result: NONE,
        }

        /// The shared memory that the launch gives each block, aligned to 16 bytes.
        fn __kmpc_get_dynamic_shared() -> Pointer;

        /// Starts a loop whose chunks are taken while it runs; step is 1.
        fn __kmpc_dispatch_init_4(
            location: ConstPointer, thread: I32, schedule: I32, lower: I32, upper: I32, step: I32,
            chunk: I32,
        ) -> Void {
            callers: REGION, orders: "all memory among the callers", result: NONE,
        }

        /// The caller's next chunk; *lower, *upper and *stride begin as the whole loop and 1.
        fn __kmpc_dispatch_next_4(
            location: ConstPointer, thread: I32, last: I32Pointer, lower: I32Pointer, upper: I32Pointer,
            stride: I32Pointer,
        ) -> I32 {
            callers: "any thread of the region, by itself",
            orders: NOTHING,
            result: "1 and the chunk, or 0",
        }

        /// Does nothing.
        fn __kmpc_dispatch_fini_4(location: ConstPointer, thread: I32) -> Void;

        /// Starts a loop whose chunks are taken while it runs; step is 1.
        fn __kmpc_dispatch_init_4u(
            location: ConstPointer, thread: I32, schedule: I32, lower: U32, upper: U32, step: I32,
            chunk: I32,
        ) -> Void {
            callers: REGION, orders: "all memory among the callers", result: NONE,
        }

        /// The caller's next chunk; *lower, *upper and *stride begin as the whole loop and 1.
        fn __kmpc_dispatch_next_4u(
            location: ConstPointer, thread: I32, last: I32Pointer, lower: U32Pointer, upper: U32Pointer,
            stride: I32Pointer,
        ) -> I32 {
            callers: "any thread of the region, by itself",
            orders: NOTHING,
            result: "1 and the chunk, or 0",
        }

        /// Does nothing.
        fn __kmpc_dispatch_fini_4u(location: ConstPointer, thread: I32) -> Void;

        /// Starts a loop whose chunks are taken while it runs; step is 1.
        fn __kmpc_dispatch_init_8(
            location: ConstPointer, thread: I32, schedule: I32, lower: I64, upper: I64, step: I64,
            chunk: I64,
        ) -> Void {
            callers: REGION, orders: "all memory among the callers", result: NONE,
        }

        /// The caller's next chunk; *lower, *upper and *stride begin as the whole loop and 1.
        fn __kmpc_dispatch_next_8(
            location: ConstPointer, thread: I32, last: I32Pointer, lower: I64Pointer, upper: I64Pointer,
            stride: I64Pointer,
        ) -> I32 {
            callers: "any thread of the region, by itself",
            orders: NOTHING,
            result: "1 and the chunk, or 0",
        }

        /// Does nothing.
        fn __kmpc_dispatch_fini_8(location: ConstPointer, thread: I32) -> Void;

        /// Starts a loop whose chunks are taken while it runs; step is 1.
        fn __kmpc_dispatch_init_8u(
            location: ConstPointer, thread: I32, schedule: I32, lower: U64, upper: U64, step: I64,
            chunk: I64,
        ) -> Void {
            callers: REGION, orders: "all memory among the callers", result: NONE,
        }

        /// The caller's next chunk; *lower, *upper and *stride begin as the whole loop and 1.
        fn __kmpc_dispatch_next_8u(
            location: ConstPointer, thread: I32, last: I32Pointer, lower: U64Pointer, upper: U64Pointer,
            stride: I64Pointer,
        ) -> I32 {
            callers: "any thread of the region, by itself",
            orders: NOTHING,
            result: "1 and the chunk, or 0",
        }

        /// Does nothing.
        fn __kmpc_dispatch_fini_8u(location: ConstPointer, thread: I32) -> Void;

        /// Does nothing: the next loop waits for this one.
        fn __kmpc_dispatch_deinit(location: ConstPointer, thread: I32) -> Void;

        /// Starts a nest of loops whose iterations wait for each other; nest has first, last and step of each.
        fn __kmpc_doacross_init(
            location: ConstPointer, thread: I32, count: I32, nest: ConstPointer,
        ) -> Void {
            callers: REGION, orders: "all memory among the callers", result: NONE,
        }

        /// Waits until the iteration with these values of the variables has posted.
        fn __kmpc_doacross_wait(location: ConstPointer, thread: I32, values: ConstPointer) -> Void {
            callers: "any thread of the region, by itself",
            orders: "what that one did before it posted before what the caller does next",
            result: NONE,
        }

        /// Says that the iteration with these values has done what others wait for.
        fn __kmpc_doacross_post(location: ConstPointer, thread: I32, values: ConstPointer) -> Void {
            callers: "any thread of the region, by itself",
            orders: "what the caller did before what those do that wait for it",
            result: NONE,
        }

        /// Leaves the nest.
        fn __kmpc_doacross_fini(location: ConstPointer, thread: I32) -> Void {
            callers: "each thread of the region, once", orders: NOTHING, result: NONE,
        }

        /// A task of bytes with its private variables, and the addresses of shared ones.
        fn __kmpc_omp_task_alloc(
            location: ConstPointer, thread: I32, flags: I32, bytes: U64, shared_bytes: U64,
            routine: ConstPointer,
        ) -> Pointer;

        /// __kmpc_omp_task_alloc; the device is this one.
        fn __kmpc_omp_target_task_alloc(
            location: ConstPointer, thread: I32, flags: I32, bytes: U64, shared_bytes: U64,
            routine: ConstPointer, device: I64,
        ) -> Pointer;

        /// Runs a task to its end.
        fn __kmpc_omp_task(location: ConstPointer, thread: I32, task: Pointer) -> I32;

        /// Runs a task to its end: what it depends on has run.
        fn __kmpc_omp_task_with_deps(
            location: ConstPointer, thread: I32, task: Pointer, count: I32, dependences: ConstPointer,
            distinct_count: I32, distinct: ConstPointer,
        ) -> I32;

        /// Before a task that the caller runs by itself.
        fn __kmpc_omp_task_begin_if0(location: ConstPointer, thread: I32, task: Pointer) -> Void;

        /// After it.
        fn __kmpc_omp_task_complete_if0(location: ConstPointer, thread: I32, task: Pointer) -> Void;

        /// Does nothing.
        fn __kmpc_omp_reg_task_with_affinity(
            location: ConstPointer, thread: I32, task: Pointer, count: I32, affinities: ConstPointer,
        ) -> I32;

        /// Does nothing: tasks have run.
        fn __kmpc_omp_wait_deps(
            location: ConstPointer, thread: I32, count: I32, dependences: ConstPointer, distinct_count: I32,
            distinct: ConstPointer,
        ) -> Void;

        /// Does nothing: tasks have run.
        fn __kmpc_omp_taskwait_deps_51(
            location: ConstPointer, thread: I32, count: I32, dependences: ConstPointer, distinct_count: I32,
            distinct: ConstPointer, no_wait: I32,
        ) -> Void;

        /// Does nothing: tasks have run.
        fn __kmpc_omp_taskwait(location: ConstPointer, thread: I32) -> I32;

        /// Does nothing.
        fn __kmpc_omp_taskyield(location: ConstPointer, thread: I32, end: I32) -> I32;

        /// Does nothing.
        fn __kmpc_taskgroup(location: ConstPointer, thread: I32) -> Void;

        /// Does nothing: tasks have run.
        fn __kmpc_end_taskgroup(location: ConstPointer, thread: I32) -> Void;

        /// Runs the loop of a task, all at once.
        fn __kmpc_taskloop(
            location: ConstPointer, thread: I32, task: Pointer, condition: I32, lower: U64Pointer,
            upper: U64Pointer, step: I64, no_group: I32, schedule: I32, grain: U64, duplicate: ConstPointer,
        ) -> Void;

        /// Runs the loop of a task, all at once.
        fn __kmpc_taskloop_5(
            location: ConstPointer, thread: I32, task: Pointer, condition: I32, lower: U64Pointer,
            upper: U64Pointer, step: I64, no_group: I32, schedule: I32, grain: U64, modifier: I32,
            duplicate: ConstPointer,
        ) -> Void;

        /// The event of a task with detach, for which nobody waits.
        fn __kmpc_task_allow_completion_event(
            location: ConstPointer, thread: I32, task: Pointer,
        ) -> Pointer;

        /// Starts a reduction over tasks, which combine into the variables themselves.
        fn __kmpc_taskred_init(thread: I32, count: I32, data: Pointer) -> Pointer;

        /// Starts a reduction over tasks, which combine into the variables themselves.
        fn __kmpc_task_reduction_init(thread: I32, count: I32, data: Pointer) -> Pointer;

        /// The same of a construct with reduction(task, ...).
        fn __kmpc_taskred_modifier_init(
            location: ConstPointer, thread: I32, worksharing: I32, count: I32, data: Pointer,
        ) -> Pointer;

        /// The same of a construct with reduction(task, ...).
        fn __kmpc_task_reduction_modifier_init(
            location: ConstPointer, thread: I32, worksharing: I32, count: I32, data: Pointer,
        ) -> Pointer;

        /// Ends it.
        fn __kmpc_task_reduction_modifier_fini(
            location: ConstPointer, thread: I32, worksharing: I32,
        ) -> Void;

        /// Where a task combines into: variable.
        fn __kmpc_task_reduction_get_th_data(thread: I32, group: Pointer, variable: Pointer) -> Pointer;

        /// omp_alloc.
        fn __kmpc_alloc(thread: I32, bytes: U64, allocator: U64) -> Pointer;

        /// omp_aligned_alloc.
        fn __kmpc_aligned_alloc(thread: I32, alignment: U64, bytes: U64, allocator: U64) -> Pointer;

        /// omp_free.
        fn __kmpc_free(thread: I32, memory: Pointer, allocator: U64) -> Void;

        /// omp_init_allocator.
        fn __kmpc_init_allocator(thread: I32, space: U64, count: I32, traits: ConstPointer) -> U64;

        /// omp_destroy_allocator.
        fn __kmpc_destroy_allocator(thread: I32, allocator: U64) -> Void;

        /// Prints a message; severity 2 ends the kernel.
        fn __kmpc_error(location: ConstPointer, severity: I32, message: ConstPointer) -> Void;

        /// vprintf as LLVM 19 calls it.
        fn __llvm_omp_vprintf(format: ConstPointer, arguments: ConstPointer, bytes: U32) -> I32;

        /// The device's function for one of the host's.
        fn __llvm_omp_indirect_call_lookup(function: ConstPointer) -> ConstPointer;

        /// Does nothing.
        fn __llvm_profile_register_function(data: Pointer) -> Void;

        /// Does nothing.
        fn __llvm_profile_register_names_function(names: Pointer, bytes: I64) -> Void;

        /// Does nothing.
        fn __llvm_profile_instrument_memop(value: I64, data: Pointer, counter: I32) -> Void;

        variables {
            /// What a program is compiled to have checked: bit 0 is for the runtime's own state.
            static __omp_rtl_debug_kind: 4 bytes in 0;
            /// What the host says of the device; libomptarget writes it after loading an image.
            static __omp_rtl_device_environment: 48 bytes in 4;
            /// Locks that stand for objects too large for the hardware's atomics.
            static __warpfold_atomic_locks: 256 bytes in 1;
            /// Other than 0 in a program that wants chunks of `distribute` dealt to teams in turn.
            static __warpfold_dist_round_robin: 4 bytes in 0;
            /// The state of the team, one for all translation units.
            static __warpfold_team: 1144 bytes in 3;
            /// The version of the runtime, as text that ends with 0.
            static __warpfold_version: 16 bytes in 4;
        }
    }

    /// What programs call by the names of omp.h, ompx.h and the libraries of C and C++.
    LIBRARY_EXPORTS, LIBRARY_NAMES {
        /// The number of the thread in the innermost parallel region.
        fn omp_get_thread_num() -> I32;

        /// How many threads the innermost parallel region has.
        fn omp_get_num_threads() -> I32;

        /// How many threads a region without num_threads would have.
        fn omp_get_max_threads() -> I32;

        /// The most threads of a region.
        fn omp_get_thread_limit() -> I32;

        /// Warps that the device runs at a time.
        fn omp_get_num_procs() -> I32;

        /// How many regions enclose the caller; up to 15 are told apart.
        fn omp_get_level() -> I32;

        /// How many of them have more than one thread.
        fn omp_get_active_level() -> I32;

        /// 0.
        fn omp_get_dynamic() -> I32;

        /// 0.
        fn omp_get_nested() -> I32;

        /// 1, or 0 if so set.
        fn omp_get_max_active_levels() -> I32;

        /// 1.
        fn omp_get_supported_active_levels() -> I32;

        /// 0.
        fn omp_get_cancellation() -> I32;

        /// 0.
        fn omp_get_proc_bind() -> I32;

        /// 0.
        fn omp_get_num_places() -> I32;

        /// -1.
        fn omp_get_place_num() -> I32;

        /// 0.
        fn omp_get_partition_num_places() -> I32;

        /// How many teams there are.
        fn omp_get_num_teams() -> I32;

        /// The number of the team.
        fn omp_get_team_num() -> I32;

        /// 0.
        fn omp_get_max_teams() -> I32;

        /// 0.
        fn omp_get_teams_thread_limit() -> I32;

        /// The number of this device.
        fn omp_get_default_device() -> I32;

        /// How many devices the host has.
        fn omp_get_num_devices() -> I32;

        /// The number of this device.
        fn omp_get_device_num() -> I32;

        /// The number of the host.
        fn omp_get_initial_device() -> I32;

        /// 0.
        fn omp_get_max_task_priority() -> I32;

        /// The number, in the region of this level, of the thread that the caller comes from.
        fn omp_get_ancestor_thread_num(level: I32) -> I32;

        /// The size of the region of this level.
        fn omp_get_team_size(level: I32) -> I32;

        /// 0.
        fn omp_get_place_num_procs(place: I32) -> I32;

        /// Whether a region with more than one thread encloses the caller.
        fn omp_in_parallel() -> I32;

        /// 0.
        fn omp_is_initial_device() -> I32;

        /// -4: devices do not know their names.
        fn omp_get_device_from_uid(uid: ConstPointer) -> I32;

        /// Null: devices do not know their names.
        fn omp_get_uid_from_device(device: I32) -> ConstPointer;

        /// Whether the caller is in a final task.
        fn omp_in_final() -> I32;

        /// Whether the caller is in an explicit task.
        fn omp_in_explicit_task() -> I32;

        /// -1: the host alone can do it.
        fn omp_pause_resource(kind: I32, device: I32) -> I32;

        /// -1: the host alone can do it.
        fn omp_pause_resource_all(kind: I32) -> I32;

        /// -2: there is no tool.
        fn omp_control_tool(command: I32, modifier: I32, argument: Pointer) -> I32;

        /// How many threads regions without num_threads are to have; inside a region nothing.
        fn omp_set_num_threads(threads: I32) -> Void;

        /// 0: regions are to have one thread; inside a region nothing.
        fn omp_set_max_active_levels(levels: I32) -> Void;

        /// What schedule(runtime) is to mean; inside a region nothing.
        fn omp_set_schedule(kind: U32, chunk: I32) -> Void;

        /// What schedule(runtime) means.
        fn omp_get_schedule(kind: U32Pointer, chunk: I32Pointer) -> Void;

        /// Does nothing.
        fn omp_set_dynamic(on: I32) -> Void;

        /// Does nothing.
        fn omp_set_nested(on: I32) -> Void;

        /// Does nothing.
        fn omp_set_num_teams(teams: I32) -> Void;

        /// Does nothing.
        fn omp_set_teams_thread_limit(threads: I32) -> Void;

        /// Does nothing.
        fn omp_set_default_device(device: I32) -> Void;

        /// Does nothing.
        fn omp_get_place_proc_ids(place: I32, ids: I32Pointer) -> Void;

        /// Does nothing.
        fn omp_get_partition_place_nums(places: I32Pointer) -> Void;

        /// Does nothing.
        fn omp_fulfill_event(event: U64) -> Void;

        /// Does nothing.
        fn omp_display_affinity(format: ConstPointer) -> Void;

        /// Does nothing.
        fn omp_set_affinity_format(format: ConstPointer) -> Void;

        /// Does nothing.
        fn ompc_display_affinity(format: ConstPointer) -> Void;

        /// Does nothing.
        fn ompc_set_affinity_format(format: ConstPointer) -> Void;

        /// The empty format, and its length.
        fn omp_get_affinity_format(buffer: Pointer, bytes: U64) -> U64;

        /// The empty text, and its length.
        fn omp_capture_affinity(buffer: Pointer, bytes: U64, format: ConstPointer) -> U64;

        /// The empty format, and its length.
        fn ompc_get_affinity_format(buffer: Pointer, bytes: U64) -> U64;

        /// The empty text, and its length.
        fn ompc_capture_affinity(buffer: Pointer, bytes: U64, format: ConstPointer) -> U64;

        /// Seconds since some moment.
        fn omp_get_wtime() -> F64;

        /// Seconds between two ticks of that clock.
        fn omp_get_wtick() -> F64;

        /// A lock that nobody holds.
        fn omp_init_lock(lock: Pointer) -> Void;

        /// A lock that nobody holds; hints change nothing.
        fn omp_init_lock_with_hint(lock: Pointer, hint: U32) -> Void;

        /// Ends a lock's life.
        fn omp_destroy_lock(lock: Pointer) -> Void;

        /// Waits for the lock and takes it.
        fn omp_set_lock(lock: Pointer) -> Void {
            callers: ALONE,
            orders: "what the last holder did before what the caller does next",
            result: NONE,
        }

        /// Gives the lock up.
        fn omp_unset_lock(lock: Pointer) -> Void {
            callers: "its holder",
            orders: "what the caller did before what the next holder does",
            result: NONE,
        }

        /// Takes the lock if it can be had: how often the caller then holds it.
        fn omp_test_lock(lock: Pointer) -> I32 {
            callers: ALONE,
            orders: "if taken, what the last holder did before what the caller does next",
            result: EACH,
        }

        /// A lock that nobody holds.
        fn omp_init_nest_lock(lock: Pointer) -> Void;

        /// A lock that nobody holds; hints change nothing.
        fn omp_init_nest_lock_with_hint(lock: Pointer, hint: U32) -> Void;

        /// Ends a lock's life.
        fn omp_destroy_nest_lock(lock: Pointer) -> Void;

        /// Waits for the lock and takes it.
        fn omp_set_nest_lock(lock: Pointer) -> Void {
            callers: ALONE,
            orders: "what the last holder did before what the caller does next",
            result: NONE,
        }

        /// Gives the lock up.
        fn omp_unset_nest_lock(lock: Pointer) -> Void {
            callers: "its holder",
            orders: "what the caller did before what the next holder does",
            result: NONE,
        }

        /// Takes the lock if it can be had: how often the caller then holds it.
        fn omp_test_nest_lock(lock: Pointer) -> I32 {
            callers: ALONE,
            orders: "if taken, what the last holder did before what the caller does next",
            result: EACH,
        }

        /// Memory of the device's heap.
        fn omp_alloc(bytes: U64, allocator: U64) -> Pointer;

        /// Memory of the device's heap, so aligned.
        fn omp_aligned_alloc(alignment: U64, bytes: U64, allocator: U64) -> Pointer;

        /// Memory for so many elements, all 0.
        fn omp_calloc(count: U64, size: U64, allocator: U64) -> Pointer;

        /// Memory for so many elements, all 0, so aligned.
        fn omp_aligned_calloc(alignment: U64, count: U64, size: U64, allocator: U64) -> Pointer;

        /// The memory with another size.
        fn omp_realloc(memory: Pointer, bytes: U64, allocator: U64, old: U64) -> Pointer;

        /// Gives memory back.
        fn omp_free(memory: Pointer, allocator: U64) -> Void;

        /// An allocator with these traits, of which alignment and fallback are looked at.
        fn omp_init_allocator(space: U64, count: I32, traits: ConstPointer) -> U64;

        /// Ends an allocator's life.
        fn omp_destroy_allocator(allocator: U64) -> Void;

        /// Does nothing: all have the same memory.
        fn omp_set_default_allocator(allocator: U64) -> Void;

        /// omp_default_mem_alloc.
        fn omp_get_default_allocator() -> U64;

        /// The shared memory that the launch gives each block, aligned to 16 bytes.
        fn llvm_omp_target_dynamic_shared_alloc() -> Pointer;

        /// The same.
        fn llvm_omp_get_dynamic_shared() -> Pointer;

        /// The thread in its block, in dimension 0, 1 or 2.
        fn ompx_thread_id(dimension: I32) -> I32;

        /// The size of the block, in dimension 0, 1 or 2.
        fn ompx_block_dim(dimension: I32) -> I32;

        /// The block in its grid, in dimension 0, 1 or 2.
        fn ompx_block_id(dimension: I32) -> I32;

        /// The size of the grid, in dimension 0, 1 or 2.
        fn ompx_grid_dim(dimension: I32) -> I32;

        /// The barrier of the block.
        fn ompx_sync_block(order: I32) -> Void {
            callers: EVERY_THREAD, orders: "all memory among the threads of the block", result: NONE,
        }

        /// The barrier of the block.
        fn ompx_sync_block_acq_rel() -> Void {
            callers: EVERY_THREAD, orders: "all memory among the threads of the block", result: NONE,
        }

        /// The barrier of the block, for threads at different places.
        fn ompx_sync_block_divergent(order: I32) -> Void {
            callers: "every thread of the block, each where it is",
            orders: "all memory among the threads of the block",
            result: NONE,
        }

        /// The lanes of the mask whose predicate holds.
        fn ompx_ballot_sync(mask: U64, predicate: I32) -> U64 {
            callers: "the lanes of the mask", orders: NOTHING, result: EACH,
        }

        /// The value of the lane delta above, in segments of width lanes.
        fn ompx_shfl_down_sync_i(mask: U64, value: I32, delta: U32, width: I32) -> I32 {
            callers: "the lanes of the mask", orders: NOTHING, result: SHUFFLED,
        }

        /// The value of the lane delta above, in segments of width lanes.
        fn ompx_shfl_down_sync_f(mask: U64, value: F32, delta: U32, width: I32) -> F32 {
            callers: "the lanes of the mask", orders: NOTHING, result: SHUFFLED,
        }

        /// The value of the lane delta above, in segments of width lanes.
        fn ompx_shfl_down_sync_l(mask: U64, value: I64, delta: U32, width: I32) -> I64 {
            callers: "the lanes of the mask", orders: NOTHING, result: SHUFFLED,
        }

        /// The value of the lane delta above, in segments of width lanes.
        fn ompx_shfl_down_sync_d(mask: U64, value: F64, delta: U32, width: I32) -> F64 {
            callers: "the lanes of the mask", orders: NOTHING, result: SHUFFLED,
        }

        /// Ends the kernel.
        fn abort() -> Void;

        /// Ends the kernel.
        fn __cxa_pure_virtual() -> Void;

        /// Ends the kernel.
        fn __cxa_deleted_virtual() -> Void;

        /// Prints what failed, and ends the kernel.
        fn __assert_fail(
            expression: ConstPointer, file: ConstPointer, line: U32, function: ConstPointer,
        ) -> Void;

        /// Compares bytes, as C does.
        fn memcmp(one: ConstPointer, other: ConstPointer, bytes: U64) -> I32;

        /// The product of two complex numbers, the real part first, as C's Annex G defines it.
        fn __mulsc3(a: F32, b: F32, c: F32, d: F32) -> Complex32;

        /// The quotient of two, as C's Annex G defines it.
        fn __divsc3(a: F32, b: F32, c: F32, d: F32) -> Complex32;

        /// The product of two complex numbers, the real part first, as C's Annex G defines it.
        fn __muldc3(a: F64, b: F64, c: F64, d: F64) -> Complex64;

        /// The quotient of two, as C's Annex G defines it.
        fn __divdc3(a: F64, b: F64, c: F64, d: F64) -> Complex64;

        /// Reads an object that is too large for the hardware's atomics.
        fn __atomic_load(bytes: U64, object: ConstPointer, result: Pointer, order: I32) -> Void {
            callers: ALONE, orders: "what was done to the object under the same lock", result: NONE,
        }

        /// Writes one.
        fn __atomic_store(bytes: U64, object: Pointer, value: ConstPointer, order: I32) -> Void {
            callers: ALONE, orders: "what was done to the object under the same lock", result: NONE,
        }

        /// Writes one, and tells what was there.
        fn __atomic_exchange(
            bytes: U64, object: Pointer, value: ConstPointer, result: Pointer, order: I32,
        ) -> Void {
            callers: ALONE, orders: "what was done to the object under the same lock", result: NONE,
        }

        /// Writes one if it is what is expected, or tells what it is; whether it was.
        fn __atomic_compare_exchange(
            bytes: U64, object: Pointer, expected: Pointer, value: ConstPointer, success: I32, failure: I32,
        ) -> Bool {
            callers: ALONE, orders: "what was done to the object under the same lock", result: EACH,
        }
    }
}

const HOST: &str = "host code calls it";
const HOST_LOOPS: &str = "host code calls it: device code asks for teams and threads one after the other";

/// Names that LLVM 22 knows beside those of the tables, and why the runtime has none of them.
pub const ABSENT: &[(&str, &str)] = &[
    ("__kmpc_begin", HOST),
    ("__kmpc_dist_dispatch_init_4", HOST_LOOPS),
    ("__kmpc_dist_dispatch_init_4u", HOST_LOOPS),
    ("__kmpc_dist_dispatch_init_8", HOST_LOOPS),
    ("__kmpc_dist_dispatch_init_8u", HOST_LOOPS),
    ("__kmpc_dist_for_static_init_4", HOST_LOOPS),
    ("__kmpc_dist_for_static_init_4u", HOST_LOOPS),
    ("__kmpc_dist_for_static_init_8", HOST_LOOPS),
    ("__kmpc_dist_for_static_init_8u", HOST_LOOPS),
    ("__kmpc_end", HOST),
    ("__kmpc_end_reduce", "host code calls it: device code has reductions of its own"),
    ("__kmpc_end_reduce_nowait", "host code calls it: device code has reductions of its own"),
    ("__kmpc_fork_call", "host code calls it: device code starts regions by __kmpc_parallel_60"),
    ("__kmpc_fork_call_if", "host code calls it: device code starts regions by __kmpc_parallel_60"),
    ("__kmpc_fork_teams", "host code calls it: the host starts teams"),
    ("__kmpc_kernel_prepare_parallel", "no compiler calls it, and LLVM's own runtime has it not"),
    ("__kmpc_proxy_task_completed_ooo", "host code calls it: device tasks end in the thread that meets them"),
    ("__kmpc_push_target_tripcount_mapper", HOST),
    ("__kmpc_reduce", "host code calls it: device code has reductions of its own"),
    ("__kmpc_reduce_nowait", "host code calls it: device code has reductions of its own"),
    ("__kmpc_team_static_init_4", HOST_LOOPS),
    ("__kmpc_team_static_init_4u", HOST_LOOPS),
    ("__kmpc_team_static_init_8", HOST_LOOPS),
    ("__kmpc_team_static_init_8u", HOST_LOOPS),
    ("__kmpc_threadprivate_cached", "host code calls it: devices have no threadprivate variables"),
    ("__kmpc_threadprivate_register", "host code calls it: devices have no threadprivate variables"),
];
