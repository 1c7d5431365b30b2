//! State that translation units of a program share, and that the host reads or writes.

symbols! {
    /// State that translation units share, and that the host reads or writes.
    const STATE for Compilers;

    functions in "arch/openmp_only/llvm_used.ll" {
        /// Never called: it keeps functions that LLVM calls only after it has changed a kernel's mode.
        fn __warpfold_callees(unused: *mut core::ffi::c_void);
    }

    variables in "arch/state.ll" {
        /// What clang's -fopenmp-target-debug asks the runtime to check: bit 0 stands for its own state.
        static __omp_rtl_debug_kind: [u8; 4] in Generic;
        /// What the host says of the device; libomptarget writes it after loading an image.
        static __omp_rtl_device_environment: [u8; size_of::<super::layout::DeviceEnvironment>()] in Constant;
        /// Locks that stand for objects too large for the hardware's atomics.
        static __warpfold_atomic_locks: [u8; super::layout::ATOMIC_LOCKS * size_of::<u32>()] in Global;
        /// Not 0 in a program whose `distribute` chunks are to go to teams round-robin.
        static __warpfold_dist_round_robin: [u8; 4] in Generic;
        /// Slots of reductions with more teams than records in the launch's buffer.
        static __warpfold_image_slots: [u8; super::layout::IMAGE_SLOT_BYTES] in Global;
        /// 1 while a launch uses them, else 0.
        static __warpfold_image_slots_in_use: [u8; 4] in Global;
        /// The state of the team's regions, one for all translation units.
        static __warpfold_team: [u8; super::layout::TEAM_STATE_BYTES] in Shared;
        /// The internal control variables that the initial task has set.
        static __warpfold_team_icvs: [u8; 16] in Shared;
        /// The launch environment.
        static __warpfold_team_launch: [u8; 8] in Shared;
        /// How the launch's reduction buffer is used.
        static __warpfold_team_layout: [u8; 12] in Shared;
        /// The most threads that the compiler has made the kernel for.
        static __warpfold_team_max_threads: [u8; 4] in Shared;
        /// How the kernel runs.
        static __warpfold_team_mode: [u8; 4] in Shared;
        /// The nesting of each thread.
        static __warpfold_team_nesting: [u8; super::layout::MAX_BLOCK_THREADS * size_of::<u32>()] in Shared;
        /// The version of the runtime, as text that ends with 0.
        static __warpfold_version: [u8; super::layout::VERSION_BYTES] in Constant;
    }
}
