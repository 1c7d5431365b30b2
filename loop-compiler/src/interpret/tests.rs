//! What the observer is told, limits, and errors of what C leaves undefined.

use super::*;
use crate::ir::notation::parse;
use crate::ir::types::Scalar;
use crate::ir::{Aliasing, Node, Reference, Region, Storage, Variable, VariableId};

fn region(text: &str) -> Region {
    parse(text, "").unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0)
}

fn memory(region: &Region, n: i128) -> Memory {
    Memory::new(region, &Sizes::of([("n", n)]), &Options::default()).unwrap()
}

/// All accesses as text: iterators, `r` or `w`, name, subscripts.
fn trace(text: &str, n: i128) -> Vec<String> {
    let region = region(text);
    let mut memory = memory(&region, n);
    let mut events = Vec::new();
    observe(&region, &mut memory, &Options::default(), &mut |access| {
        let iterators: Vec<String> = access
            .iterators
            .iter()
            .map(|(nest, value)| format!("{}={value} ", region.variable(nest.iterator).name))
            .collect();
        let name = &region.variable(access.variable).name;
        let members: String = access.members.iter().map(|member| format!(".{member}")).collect();
        let kind = if access.write { 'w' } else { 'r' };
        events.push(format!("{}{kind} {name}{members}{:?}", iterators.concat(), access.subscripts));
    })
    .unwrap();
    events
}

#[test]
fn accesses_are_told_in_the_order_of_the_program() {
    let text = r#"
        func @f(n: index, a: memref<n x i64>, s: i64, p: memref<n x {v[]: f64, k: i32}>) {
          for i in range(0 : n) {
            if a[i] == 0 && s == 0 {
              a[a[i]] += s
            }
            s = a[i] > 5 ? s : 7
          }
        }"#;
    let expected = [
        "r n[]", // The loop's condition, which is outside of the loop.
        "i=0 r a[0]",
        "i=0 r s[]",
        "i=0 r a[0]",
        "i=0 r s[]",
        "i=0 r a[0]",
        "i=0 w a[0]",
        "i=0 r a[0]",
        "i=0 w s[]",
        "r n[]",
        "i=1 r a[1]",
        "i=1 r s[]",
        "i=1 r a[1]",
        "i=1 w s[]",
        "r n[]",
    ];
    assert_eq!(trace(text, 2), expected);
}

#[test]
fn reductions_read_and_write_their_targets() {
    let text = r#"
        func @f(n: index, r: memref<2 x i64>, z: memref<1 x i64>) {
          reduce(r[1], 5) <"+">
          for k in range(0 : 2) {
            reduce_dimension(z, r, 0, map []) <"+">
          }
        }"#;
    let error = parse(text, "").unwrap_err();
    assert_eq!(error.what, "0 dimensions of the source mapped to the 1 of `z`");
    let events = trace(&text.replace("z: memref<1 x i64>", "z: i64"), 1);
    let each = ["r z[]", "r r[0]", "r r[1]", "w z[]"];
    let mut expected = vec!["r r[1]".to_owned(), "w r[1]".to_owned()];
    for k in 0..2 {
        expected.extend(each.map(|event| format!("k={k} {event}")));
    }
    assert_eq!(events, expected);
}

#[test]
fn the_observer_can_tell_nodes_and_references_apart() {
    let region = region("func @f(n: index, a: memref<n x i64>) { a[0] = a[1] + a[1] }");
    let mut memory = memory(&region, 2);
    let mut addresses = Vec::new();
    observe(&region, &mut memory, &Options::default(), &mut |access| {
        assert!(std::ptr::eq(access.node, &raw const region.body[0]));
        addresses.push(access.reference.map(|reference| reference as *const Reference));
    })
    .unwrap();
    let Node::Statement(statement) = &region.body[0] else { panic!() };
    assert_eq!(addresses.len(), 3);
    assert_ne!(addresses[0], addresses[1]);
    assert_eq!(addresses[2], Some(&raw const statement.target));
}

fn failure(body: &str) -> String {
    let text = format!("func @f(n: index, a: memref<n x i32>, f: memref<n x f64>, s: i32) {{\n{body}\n}}");
    let region = region(&text);
    let mut memory = memory(&region, 4);
    memory.set_values("f", [1e30, f64::NAN, -1.0, 0.5]);
    let options = Options { steps: 10_000, memory: 10_000, ..Options::default() };
    run(&region, &mut memory, &options).unwrap_err().to_string()
}

