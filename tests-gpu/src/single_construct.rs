//! OpenMP programs of one construct each, for the conformance suite.
//!
//! How LLVM optimises a construct depends on the rest of the program: it propagates constant arguments into a
//! function of the runtime that is called once, which does not happen in a program of many constructs. So
//! these programs have one construct each, in each kind of kernel, with constant and other bounds, as the
//! first kernel and after another one.

use crate::conformance::Program;

/// Kinds of kernels around a loop. `CLAUSES` is replaced by the schedule, `REDUCE` by a reduction clause,
/// `BODY` by the body of an iteration.
const LOOPS: [(&str, &str); 7] = [
    (
        "spmd",
        "OMP(target parallel for num_threads(40) CLAUSES REDUCE SHARE)\nfor (int i = 0; i < n; i++) BODY",
    ),
    (
        "teams",
        "OMP(target teams distribute parallel for num_teams(3) thread_limit(64) CLAUSES REDUCE SHARE)\n\
         for (int i = 0; i < n; i++) BODY",
    ),
    (
        "split",
        "OMP(target parallel num_threads(40) SHARE)\nOMP(for CLAUSES REDUCE)\nfor (int i = 0; i < n; i++) BODY",
    ),
    (
        "promoted",
        "OMP(target SHARE)\n{\n  r = START;\n  OMP(parallel for num_threads(40) CLAUSES REDUCE)\n  \
         for (int i = 0; i < n; i++) BODY\n}",
    ),
    (
        "generic",
        "//! options -mllvm -openmp-opt-disable-spmdization\nOMP(target SHARE)\n{\n  r = START;\n  \
         OMP(parallel for num_threads(40) CLAUSES REDUCE)\n  for (int i = 0; i < n; i++) BODY\n}",
    ),
    (
        "distribute",
        "OMP(target teams distribute num_teams(2) REDUCE SHARE)\nfor (int t = 0; t < 2; t++) {\n  \
         OMP(parallel for num_threads(40) CLAUSES REDUCE)\n  for (int i = t; i < n; i += 2) BODY\n}",
    ),
    (
        "downwards",
        "OMP(target SHARE)\n{\n  r = START;\n  OMP(parallel num_threads(40))\n  OMP(for CLAUSES REDUCE)\n  \
         for (long i = n - 1; i >= 0; i--) BODY\n}",
    ),
];

/// Schedules, and whether a loop over teams may have them.
const SCHEDULES: [(&str, bool); 9] = [
    ("", true),
    ("schedule(static, 3)", true),
    ("schedule(dynamic)", true),
    ("schedule(dynamic, 4)", true),
    ("schedule(guided)", true),
    ("schedule(auto)", true),
    ("schedule(runtime)", true),
    ("ordered", false),
    ("ordered schedule(dynamic, 2)", false),
];

/// Bodies of an iteration, and whether they are a reduction. Every iteration adds to its own word and to the
/// sum.
const BODIES: [(&str, &str, bool); 4] = [
    ("reduction", "{ h[i]++; r += 3 * i; }", true),
    ("atomic", "{\n  h[i]++;\n  OMP(atomic)\n  r += 3 * i;\n}", false),
    ("critical", "{\n  h[i]++;\n  OMP(critical)\n  r += 3 * i;\n}", false),
    ("function", "{ h[i]++; add(&r, 3 * i); }", false),
];

/// Kinds of kernels around the body of a parallel region.
const REGIONS: [(&str, &str); 3] = [
    ("spmd", "OMP(target parallel num_threads(40) SHARE)\n{\n  BODY\n}"),
    (
        "promoted",
        "OMP(target SHARE)\n{\n  r = START;\n  OMP(parallel num_threads(40))\n  {\n    BODY\n  }\n}",
    ),
    (
        "generic",
        "//! options -mllvm -openmp-opt-disable-spmdization\nOMP(target SHARE)\n{\n  r = START;\n  \
         OMP(parallel num_threads(40))\n  {\n    BODY\n  }\n}",
    ),
];

