//! Subscripts with products of parameters: split where the inner part is proved to stay below the stride, and left alone
//! otherwise. The same nests in C and in the notation of loops.

use std::{
    env, fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use loop_compiler::{
    Options, analyze, c,
    interpret::{self, IterationOrder, Memory, Sizes},
    ir::Region,
    notation,
    privatize::{Choice, Copies, privatize},
    report::FloatOrder,
};

/// A body in C and in the notation, and the classes of its loops.
struct Nest {
    name: &'static str,
    c: &'static str,
    loops: &'static str,
    classes: &'static [&'static str],
}

const NESTS: [Nest; 9] = [
    Nest {
        name: "rows",
        c: "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i * m + j] = b[i * m + j] + 1;",
        loops: "for i: i32 in range(0 : n) { for j: i32 in range(0 : m) { a[i * m + j] = b[i * m + j] + 1 } }",
        classes: &["parallel", "parallel"],
    },
    Nest {
        name: "last",
        c: "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i * m + m - 1 - j] += b[j];",
        loops: "for i: i32 in range(0 : n) { for j: i32 in range(0 : m) { a[i * m + m - 1 - j] += b[j] } }",
        classes: &["parallel", "parallel"],
    },
    Nest {
        name: "three",
        c: "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < m; k++) \
            a[(i * n + j) * m + k] = b[m * (j + n * i) + k] * 2;",
        loops: "for i: i32 in range(0 : n) { for j: i32 in range(0 : n) { for k: i32 in range(0 : m) { \
                a[(i * n + j) * m + k] = b[m * (j + n * i) + k] * 2 } } }",
        classes: &["parallel", "parallel", "parallel"],
    },
    Nest {
        name: "padded",
        c: "for (int i = 0; i < n; i++) for (int j = 1; j <= m; j++) a[i * (m + 2) + j] = b[j];",
        loops: "for i: i32 in range(0 : n) { for j: i32 in range(1 : m + 1) { a[i * (m + 2) + j] = b[j] } }",
        classes: &["parallel", "parallel"],
    },
    Nest {
        name: "columns",
        c: "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[j] += b[i * m + j];",
        loops: "for i: i32 in range(0 : n) { for j: i32 in range(0 : m) { a[j] += b[i * m + j] } }",
        classes: &["reduction", "parallel"],
    },
    // The copies are of all that lies between the corners.
    Nest {
        name: "summed",
        c: "for (int k = 0; k < n; k++) for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) a[i * m + j] += b[k];",
        loops: "for k: i32 in range(0 : n) { for i: i32 in range(1 : n) { for j: i32 in range(0 : m) { \
                a[i * m + j] += b[k] } } }",
        classes: &["reduction", "parallel", "parallel"],
    },
    // `j` reaches `m`: two iterations of `i` write one element.
    Nest {
        name: "beyond",
        c: "for (int i = 0; i < n; i++) for (int j = 0; j <= m; j++) a[i * m + j] = b[j];",
        loops: "for i: i32 in range(0 : n) { for j: i32 in range(0 : m + 1) { a[i * m + j] = b[j] } }",
        classes: &["sequential", "sequential"],
    },
    // The columns before the first are those of the row before.
    Nest {
        name: "before",
        c: "for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) a[i * m + j - 1] = b[j];",
        loops: "for i: i32 in range(1 : n) { for j: i32 in range(0 : m) { a[i * m + j - 1] = b[j] } }",
        classes: &["sequential", "sequential"],
    },
    // Two strides: elements of one may be elements of the other.
    Nest {
        name: "mixed",
        c: "for (int i = 0; i < n; i++) for (int j = 0; j < m && j < n; j++) a[i * m + j] = a[j * n + i] + 1;",
        loops: "for i: i32 in while(0 : 1 : i < n) { for j: i32 in while(0 : 1 : j < m && j < n) { \
                a[i * m + j] = a[j * n + i] + 1 } }",
        classes: &["sequential", "sequential"],
    },
];