#[test]
fn what_c_does_not_define_is_an_error_with_its_place() {
    for (body, message) in [
        ("a[n] = 1", "2:1: subscript 4 of dimension 0 of `a`, whose extent is 4"),
        ("s = a[-1]", "2:5: subscript -1 of dimension 0 of `a`, whose extent is 4"),
        ("s = 1 / a[0]", "2:1: 1 is divided by 0"),
        ("s = 1 % a[0]", "2:1: 1 is divided by 0"),
        ("s = (-2147483647 - 1) / (a[0] - 1)", "2:1: -2147483648 divided by -1 is not a value of i32"),
        ("s = 1 << 32", "2:1: a shift of i32 by 32"),
        ("s = i32(f[0])", "2:1: 1e30 is not in the range of i32"),
        ("s = i32(f[1])", "2:1: NaN is not in the range of i32"),
        ("x: i32\ns = x", "3:5: `x` is read before it has a value"),
        ("x: i32\nx += 1", "3:1: `x` is read before it has a value"),
        ("x: i32\nreduce(x, 1) <\"+\">", "3:1: `x` is reduced into before it has a value"),
        ("x: memref<a[0] - 1 x i32>", "2:1: an extent of `x` is -1"),
        (
            "x: memref<n * 1000000000000 x i32>",
            "2:1: an array of the extents [4000000000000] exceeds the memory's limit",
        ),
        ("for i in range(0 : s : n) {\n s = 0\n}", "2:1: the step of a loop is 0"),
        ("for i in while(0 : 1 : true) {}", "2:1: more than 10000 steps"),
        (
            "s = i32(tgamma(f[3]))",
            "2:1: the interpreter does not know the function `tgamma` of these arguments",
        ),
    ] {
        let error = failure(body);
        assert!(error.starts_with(message), "{body}\n{error}");
    }
    // A side that is not evaluated is not an error.
    let region =
        region("func @f(n: index, a: memref<n x i32>, s: i32) { s = n > 9 && a[9] == 0 ? a[9] : 1 / 1 }");
    run(&region, &mut memory(&region, 4), &Options::default()).unwrap();
}

#[test]
fn ranges_of_reduced_dimensions_are_checked() {
    let text = "func @f(n: index, t: memref<2 x f64>, s: memref<3 x n x f64>) {\n";
    for (call, message) in [
        (
            "reduce_dimension(t, s, 0, [], [0], [5]) <\"+\">",
            "2:1: the range 0 to 5 of dimension 1 of `s`, whose extent is 4",
        ),
        (
            "reduce_dimension(t, s, 1, [3]) <\"+\">",
            "2:1: the index 3 of dimension 0 of `s`, whose extent is 3",
        ),
        ("reduce_dimension(t, s, 0) <\"+\">", "2:1: the cell [2] of `t`, whose extents are [2]"),
    ] {
        let region = region(&format!("{text}{call}\n}}"));
        let error = run(&region, &mut memory(&region, 4), &Options::default()).unwrap_err().to_string();
        assert!(error.starts_with(message), "{call}\n{error}");
    }
}

#[test]
fn an_empty_dimension_in_place_has_no_cell_to_set() {
    let text = "func @f(n: index, s: memref<2 x n x f64>, t: memref<2 x f64>) {\n";
    let calls =
        "reduce_dimension_inplace(s, 1, [1]) <\"+\", 5.0>\nreduce_dimension(t, s, 1, [1]) <\"+\", 5.0>\n}";
    let region = region(&format!("{text}{calls}"));
    let mut memory = memory(&region, 0);
    run(&region, &mut memory, &Options::default()).unwrap();
    assert_eq!(memory.values("t").unwrap(), [0.0, 5.0]);
}

#[test]
fn operations_and_loads_are_counted() {
    let region = region(
        r#"func @f(n: index, a: memref<n x f64>, s: memref<1 x f64>) {
             p = memref<n x 2 x f64> <"+">
             for i in range(0 : n) {
               s[0] += a[i] * 2.0
               reduce(p[i, i % 2], a[i]) <"+">
             }
           }"#,
    );
    let counts = run(&region, &mut memory(&region, 10), &Options::default()).unwrap();
    // A multiplication and two additions; comparisons of the iterator and remainders.
    assert_eq!((counts.operations, counts.address_operations), (30, 21));
    // `n` once for the extent and 11 times for the condition.
    assert_eq!((counts.loads, counts.stores), (12 + 40, 20));
    assert_eq!(counts.private_bytes, 10 * 2 * 8);
}

#[test]
fn private_memory_of_iterations_does_not_race_and_is_reused() {
    let region = region(
        r#"func @f(n: index, s: memref<n x i64>) {
             par.for i in range(0 : n) {
               x: i64 = i
               row = memref<8 x i64> <"max">
               for j in range(0 : 8) {
                 row[j] = x + j
               }
               reduce_dimension(s, row, 0, map [0]) <"max">
             }
           }"#
        .replace("reduce_dimension(s, row, 0, map [0]) <\"max\">", "s[i] = row[7]")
        .as_str(),
    );
    let mut after = memory(&region, 500);
    let options = Options { order: IterationOrder::Interleaved(5), memory: 200_000, ..Options::default() };
    run(&region, &mut after, &options).unwrap();
    assert_eq!(after.values("s").unwrap(), (7..507).map(f64::from).collect::<Vec<_>>());
}

#[test]
fn an_outer_iterator_shared_by_parallel_iterations_races() {
    let region = region(
        r#"func @f(n: index, s: memref<n x i64>) {
             j: i64
             par.for i in range(0 : n) {
               for j = range(0 : 2) {
                 s[i] += j
               }
             }
           }"#,
    );
    let options = Options { order: IterationOrder::Interleaved(1), ..Options::default() };
    let error = run(&region, &mut memory(&region, 3), &options).unwrap_err();
    assert!(error.what.starts_with("a race in the loop over `i` of line 3: `j` is written by"), "{error}");
    run(&region, &mut memory(&region, 3), &Options::default()).unwrap();
}