/// Bodies of a region, and what they add to the sum; `threads` is the number of threads.
const INSIDE: [(&str, &str, &str); 24] = [
    ("every_thread", "OMP(atomic)\nr += 1;", "threads"),
    ("single", "OMP(single)\nr += 5;", "5"),
    ("single_nowait", "OMP(single nowait)\nr += 5;", "5"),
    ("copyprivate", "int v = 0;\nOMP(single copyprivate(v))\nv = 7;\nOMP(atomic)\nr += v;", "7 * threads"),
    ("masked", "OMP(masked)\nr += 5;", "5"),
    ("masked_filter", "OMP(masked filter(1))\nr += 5;", "threads > 1 ? 5 : 0"),
    (
        "sections",
        "OMP(sections)\n{\n  OMP(section)\n  { OMP(atomic) r += 1; }\n  OMP(section)\n  { OMP(atomic) r += 10; }\n}",
        "11",
    ),
    ("critical", "OMP(critical)\nr += 2;", "2 * threads"),
    ("critical_by_name", "OMP(critical(name) hint(omp_sync_hint_contended))\nr += 2;", "2 * threads"),
    (
        "lock",
        "static omp_lock_t lock;\nOMP(single)\nomp_init_lock(&lock);\nomp_set_lock(&lock);\nr += 2;\n\
         omp_unset_lock(&lock);",
        "2 * threads",
    ),
    (
        "nest_lock",
        "static omp_nest_lock_t lock;\nOMP(single)\nomp_init_nest_lock(&lock);\nfor (int k = 0; k < 3; k++)\n  \
         omp_set_nest_lock(&lock);\nr += 2;\nfor (int k = 0; k < 3; k++)\n  omp_unset_nest_lock(&lock);",
        "2 * threads",
    ),
    (
        "task",
        "OMP(single)\nfor (int k = 0; k < 10; k++) {\n  OMP(task firstprivate(k))\n  { OMP(atomic) r += k; }\n}",
        "45",
    ),
    (
        "taskloop",
        "OMP(single)\nOMP(taskloop grainsize(3))\nfor (int k = 0; k < 10; k++) {\n  OMP(atomic)\n  r += k;\n}",
        "45",
    ),
    (
        "task_reduction",
        "OMP(single)\nOMP(taskgroup task_reduction(+ : r))\nfor (int k = 0; k < 10; k++) {\n  \
         OMP(task in_reduction(+ : r))\n  r += k;\n}",
        "45",
    ),
    (
        "depend",
        "OMP(single)\n{\n  int x = 1;\n  OMP(task shared(x) depend(out : x))\n  x = 5;\n  \
         OMP(task shared(x) depend(in : x))\n  r += x;\n  OMP(taskwait)\n}",
        "5",
    ),
    (
        "doacross",
        "OMP(for ordered(1))\nfor (int i = 0; i < n; i++) {\n  OMP(ordered depend(sink : i - 1))\n  \
         r += i * (r > 0);\n  OMP(ordered depend(source))\n}",
        "n * (n - 1) / 2",
    ),
    (
        "ordered",
        "OMP(for ordered schedule(static, 1))\nfor (int i = 0; i < n; i++) {\n  OMP(ordered)\n  r += i;\n}",
        "n * (n - 1) / 2",
    ),
    ("inner_region", "OMP(parallel num_threads(4))\n{\n  OMP(atomic)\n  r += 1;\n}", "threads"),
    (
        "barrier",
        "h[omp_get_thread_num()] = omp_get_thread_num();\nOMP(barrier)\n\
         int next = (omp_get_thread_num() + 1) % omp_get_num_threads();\nint right = h[next] == next;\nOMP(barrier)\n\
         h[omp_get_thread_num()] = 0;\nOMP(atomic)\nr += right;",
        "threads",
    ),
    (
        "two_loops",
        "OMP(for nowait)\nfor (int i = 0; i < n; i++) {\n  OMP(atomic)\n  r += i;\n}\nOMP(for schedule(dynamic))\n\
         for (int i = 0; i < n; i++) {\n  OMP(atomic)\n  r += i;\n}",
        "n * (n - 1)",
    ),
    (
        "lastprivate",
        "static int x;\nOMP(for lastprivate(x))\nfor (int i = 0; i < n; i++)\n  x = i;\nOMP(atomic)\nr += x;",
        "(n - 1) * threads",
    ),
    ("scope", "OMP(scope reduction(+ : r))\nr += omp_get_thread_num();", "threads * (threads - 1) / 2"),
    (
        "queries",
        "int right = omp_get_level() == 1 && omp_in_parallel() == (omp_get_num_threads() > 1) && \
         omp_get_team_size(1) == omp_get_num_threads() && omp_get_ancestor_thread_num(1) == omp_get_thread_num();\n\
         OMP(atomic)\nr += right;",
        "threads",
    ),
    (
        "shared_array",
        "static int all[64];\nall[omp_get_thread_num()] = 3;\nOMP(barrier)\nOMP(single)\n\
         for (int k = 0; k < omp_get_num_threads(); k++)\n  r += all[k];",
        "3 * threads",
    ),
];