fn classes(region: &Region) -> Vec<&'static str> {
    let analysis = analyze(region, &Options::default()).unwrap();
    analysis.loops.iter().map(|looped| looped.class.name()).collect()
}

fn from_c(body: &str) -> Region {
    static FOLDERS: AtomicUsize = AtomicUsize::new(0);
    let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
    let folder = env::temp_dir().join(format!("loop-compiler-split-{}-{number}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("nest.c");
    let text = format!(
        "void f(int n, int m, double *restrict a, const double *restrict b) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
    );
    fs::write(&file, text).unwrap();
    let clang = Path::new("clang-22");
    let input = c::Input { clang, file: &file, arguments: &[], auto: false, assume_distinct: false };
    let source = c::read(&input).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    source.regions.into_iter().next().unwrap().tree.unwrap()
}

fn from_notation(body: &str) -> Region {
    let text = format!("func @f(n: i32, m: i32, a: memref<200 x f64>, b: memref<200 x f64>) {{ {body} }}");
    notation::parse(&text, "test.loops").unwrap_or_else(|error| panic!("{error}")).remove(0)
}

#[test]
fn both_forms_have_the_same_classes() {
    for nest in &NESTS {
        assert_eq!(classes(&from_c(nest.c)), nest.classes, "{} in C", nest.name);
        let tree = from_notation(nest.loops);
        assert_eq!(classes(&tree), nest.classes, "{} in the notation", nest.name);
        // The tree keeps its subscripts.
        let printed = notation::print(&[tree]);
        assert!(nest.name != "three" || printed.contains("(i * n + j) * m + k"), "{printed}");
    }
}

/// The iterations of all parallel loops in random order, with private copies: right, and without a race.
#[test]
fn loops_over_split_subscripts_are_right_in_any_order() {
    for nest in &NESTS {
        let region = from_notation(nest.loops);
        let sizes = Sizes::of([("n", 5), ("m", 4)]);
        let memory = |region: &Region| {
            let mut memory = Memory::new(region, &sizes, &interpret::Options::default()).unwrap();
            memory.fill(3);
            memory.set_values("n", [5.0]);
            memory.set_values("m", [4.0]);
            memory.set_values("workers", [3.0]);
            memory
        };
        let mut expected = memory(&region);
        interpret::run(&region, &mut expected, &interpret::Options::default()).unwrap();
        for (index, class) in nest.classes.iter().enumerate().filter(|(_, class)| **class != "sequential") {
            let choice = Choice {
                loops: [index].into(),
                copies: Copies::Workers,
                atomic: [].into(),
                order: FloatOrder::Free,
                least_work: None,
                is_tested: false,
                omitted: [].into(),
            };
            let made = privatize(&region, &choice, &Options::default()).unwrap().region;
            for seed in 0..4 {
                let mut found = memory(&made);
                let order = IterationOrder::Interleaved(seed);
                let options = interpret::Options { order, ..interpret::Options::default() };
                interpret::run(&made, &mut found, &options)
                    .unwrap_or_else(|error| panic!("{} {index} {class}: {error}", nest.name));
                let (wanted, values) = (expected.values("a").unwrap(), found.values("a").unwrap());
                let near = wanted.iter().zip(&values).all(|(wanted, value)| (wanted - value).abs() < 1e-9);
                assert!(near, "{} {index} {class}: {values:?} and not {wanted:?}", nest.name);
            }
        }
    }
}

/// What is inside other operators is not read again for each of them.
#[test]
fn deep_subscripts_take_no_longer_than_their_text() {
    for (begin, end) in [
        ("(", " * 3u + 1u)"),
        ("(int) (", " * 3u + 1u)"),
        ("(unsigned) (int) (", " + m)"),
        ("(", " * m - 1)"),
    ] {
        for leaf in ["(int) b[i]", "i"] {
            let subscript = format!("{}{leaf}{}", begin.repeat(30), end.repeat(30));
            let region = from_c(&format!("for (int i = 0; i < n; i++) a[{subscript}] = 1;"));
            assert_eq!(classes(&region).len(), 1, "{begin}{leaf}{end}");
        }
    }
}
