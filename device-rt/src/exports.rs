//! The one table of the symbols that the device builds export.

/// One exported symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// Its symbol.
    pub name: &'static str,
    /// Its type, as LLVM IR writes it; of a variable with its address space.
    pub ty: &'static str,
    /// What it does, in one line.
    pub doc: &'static str,
}

macro_rules! exports {
    ($($(#[$doc:meta])* $table:ident, $names:ident { $($name:literal $ty:literal $what:literal)* })*) => {$(
        $(#[$doc])*
        pub const $table: &[Export] = &[$(Export { name: $name, ty: $ty, doc: $what }),*];

        #[doc = concat!("The names of [`", stringify!($table), "`].")]
        pub const $names: &[&str] = &[$($name),*];
    )*};
}

exports! {
    /// The reductions for kernels of our own and of other generators.
    REDUCTION_EXPORTS, REDUCTION_NAMES {
        "__warpfold_anchor" "void ()"
            "does nothing; kept, it gives a module without line information one line directive"
        "__warpfold_block_reduce" "i32 (ptr, ptr, ptr)"
            "(list, shfl, iwcpy): reduces over all threads of the block; 1 in linear thread 0, else 0"
        "__warpfold_grid_finalize" "i32 (ptr, i32, ptr, ptr, ptr, ptr, ptr)"
            "(workspace, num_slots, list, shfl, iwcpy, glcpy, glred): folds the slots, one block; 1 in thread 0"
        "__warpfold_grid_reduce" "i32 (ptr, ptr, ptr, ptr, ptr, ptr, ptr)"
            "(workspace, list, shfl, iwcpy, lgcpy, glcpy, glred): reduces over the grid; 1 in one thread of it"
        "__warpfold_grid_store" "void (ptr, ptr, ptr, ptr, ptr)"
            "(workspace, list, shfl, iwcpy, lgcpy): reduces over the block and stores the block's slot"
        "__warpfold_slots_accumulate" "void (ptr, i32, i32, ptr, ptr, ptr, ptr, ptr)"
            "(workspace, rows, per_row, list, shfl, iwcpy, lgcpy, lgred): reduces over the block and combines into a slot"
        "__warpfold_slots_finalize" "i32 (ptr, i32, i32, ptr, ptr, ptr, ptr, ptr)"
            "(workspace, rows, per_row, list, shfl, iwcpy, glcpy, glred): folds the filled slots, one block; 1 in thread 0"
        "__warpfold_slots_reduce" "i32 (ptr, i32, i32, ptr, ptr, ptr, ptr, ptr, ptr, ptr)"
            "(workspace, rows, per_row, list, shfl, iwcpy, lgcpy, lgred, glcpy, glred): reduces over the grid; 1 in one thread"
        "__warpfold_warp_reduce_contiguous" "void (ptr, ptr, i32, i32)"
            "(list, shfl, size, lane): reduces over lanes 0 to size-1 into lane 0"
        "__warpfold_warp_reduce_dispersed" "i32 (ptr, ptr, i32)"
            "(list, masked shfl, mask): reduces over the lanes of mask, in their order, into the lowest; 1 there"
        "__warpfold_warp_reduce_full" "void (ptr, ptr)"
            "(list, shfl): reduces over all 32 lanes into lane 0"
        "can_block_reduce" "i32 (i32, i32)"
            "(threads of the region, active lanes): baseline; whether LLVM's first runtime could use a tree"
        "gpu_irregular_block_reduce" "void (ptr, ptr, ptr, i32)"
            "(list, shfl, iwcpy, size): reduces over threads 0 to size-1 of the block into thread 0"
        "gpu_irregular_simt_reduce" "void (ptr, ptr, i32)"
            "(list, masked shfl, mask): __warpfold_warp_reduce_dispersed"
        "gpu_irregular_warp_reduce" "void (ptr, ptr, i32, i32)"
            "(list, shfl, size, lane): __warpfold_warp_reduce_contiguous"
        "gpu_regular_warp_reduce" "void (ptr, ptr)"
            "(list, shfl): __warpfold_warp_reduce_full"
        "kmpc_reduce_block_double" "i32 (ptr)"
            "(value): baseline; sums lane 0 of every warp, all of which get the sum; 1 in linear thread 0, else 0"
        "kmpc_reduce_block_float" "i32 (ptr)"
            "(value): baseline; as kmpc_reduce_block_double"
        "kmpc_reduce_block_int32" "i32 (ptr)"
            "(value): baseline; as kmpc_reduce_block_double"
        "kmpc_reduce_block_int64" "i32 (ptr)"
            "(value): baseline; as kmpc_reduce_block_double"
        "kmpc_reduce_warp" "i32 (ptr, ptr, i32)"
            "(list, swap, in_simd_region): baseline; reduces over the warp into lane 0; 1 or 0 in a simd region, else 3"
    }

    /// What clang and flang call, and what they and libomptarget find by name.
    OPENMP_EXPORTS, OPENMP_NAMES {
        "__kmpc_barrier" "void (ptr, i32)"
            "(location, thread): barrier of the parallel region, or of the team outside one"
        "__kmpc_barrier_simple_spmd" "void (ptr, i32)"
            "(location, thread): barrier of the block"
        "__kmpc_distribute_static_fini" "void (ptr, i32)"
            "(location, thread): does nothing"
        "__kmpc_distribute_static_init_4" "void (ptr, i32, i32, ptr, ptr, ptr, ptr, i32, i32)"
            "(location, thread, schedule, &last, &lower, &upper, &stride, increment, chunk): teams share a loop"
        "__kmpc_distribute_static_init_4u" "void (ptr, i32, i32, ptr, ptr, ptr, ptr, i32, i32)"
            "(location, thread, schedule, &last, &lower, &upper, &stride, increment, chunk): teams share a loop"
        "__kmpc_distribute_static_init_8" "void (ptr, i32, i32, ptr, ptr, ptr, ptr, i64, i64)"
            "(location, thread, schedule, &last, &lower, &upper, &stride, increment, chunk): teams share a loop"
        "__kmpc_distribute_static_init_8u" "void (ptr, i32, i32, ptr, ptr, ptr, ptr, i64, i64)"
            "(location, thread, schedule, &last, &lower, &upper, &stride, increment, chunk): teams share a loop"
        "__kmpc_for_static_fini" "void (ptr, i32)"
            "(location, thread): does nothing"
        "__kmpc_for_static_init_4" "void (ptr, i32, i32, ptr, ptr, ptr, ptr, i32, i32)"
            "(location, thread, schedule, &last, &lower, &upper, &stride, increment, chunk): threads share a loop"
        "__kmpc_for_static_init_4u" "void (ptr, i32, i32, ptr, ptr, ptr, ptr, i32, i32)"
            "(location, thread, schedule, &last, &lower, &upper, &stride, increment, chunk): threads share a loop"
        "__kmpc_for_static_init_8" "void (ptr, i32, i32, ptr, ptr, ptr, ptr, i64, i64)"
            "(location, thread, schedule, &last, &lower, &upper, &stride, increment, chunk): threads share a loop"
        "__kmpc_for_static_init_8u" "void (ptr, i32, i32, ptr, ptr, ptr, ptr, i64, i64)"
            "(location, thread, schedule, &last, &lower, &upper, &stride, increment, chunk): threads share a loop"
        "__kmpc_get_hardware_num_threads_in_block" "i32 ()"
            "threads of the block"
        "__kmpc_get_hardware_thread_id_in_block" "i32 ()"
            "linear number of the thread in its block"
        "__kmpc_get_warp_size" "i32 ()"
            "32"
        "__kmpc_global_thread_num" "i32 (ptr)"
            "(location): number of the thread in its parallel region"
        "__kmpc_gpu_xteam_reduce_nowait" "i32 (ptr, ptr, ptr, ptr, ptr, ptr, ptr)"
            "(location, list, shfl, iwcpy, lgcpy, glcpy, glred): reduces over teams; 1 in the thread with the result"
        "__kmpc_nvptx_parallel_reduce_nowait_v2" "i32 (ptr, i64, ptr, ptr, ptr)"
            "(location, bytes, list, shfl, iwcpy): reduces over the parallel region; 1 in the thread with the result"
        "__kmpc_nvptx_teams_reduce_nowait_v2" "i32 (ptr, ptr, i32, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr)"
            "(location, buffer, records, bytes, list, shfl, iwcpy, lgcpy, lgred, glcpy, glred): reduces over teams; as above"
        "__kmpc_parallel_60" "void (ptr, i32, i32, i32, i32, ptr, ptr, ptr, i64, i32)"
            "(location, thread, if, num_threads, proc_bind, outlined, wrapper, captured, count, strict): a parallel region"
        "__kmpc_reduction_get_fixed_buffer" "ptr ()"
            "the reduction buffer of the launch, or null"
        "__kmpc_shuffle_int32" "i32 (i32, i16, i16)"
            "(value, delta, width): the value of the lane `delta` above"
        "__kmpc_shuffle_int64" "i64 (i64, i16, i16)"
            "(value, delta, width): the value of the lane `delta` above"
        "__kmpc_target_deinit" "void ()"
            "ends a kernel"
        "__kmpc_target_init" "i32 (ptr, ptr)"
            "(environment, launch): starts a kernel; -1 where its body is to run"
        "__omp_rtl_device_environment" "[48 x i8] addrspace(4)"
            "what the host says of the device; written after an image was loaded"
        "__warpfold_team" "[1040 x i8] addrspace(3)"
            "state of the team, one for all translation units"
    }
}
