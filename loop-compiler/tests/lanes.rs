//! 000 T12: reductions of a dimension that clang vectorizes along the trailing one have the bits of the scalar loop.

#[path = "common/executed.rs"]
mod executed;
#[path = "common/programs.rs"]
mod programs;

use executed::{Case, by_clang};
use loop_compiler::{
    c,
    interpret::{self, Memory, Options, Sizes},
    notation::parse,
};
use programs::Folder;

#[test]
fn vectorized_dimensions_have_the_bits_of_the_scalar_loop() {
    let text = "func @Sums(parts: index, part: memref<parts x 1024 x f32>, sum: memref<1024 x f32>) {
      reduce_dimension(sum, part, 0) <\"+\", 0.5>
    }";
    let region = parse(text, "").unwrap().remove(0);
    let printed = c::print(&region, 0);
    assert!(printed.contains("#pragma omp simd"), "{printed}");
    let folder = Folder::new("lanes");
    let mut cases = Vec::new();
    for parts in [1, 2, 7, 64] {
        let mut memory = Memory::new(&region, &Sizes::of([("parts", parts)]), &Options::default()).unwrap();
        // Sums that are rounded at each step.
        memory.set_values("part", (0..parts * 1024).map(|index| 1.0 / (1.0 + (index * 37 % 1013) as f64)));
        cases.push(Case::new(format!("{parts} parts"), region.clone(), memory));
    }
    let vectors = ["-O3", "-mavx2", "-fopenmp-simd"];
    let found = by_clang(&cases, &vectors, &folder.0, "vectors").unwrap();
    let scalar = by_clang(&cases, &["-O0"], &folder.0, "scalar").unwrap();
    for ((mut case, vectors), scalar) in cases.into_iter().zip(found).zip(scalar) {
        interpret::run(&region, &mut case.memory, &Options::default()).unwrap();
        let bits = |memory: &Memory| {
            let values = memory.values("sum").unwrap();
            values.into_iter().map(f64::to_bits).collect::<Vec<_>>()
        };
        assert_eq!(bits(&vectors), bits(&case.memory), "{}", case.label);
        assert_eq!(bits(&vectors), bits(&scalar), "{}", case.label);
    }
}
