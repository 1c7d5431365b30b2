//! The tables of exported symbols, and names that the runtime leaves out.

use std::vec::Vec;

use super::symbol::{Interface, Symbol, SymbolGroup};
use super::{
    allocator, kernel, libc, mapping, ompx, parallelism, per_variable, query, reduction, sharing, state,
    sync, tasking, warpfold, workshare,
};

/// All exported symbols.
pub const GROUPS: &[SymbolGroup] = &[
    warpfold::REDUCTIONS,
    per_variable::BASELINES,
    kernel::KERNELS,
    mapping::HARDWARE,
    parallelism::PARALLELISM,
    sharing::SHARING,
    workshare::STATIC,
    workshare::CALLBACK_LOOPS,
    workshare::DYNAMIC,
    workshare::DOACROSS,
    reduction::REDUCTION,
    sync::SYNCHRONIZATION,
    tasking::TASKING,
    allocator::COMPILER_CALLS,
    libc::COMPILER_CALLS,
    state::STATE,
    query::QUERIES,
    query::SETTERS,
    query::WITHOUT_EFFECT,
    sync::LOCKS,
    allocator::OMP_ALLOC,
    sharing::DYNAMIC_SHARED,
    ompx::OMPX,
    libc::LIBC,
];

/// The symbols of these interfaces.
pub fn symbols(interfaces: &[Interface]) -> Vec<Symbol> {
    let of_them = GROUPS.iter().filter(|group| interfaces.contains(&group.interface));
    of_them.flat_map(|group| group.symbols).copied().collect()
}

/// The names of the symbols of these interfaces.
pub fn names(interfaces: &[Interface]) -> Vec<&'static str> {
    symbols(interfaces).iter().map(|symbol| symbol.name).collect()
}

const HOST: &str = "host code calls it";
const HOST_LOOPS: &str = "host code calls it: device code has separate calls for teams and for threads";

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
    ("__kmpc_kernel_prepare_parallel", "no compiler calls it, and LLVM's own runtime does not have it"),
    (
        "__kmpc_proxy_task_completed_ooo",
        "host code calls it: device tasks end in the thread that encounters them",
    ),
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
