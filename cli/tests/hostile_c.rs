//! What SECURITY.md promises of C: whatever text `warpfold parallelize` reads, it ends with a report or an error, in bounded
//! time and memory. Each case runs under a limit of address space, which ends what exceeds it, and one of time.

mod common;

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Instant,
};

use common::{folder, is_nightly, text};

/// Bytes that this program, and clang on its own, may map: 1 GiB of clang's text in a vector that doubles, what is made of it, and
/// threads with large stacks.
const ADDRESS_SPACE_KIB: u64 = 6 << 20;

/// Seconds: reading, and the analysis, the simplification and the search for parallel code with at most 20 s each, on a machine
/// with other work.
const SECONDS: u64 = 150;

/// What is said of a text.
#[derive(Clone, Copy)]
enum Says {
    /// A report of so many regions.
    Regions(usize),
    /// An error with these words.
    Error(&'static str),
}
use Says::{Error, Regions};

/// Texts of one kind, one after the other.
fn many<const N: usize>(numbers: [usize; N], of: impl Fn(usize) -> String) -> String {
    let [first, end] = [numbers[0], numbers[N - 1]];
    (first..end).fold(String::new(), |text, k| text + &of(k))
}

fn joined(count: usize, with: &str, of: impl Fn(usize) -> String) -> String {
    (0..count).map(of).collect::<Vec<_>>().join(with)
}

/// A function with a region.
fn region(body: &str) -> String {
    region_of("int n, int *a", body)
}

fn region_of(parameters: &str, body: &str) -> String {
    format!("void f({parameters}) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n")
}

fn loops(depth: usize) -> String {
    many([0, depth], |k| format!("for (int i{k} = 0; i{k} < n; i{k}++)\n"))
}

/// Macros, each of which doubles the one before.
fn doubled(times: usize) -> String {
    let macros = many([0, times], |k| format!("#define X{} X{k} X{k}\n", k + 1));
    format!(
        "#define X0 a[i] += a[i + 1];\n{macros}{}",
        region(&format!("for (int i = 0; i < n; i++) {{ X{times} }}"))
    )
}

fn cases() -> Vec<(&'static str, String, Says)> {
    let index = |count: usize, of: &dyn Fn(usize) -> String| joined(count, " + ", of);
    let mut cases = vec![
        // The two that took over 200 s, and 40 s.
        (
            "deep",
            region(&format!(
                "{}a[{}] += a[{}];",
                loops(30),
                index(30, &|k| format!("i{k}")),
                index(30, &|k| format!("{}*i{k}", k + 2))
            )),
            Regions(1),
        ),
        (
            "modulo",
            region(
                "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)\n  a[(i*7+j*13)%101+(i*3+j)%97+(i+j*5)%89+(i/3)%7+(j/5)%11] += \
                 a[(i*3+j*17)%103+(i/7)%13];",
            ),
            Regions(1),
        ),
        // Deeper, and chained.
        (
            "deeper",
            region(&format!("{}a[{}] += 1;", loops(60), index(60, &|k| format!("i{k}")))),
            Regions(29),
        ),
        (
            "modulo of nests",
            region(&format!(
                "{}a[{}] += a[{}];",
                loops(12),
                index(12, &|k| format!("(i{k} * {}) % {}", 3 + 2 * k, 101 + 2 * k)),
                index(12, &|k| format!("(i{k} / {})", 3 + 2 * k))
            )),
            Regions(1),
        ),
        (
            "modulo of modulo",
            region(&format!(
                "{}a[{}i0 * 31 + i1{}] += 1;",
                loops(2),
                "(".repeat(40),
                many([0, 40], |k| format!(" * {} % {})", 2 * k + 3, 1009 - 2 * k))
            )),
            Regions(1),
        ),
        (
            "triangles",
            region(&format!(
                "{}a[{}] += a[{}];",
                many([0, 14], |k| {
                    let first = k.checked_sub(1).map_or("0".to_owned(), |before| format!("i{before}"));
                    format!(
                        "for (int i{k} = {first}; i{k} < n{}; i{k}++)\n",
                        many([0, k], |j| format!(" - i{j}"))
                    )
                }),
                index(14, &|k| format!("{}*i{k}", k + 1)),
                index(14, &|k| format!("{}*i{k}", 15 - k))
            )),
            Regions(1),
        ),
        (
            "huge coefficients",
            region_of(
                "long n, int *a",
                "for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) for (long k = 0; k < n; k++)\n  a[i*4611686018427387847 + \
                 j*4611686018427387733 - k*2305843009213693921 + 9223372036854775783] += a[i*3074457345618258599 + j*1844674407370955161 + \
                 k*9223372036854775643];",
            ),
            Regions(1),
        ),
        (
            "many accesses",
            region(&format!(
                "for (int i = 0; i < n; i++) {{\n{}}}",
                many([0, 1500], |k| {
                    format!(
                        "a[{}*i+{}] = a[{}*i+{k}] + a[i*{}];\n",
                        7 * k % 997,
                        13 * k % 1009,
                        5 * k % 991,
                        k + 3
                    )
                })
            )),
            Regions(1),
        ),
        (
            "many loops",
            region(&many([0, 3000], |k| {
                format!("for (int i = 0; i < n; i++) a[i + {k}] += a[i + {}];\n", k * 7 % 1001)
            })),
            Regions(1),
        ),
        (
            "many parameters",
            region_of(
                &format!("int n, int *a{}", many([0, 300], |k| format!(", int p{k}"))),
                &format!(
                    "for (int i = 0; i < n; i++)\n  a[i{}] += a[i{}];",
                    many([0, 300], |k| format!(" + p{k}")),
                    many([0, 300], |k| format!(" - p{k}"))
                ),
            ),
            Regions(1),
        ),
        (
            "many pointers",
            region_of(
                &format!("int n{}", many([0, 400], |k| format!(", int *p{k}"))),
                &format!(
                    "for (int i = 0; i < n; i++) {{\n{}}}",
                    many([0, 400], |k| format!("p{k}[i] = p{}[i + 1];\n", (k + 1) % 400))
                ),
            ),
            Regions(1),
        ),
        (
            "arrays of pointers",
            format!(
                "static int *p[4096], *q[4096][64];\n{}",
                region(&format!(
                    "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {{\n{}}}",
                    many([0, 120], |k| format!("p[i + {k}][j * {}] += q[j][{}][i - {k}];\n", k + 1, k % 64))
                ))
            ),
            Regions(1),
        ),
        (
            "long conditions",
            region(&format!(
                "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)\n  if ({}) a[i] += j;",
                joined(300, " || ", |k| format!("(i > {k} * j && i + {k} != j * {} && i < n - {k})", k + 2))
            )),
            Regions(2),
        ),
        (
            "nested conditions",
            region(&format!(
                "for (int i = 0; i < n; i++)\n{}a[i] = 1;",
                many([0, 240], |k| format!("if (a[i] > {k}) "))
            )),
            Regions(1),
        ),
        (
            "conditions in turn",
            region(&format!(
                "for (int i = 0; i < n; i++) {{\n{}}}",
                many([0, 200], |k| format!(
                    "if (i % {} == 1) a[i + {k}] = {k}; else a[i - {k}] = a[i];\n",
                    k + 2
                ))
            )),
            Regions(1),
        ),
        (
            "parentheses",
            region(&format!(
                "for (int i = 0; i < n; i++)\n  a[i] = {}i{};",
                "(".repeat(250),
                ")".repeat(250)
            )),
            Regions(1),
        ),
        (
            "more parentheses",
            region(&format!(
                "for (int i = 0; i < n; i++)\n  a[i] = {}i{};",
                "-(".repeat(100_000),
                ")".repeat(100_000)
            )),
            Error("clang does not take"),
        ),
        (
            "deep expression",
            region(&format!(
                "for (int i = 0; i < n; i++)\n  a[i] = {};",
                joined(8000, " + ", |k| format!("a[i]*{}", k % 9))
            )),
            Error("clang was ended"),
        ),
        (
            "deep choices",
            region(&format!(
                "for (int i = 0; i < n; i++)\n  a[i] = {}0;",
                many([0, 900], |k| format!("i == {k} ? {} : ", 3 * k))
            )),
            Regions(1),
        ),
        ("macros", doubled(12), Regions(1)),
        (
            "text bomb",
            format!(
                "#define X0 \"{}\"\n{}{}",
                "x".repeat(4000),
                many([0, 22], |k| format!("#define X{} X{k} X{k}\n", k + 1)),
                region("for (int i = 0; i < n; i++) a[i] += sizeof(X22);")
            ),
            Error("text bomb.c: clang crashed"),
        ),
        (
            "squares of squares",
            region(&format!(
                "for (int i = 0; i < n; i++) {{\n  int t0 = a[i];\n{}  a[i] = t59;\n}}",
                many([1, 60], |k| format!("  int t{k} = t{0} * t{0};\n", k - 1))
            )),
            Regions(1),
        ),
        (
            "selections",
            region(&format!(
                "for (int i = 0; i < n; i++)\n  for (int j = {}0{}; j < n; j++)\n    a[j] += 1;",
                many([0, 25], |k| format!("(i - {k} > ")),
                many([0, 25], |k| format!(" ? i - {k} : {k})"))
            )),
            Regions(1),
        ),
        (
            "dimensions",
            format!(
                "static int b{};\n{}",
                "[2]".repeat(28),
                region(&format!(
                    "{}b{} += b{};",
                    many([0, 28], |k| format!("for (int i{k} = 0; i{k} < 2; i{k}++)\n")),
                    many([0, 28], |k| format!("[i{k}]")),
                    many([0, 28], |k| format!("[1 - i{}]", 27 - k))
                ))
            ),
            Regions(1),
        ),
        (
            "pragmas",
            region(&format!(
                "{}for (int i = 0; i < n; i++) a[i] = 1;",
                "#pragma omp parallel for\n".repeat(20_000)
            )),
            Regions(1),
        ),
        ("bytes", "\u{0}\u{1}#pragma scop\n{{{{((((\"'".repeat(1000), Error("clang does not take")),
    ];
    if is_nightly() {
        // It takes the minute that clang may take.
        cases.push(("macro bomb", doubled(24), Error("clang was ended")));
    }
    let mut functions = String::new();
    for k in 0..300 {
        let _ = write!(
            functions,
            "{}",
            region(&format!("for (int i = 0; i < n; i++) a[i + {k}] += a[i];"))
                .replace(" f(", &format!(" f{k}("))
        );
    }
    cases.push(("many regions", functions, Regions(300)));
    cases
}

/// Runs a case; what is wrong with how it ends.
fn wrong(folder: &Path, name: &str, says: Says) -> Option<String> {
    let begin = Instant::now();
    let output = Command::new("bash")
        .args([
            "-c",
            &format!("ulimit -v {ADDRESS_SPACE_KIB}; exec timeout --kill-after=5 {SECONDS} \"$0\" \"$@\""),
        ])
        .args([
            env!("CARGO_BIN_EXE_warpfold"),
            "parallelize",
            &format!("{name}.c"),
            "--report",
            "--target=cpu",
            "-o/dev/null",
            &format!("--seconds={}", if is_nightly() { 20 } else { 2 }),
        ])
        .current_dir(folder)
        .output()
        .expect("bash");
    let (out, err, status) = (text(&output.stdout), text(&output.stderr), output.status.code());
    let seconds = begin.elapsed().as_secs();
    println!("{name}: {seconds} s");
    let counted = |count: usize| format!("{count} region{}", if count == 1 { "" } else { "s" });
    let is_right = match says {
        Regions(count) => status == Some(0) && out.starts_with(&format!("{name}.c: {}, ", counted(count))),
        Error(words) => status == Some(1) && err.contains(words),
    };
    let end = |text: &str| text.chars().take(300).collect::<String>();
    (!is_right || err.contains("panicked"))
        .then(|| format!("{name}: {status:?} after {seconds} s: {}{}", end(&out), end(&err)))
}

#[test]
fn time_and_memory_are_bounded_whatever_the_text() {
    let folder = folder(&[]);
    let cases = cases();
    for (name, text, _) in &cases {
        fs::write(folder.path().join(format!("{name}.c")), text).expect("a file");
    }
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut found = Vec::new();
        while let Some((name, _, says)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(wrong(folder.path(), name, *says));
        }
        found
    };
    let found: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}