#[test]
fn a_race_is_found_though_its_result_is_right() {
    let region = region("func @f(n: index, s: i64) {\n par.for i in range(0 : n) {\n s = 7\n }\n }");
    let options = Options { order: IterationOrder::Interleaved(2), ..Options::default() };
    let error = run(&region, &mut memory(&region, 2), &options).unwrap_err().to_string();
    let expected = [(0, 1), (1, 0)].map(|(first, second)| {
        format!(
            "3:2: a race in the loop over `i` of line 2: `s` is written by the iteration i = {first} (line 3) and \
             written by the iteration i = {second} (line 3); privatize the array, use `reduce`, or make the loop a \
             `for`"
        )
    });
    assert!(expected.contains(&error), "{error}");
}

#[test]
fn a_read_of_another_iteration_races_with_its_write() {
    let stencil = "func @f(n: index, a: memref<n x i64>) { par.for i in range(1 : n) { a[i] = a[i - 1] } }";
    let region = region(stencil);
    for seed in 0..20 {
        let options = Options { order: IterationOrder::Interleaved(seed), ..Options::default() };
        assert!(run(&region, &mut memory(&region, 5), &options).is_err());
    }
}

#[test]
fn memory_has_the_extents_of_sizes_and_says_what_differs() {
    let text = "func @f(n: index, a: memref<? x n x f32>, p: memref<n x {v[]: i8, k: u16}>) { p[0].v[1] = p[0].k a[0, 0] = 1.0 }";
    let region = region(text);
    let mut sizes = Sizes::of([("n", 3)]);
    let options = Options::default();
    let error = Memory::new(&region, &sizes, &options).unwrap_err().to_string();
    assert_eq!(error, "dimension 0 of `a` has no known extent; give it in `Sizes::extents`");
    sizes.extents.insert("a".to_owned(), vec![2, 3]);
    sizes.unknown = Some(5);
    let mut memory = Memory::new(&region, &sizes, &options).unwrap();
    let (p, members) = memory.find("p.v").unwrap();
    assert_eq!(members, ["v"]);
    assert_eq!(memory.cells(p, &["v"]).unwrap().extents, [3, 5]);
    assert_eq!(memory.values("a").unwrap().len(), 6);

    memory.fill(1);
    let before = memory.clone();
    assert_eq!(memory.values("n").unwrap(), [3.0]);
    memory.bytes_mut(p, &["k"]).unwrap()[..2].copy_from_slice(&7u16.to_le_bytes());
    run(&region, &mut memory, &options).unwrap();
    assert_eq!(memory.values("p.v").unwrap()[1], 7.0);
    let difference = before.first_difference(&memory).unwrap();
    assert!(difference.starts_with("`a`[0, 0] is Float("), "{difference}");
    assert_eq!(memory.first_difference(&memory), None);

    let error = Memory::new(&region, &Sizes::of([("m", 3)]), &options).unwrap_err().to_string();
    assert_eq!(error, "there is no parameter `m` to give a size; see the region");
    let error = Memory::new(&region, &Sizes { unknown: Some(1 << 60), ..sizes }, &options).unwrap_err();
    assert!(error.what.ends_with("exceeds the memory's limit"), "{error}");
}

#[test]
fn damaged_trees_are_errors() {
    let mut region = region("func @f(n: index, a: memref<n x f64>) { for i in range(0 : n) { a[i] = 1.0 } }");
    let good = region.clone();
    let Node::Loop(nest) = &mut region.body[0] else { panic!() };
    let Node::Statement(statement) = &mut nest.body[0] else { panic!() };
    statement.value.scalar = Scalar::INT;
    assert!(run(&region, &mut memory(&good, 2), &Options::default()).is_err());
    statement_of(&mut region).target.variable = VariableId(99);
    assert!(run(&region, &mut memory(&good, 2), &Options::default()).is_err());
    let mut region = good.clone();
    region.body.push(Node::Break(Default::default()));
    assert!(run(&region, &mut memory(&good, 2), &Options::default()).is_err());
    // A variable without memory.
    let mut region = good.clone();
    let extra = region.add(Variable {
        name: "b".to_owned(),
        scalar: Scalar::F64,
        declared_type: String::new(),
        extents: good.variables[1].extents.clone(),
        storage: Storage::Parameter,
        aliasing: Aliasing::Distinct,
    });
    statement_of(&mut region).target.variable = extra;
    let error = run(&region, &mut memory(&good, 2), &Options::default()).unwrap_err();
    assert_eq!(error.what, "`b` has no memory here");
}

fn statement_of(region: &mut Region) -> &mut crate::ir::Statement {
    let Node::Loop(nest) = &mut region.body[0] else { panic!() };
    let Node::Statement(statement) = &mut nest.body[0] else { panic!() };
    statement
}
