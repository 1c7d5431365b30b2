//! The one table of the symbols that the device build exports.

/// One exported function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// Its symbol.
    pub name: &'static str,
    /// Its type, as LLVM IR writes it.
    pub ty: &'static str,
    /// What it does, in one line.
    pub doc: &'static str,
}

macro_rules! exports {
    ($($name:literal $ty:literal $doc:literal)*) => {
        /// Every symbol that stays visible in the device bitcode, in order of their names.
        pub const EXPORTS: &[Export] = &[$(Export { name: $name, ty: $ty, doc: $doc }),*];

        /// The names of [`EXPORTS`].
        pub const EXPORT_NAMES: &[&str] = &[$($name),*];
    };
}

exports! {
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
    "__warpfold_warp_reduce_contiguous" "void (ptr, ptr, i32, i32)"
        "(list, shfl, size, lane): reduces over lanes 0 to size-1 into lane 0"
    "__warpfold_warp_reduce_full" "void (ptr, ptr)"
        "(list, shfl): reduces over all 32 lanes into lane 0"
    "gpu_irregular_block_reduce" "void (ptr, ptr, ptr, i32)"
        "(list, shfl, iwcpy, size): reduces over threads 0 to size-1 of the block into thread 0"
    "gpu_irregular_warp_reduce" "void (ptr, ptr, i32, i32)"
        "(list, shfl, size, lane): __warpfold_warp_reduce_contiguous"
    "gpu_regular_warp_reduce" "void (ptr, ptr)"
        "(list, shfl): __warpfold_warp_reduce_full"
}
