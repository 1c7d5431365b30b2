//! Whole programs, with the same test body on every device there is.
//!
//! A case is a function over a [`Bench`]. [`cases!`] makes a test of each for one kind of device; there is one
//! test program a kind, because a process has one driver.

pub mod alone;
pub mod batches;
pub mod bench;
pub mod block;
pub mod conformance;
pub mod dispersed;
pub mod files;
pub mod golden;
pub mod grid;
pub mod layout;
pub mod legacy;
pub mod lowering;
pub mod matrix;
pub mod model;
pub mod offload;
pub mod programs;
pub mod reduce;
pub mod user;
pub mod warp;

pub use bench::Bench;

/// A test for every case, on the device that `$select` chooses. Where there is no such device, the tests say
/// so and pass.
#[macro_export]
macro_rules! cases {
    ($select:expr) => {
        $crate::cases! { $select;
            warp: full, contiguous, dispersed;
            block: every_size, unoptimised, first_threads;
            grid: own_slots, shared_slots, slots_of_a_whole_machine;
            legacy: appendix, precondition;
            lowering: by_hand;
            files: of_the_emulator;
            programs: in_c, in_cpp, in_fortran, in_rust;
            matrix: callbacks, float_sums, grids, half_floats_on_older_architectures, indices, large_records,
                random_lists, shapes;
            user: combiners, maps;
            batches: columns, private_arrays;
            reduce: sizes_types_and_operators, initial_values_count_once, both_ways_to_finish,
                unoptimised_kernels, unaligned_arrays, mixed_types, nan_and_signed_zero, parts_of_one_reduction,
                pieces_from_the_host, many_streams, many_threads;
        }
    };
    ($select:expr; $($module:ident: $($case:ident),*;)*) => {
        $(mod $module {
            $(#[test]
            fn $case() {
                if let Some(bench) = $crate::Bench::open($select) {
                    $crate::$module::$case(&bench);
                }
            })*
        })*
    };
}