/// All programs.
pub fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    for (context, around) in LOOPS {
        for (schedule, over_teams) in SCHEDULES {
            if context == "teams" && !over_teams {
                continue;
            }
            for (body, inside, is_reduction) in BODIES {
                let reduce = if is_reduction { "reduction(+ : r)" } else { "" };
                let kernel =
                    around.replace("CLAUSES", schedule).replace("REDUCE", reduce).replace("BODY", inside);
                let expected = "for (int i = 0; i < n; i++)\n  w[i]++, e += 3 * i;";
                add(&mut all, &format!("{context} {schedule} {body}"), &kernel, expected);
            }
        }
    }
    for (context, around) in REGIONS {
        for (name, inside, sum) in INSIDE {
            let counted =
                format!("if (omp_get_thread_num() == 0)\n  threads = omp_get_num_threads();\n{inside}");
            let kernel = around.replace("BODY", &counted);
            add(&mut all, &format!("{context} region {name}"), &kernel, &format!("e += {sum};"));
        }
    }
    all
}

/// Adds a program with one construct. Constant bounds, and another kernel before, alternate.
fn add(all: &mut Vec<Program>, name: &str, kernel: &str, expected: &str) {
    let number = all.len() + all.len() / 4;
    let bound =
        if number.is_multiple_of(2) { "enum { n = 100 };" } else { "const int n = argc > 5 ? argc : 100;" };
    let before = match number / 2 % 2 {
        0 => "OMP(target map(tofrom : r))\nOMP(parallel num_threads(40))\nOMP(single)\nr = START;",
        _ => "",
    };
    // Directives must be at the top of a program.
    let (directives, kernel) = match kernel.split_once('\n') {
        Some((line, rest)) if line.starts_with("//! ") => (line, rest),
        _ => ("//! note", kernel),
    };
    let words: Vec<&str> =
        name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let file = format!("single_{}.c", words.join("_"));
    let text = format!(
        "//! whole\n//! modes O2 O2-lto\n//! orders in-order random\n{directives}\n\
         #include <omp.h>\n#include <stdio.h>\n\
         #define TEXT(x) #x\n#define OMP(...) _Pragma(TEXT(omp __VA_ARGS__))\n\
         enum {{ START = 3 }};\n\
         #define SHARE map(tofrom : r, h, threads)\n\
         #pragma omp begin declare target\n\
         __attribute__((noinline)) void add(int *r, int by) {{\n  OMP(atomic)\n  *r += by;\n}}\n\
         #pragma omp end declare target\n\
         int main(int argc, char **argv) {{\n\
         {bound}\n\
         int r = START, e = START, h[100] = {{0}}, w[100] = {{0}}, threads = 0, failures = 0;\n\
         {before}\n\
         {kernel}\n\
         {expected}\n\
         for (int i = 0; i < 100; i++) failures += h[i] != w[i];\n\
         if (r != e) failures++, printf(\"%d, not %d\\n\", r, e);\n\
         printf(\"%d failures\\n\", failures);\n\
         return failures != 0;\n}}\n"
    );
    all.push(Program::read(&file, &text).expect("valid directives"));
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_and_texts_of_programs_are_unique() {
        let programs = super::programs();
        let names: std::collections::BTreeSet<&str> = programs.iter().map(|program| &*program.name).collect();
        let texts: std::collections::BTreeSet<&str> = programs.iter().map(|program| &*program.text).collect();
        assert_eq!((names.len(), texts.len()), (programs.len(), programs.len()));
        let words = ["CLAUSES", "REDUCE", "BODY"];
        assert!(programs.iter().all(|program| words.iter().all(|word| !program.text.contains(word))));
    }
}
