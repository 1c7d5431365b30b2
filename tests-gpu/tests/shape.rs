//! Properties of the PTX of the cases' kernels, for every list: no atomics on data, few shuffles.

use codegen_shim::{Op, ReductionList, Source as From, Type, Variable};
use host_rt::OptLevel;
use tests_gpu::{block, fixture::Source, grid, layout::LAYOUTS};
use toolchain::Tools;

/// The number of instructions of the PTX with one of these opcodes.
fn count(ptx: &str, words: &[&str]) -> usize {
    ptx.lines()
        .filter_map(|line| line.split_whitespace().find(|word| !word.starts_with('@')))
        .filter(|opcode| words.iter().any(|word| opcode.split('.').next() == Some(word)))
        .count()
}

/// Atomics access only control words: a record of 96 bytes has as many as one of 4.
#[test]
fn data_is_never_accessed_atomically() {
    let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
    let mut of_grids = Vec::new();
    for layout in LAYOUTS {
        let (list, fields) = (layout.list(), layout.fields());
        let options = [fields.as_str()];
        let of_blocks = block::source(&list, &options).ptx(&tools, 90, OptLevel::O2);
        assert_eq!(count(&of_blocks, &["atom", "red"]), 0, "{layout}");
        assert!(count(&of_blocks, &["shfl"]) > 0, "{layout}\n{of_blocks}");
        of_grids.push(grid::control_words(&list, &options).ptx(&tools, 90, OptLevel::O2));
    }
    // A counter for each kind of grid reduction, and control words to take, fill and free a slot.
    let atomics: Vec<usize> = of_grids.iter().map(|ptx| count(ptx, &["atom", "red"])).collect();
    assert!(atomics[0] > 0 && atomics.iter().all(|&count| count == atomics[0]), "{atomics:?}");
}

/// Variables of different types and operators share the five steps: each step shuffles only the record's
/// words.
#[test]
fn a_full_warp_takes_five_steps_of_the_records_words() {
    const TEXT: &str = "
        extern void __warpfold_warp_reduce_full(void **, void (*)(void **, short, short, short));
        extern void warpfold_shuffle_and_reduce(void **, short, short, short);
        __attribute__((nvptx_kernel)) void warp(double *a, float *b, signed char *c) {
          int lane = __nvvm_read_ptx_sreg_tid_x();
          double sum = a[lane];
          float product = b[lane];
          signed char most = c[lane];
          void *list[] = {&sum, &product, &most};
          __warpfold_warp_reduce_full(list, warpfold_shuffle_and_reduce);
          if (lane == 0)
            *a = sum, *b = product, *c = most;
        }";
    let variable =
        |(name, ty, op): (&str, Type, Op)| Variable { name: name.into(), ty, op, source: From::Array(0) };
    let variables =
        [("sum", Type::F64, Op::Sum), ("product", Type::F32, Op::Product), ("most", Type::I8, Op::Max)];
    let list = ReductionList::new(variables.map(variable).into()).expect("a list");
    let source = Source { text: TEXT, options: &[], callbacks: Some(&list), kernels: &["warp"] };
    let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
    let ptx = source.ptx(&tools, 90, OptLevel::O2);
    // Two words for the f64, one for the f32, one for the i8.
    assert_eq!(count(&ptx, &["shfl"]), 5 * 4, "{ptx}");
    assert_eq!(count(&ptx, &["call", "bar", "atom"]), 0, "{ptx}");
    assert!(!ptx.contains(".local"), "{ptx}");
}

/// clang's tasks have a result, flang's have none: the runtime calls through pointers of both types, as nvlink removes what a
/// function calls that no call through a pointer has the type of.
#[test]
fn tasks_are_called_by_their_types() {
    const TEXT: &str = "
        __attribute__((noinline)) static int alone(int a) { return a + 1; }
        int main(void) {
          int r = 0;
          #pragma omp target map(tofrom: r)
          #pragma omp parallel num_threads(1)
          #pragma omp task shared(r)
          r = alone(r);
          return r - 1;
        }";
    let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
    let library = device_library::openmp_library(&tools).unwrap_or_else(|error| panic!("{error}"));
    let ptx = tools.offload_ptx("task.c", TEXT, 90, OptLevel::O0, &library);
    let ptx = ptx.unwrap_or_else(|error| panic!("{error}"));
    let prototypes: Vec<String> = ptx
        .lines()
        .filter(|line| line.contains(".callprototype"))
        .map(|line| line.replace(' ', ""))
        .collect();
    for results in ["()", "(.param.b32_)"] {
        let of_type = format!(".callprototype{results}_(.param.b32_,.param.b64_);");
        assert!(
            prototypes.iter().any(|line| line.ends_with(&of_type)),
            "{of_type}\n{}",
            prototypes.join("\n")
        );
    }
}
