//! Whole programs, with the same test body on every kind of device.
//!
//! A case is a function over a [`Fixture`]. [`cases!`] makes a test of each case for one kind of device.
//! There is one test program for each kind, because a process has one driver.

pub mod baselines;
pub mod batches;
pub mod block;
pub mod checked;
pub mod conformance;
pub mod dispersed_model;
pub mod faults;
pub mod files;
pub mod fixture;
pub mod grid;
pub mod host_model;
pub mod lane_order;
pub mod layout;
pub mod lowering;
pub mod matrix;
pub mod offload;
pub mod peers;
pub mod programs;
pub mod random;
pub mod reduce;
pub mod single_construct;
pub mod user;
pub mod warp;

pub use fixture::Fixture;

/// A test for every case, on the device that `$select` chooses. Without such a device, the tests print a
/// message and pass.
#[macro_export]
macro_rules! cases {
    ($select:expr) => {
        $crate::cases! { $select;
            warp: full, contiguous, dispersed;
            block: every_size, unoptimised, first_threads;
            grid: own_slots, shared_slots, slots_of_a_whole_machine;
            baselines: per_variable_path, precondition, atomics_or_tree;
            lowering: by_hand;
            files: of_the_emulator;
            programs: in_c, in_cpp, in_fortran, in_rust;
            matrix: callbacks, float_sums, grids, half_floats_on_older_architectures, indices, large_records,
                random_lists, shapes;
            user: combiners, maps;
            batches: columns, private_arrays;
            reduce: sizes_types_and_operators, initial_values_count_once, sums_are_reproducible,
                unoptimised_kernels, unaligned_arrays, mixed_types, nan_and_signed_zero, parts_of_one_reduction,
                pieces_from_the_host, many_streams, many_threads;
        }
    };
    ($select:expr; $($module:ident: $($case:ident),*;)*) => {
        $(mod $module {
            $(#[test]
            fn $case() {
                if let Some(fixture) = $crate::Fixture::open($select) {
                    $crate::$module::$case(&fixture);
                }
            })*
        })*
    };
}
