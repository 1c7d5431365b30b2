//! The kernels of exact sums.

use toolchain::OptLevel;

use crate::KernelCrate;

/// The kernels of `ExactReduction` of `host-rt`. Each takes the number of elements, the cells of
/// [`ExactSum::from_cells`](device_rt::reduce::exact::ExactSum::from_cells), and one or two arrays.
pub const EXACT_SUMS: KernelCrate = KernelCrate {
    name: "exact_sums",
    sources: &[("src/lib.rs", include_str!("exact_kernels.rs"))],
    kernels: &["exact_sum_f32", "exact_sum_f64", "exact_dot_f32", "exact_dot_f64"],
    opt: OptLevel::O3,
};
