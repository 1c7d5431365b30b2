//! `warpfold cc` and `warpfold run`: programs from source to result.

mod common;

use std::fs;

use common::{command, made, printed, text, warpfold};

const SUM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  double s = 0.5;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 1; i <= n; i++) s += i;
  printf("%.1f\n", s);
  return argc > 2;
}
"#;

#[test]
fn a_c_program_runs_with_its_arguments_and_exit_status() {
    let (folder, _) = made(&[("sum.c", SUM)], &["cc", "-O2", "sum.c", "-o", "program"]);
    let output = warpfold(folder.path(), &["run", "./program", "1000"]);
    assert_eq!((text(&output.stdout), output.status.code()), ("500500.5\n".into(), Some(0)), "{output:?}");
    let output = warpfold(folder.path(), &["run", "--seed", "7", "./program", "10", "--jobs"]);
    assert_eq!((text(&output.stdout), output.status.code()), ("55.5\n".into(), Some(1)), "{output:?}");

    let output =
        warpfold(folder.path(), &["run", "--counts=counts.json", "--jobs", "2", "./program", "1000"]);
    assert!(output.status.success(), "{output:?}");
    let counts: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("counts.json")).expect("the counts"))
            .expect("JSON");
    let [launch] = counts["launches"].as_array().expect("a list").as_slice() else { panic!("{counts}") };
    assert!(launch["kernel"].as_str().is_some_and(|name| name.starts_with("__omp_offloading_")), "{counts}");
    assert!(launch["thread_instructions"].as_u64() > Some(1000), "{counts}");
    let output = warpfold(folder.path(), &["run", "--counts", "./program", "1000"]);
    let table = text(&output.stderr);
    assert!(table.lines().count() == 2 && table.contains("thread instr."), "{table}");
}

#[test]
fn an_image_for_another_gpu_is_reported_with_a_hint() {
    let (folder, _) = made(&[("sum.c", SUM)], &["cc", "-O1", "sum.c", "-o", "program"]);
    // Found in the program before it runs; for a script, only after it has run.
    let output = warpfold(folder.path(), &["run", "--sm", "a100", "./program", "1000"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{message}");
    for part in ["for sm_90 only", "the emulated GPU is sm_80", "`--sm sm_90`", "--offload-arch=sm_80"] {
        assert!(message.contains(part), "{message}");
    }
    let script = folder.path().join("script");
    fs::write(&script, "#!/bin/sh\nexec ./program 1000\n").expect("a script");
    let output = warpfold(folder.path(), &["run", "--sm", "a100", "sh", "./script"]);
    let message = text(&output.stderr);
    assert!(!output.status.success() && message.contains("--offload-arch=sm_80"), "{message}");
}

#[test]
fn a_cpp_program_of_two_files_runs() {
    let main = r#"
#include <complex>
#include <cstdio>
long total(int n);
int main() {
  std::printf("%ld\n", total(100));
}
"#;
    let other = r#"
template <class T> static T square(T x) { return x * x; }
long total(int n) {
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 1; i <= n; i++) s += square<long>(i);
  return s;
}
"#;
    let files = [("main.cpp", main), ("other.cpp", other)];
    let (folder, _) = made(&files, &["c++", "-O2", "main.cpp", "other.cpp", "-o", "program"]);
    let output = warpfold(folder.path(), &["run", "./program"]);
    assert_eq!(text(&output.stdout), "338350\n", "{output:?}");
}

#[test]
fn a_fortran_program_runs() {
    let sums = "
program sums
  implicit none
  integer :: i
  real(8) :: s
  s = 0.5d0
  !$omp target teams distribute parallel do reduction(+:s)
  do i = 1, 1000
    s = s + i
  end do
  !$omp end target teams distribute parallel do
  print '(F0.1)', s
end program
";
    for level in ["-O0", "-O2"] {
        let (folder, _) = made(&[("sums.f90", sums)], &["fc", level, "sums.f90", "-o", "program"]);
        let output = warpfold(folder.path(), &["run", "./program"]);
        assert_eq!(text(&output.stdout).trim(), "500500.5", "{level}: {output:?}");
    }
}

/// flang's generic mode, critical regions (PTX does not allow their names) and, at -O0, constants of its
/// modules.
#[test]
fn a_fortran_program_with_a_module_and_a_critical_region_runs() {
    let source = "
program generic
  use omp_lib
  implicit none
  integer :: a(100), i, n, s, count
  n = 0; s = 1; count = 0
  !$omp target map(from: a) map(tofrom: n, s, count)
  n = omp_get_num_threads()
  !$omp parallel do
  do i = 1, 100
    a(i) = i + n
  end do
  !$omp end parallel do
  !$omp parallel do reduction(+:s)
  do i = 1, 100
    s = s + a(i)
  end do
  !$omp end parallel do
  !$omp parallel num_threads(40)
  !$omp critical
  count = count + omp_get_level()
  !$omp end critical
  !$omp end parallel
  !$omp end target
  print '(*(I0, 1X))', n, s, a(1), a(100), count
end program
";
    // At -O0 flang leaves shared variables in one thread's local memory, so regions have one thread.
    for (level, count) in [("-O0", 1), ("-O2", 32)] {
        let (folder, _) = made(&[("generic.f90", source)], &["fc", level, "generic.f90", "-o", "program"]);
        let output = warpfold(folder.path(), &["run", "./program"]);
        assert_eq!(text(&output.stdout).trim(), format!("1 5151 2 101 {count}"), "{level}: {output:?}");
    }
}

/// clang compiles what flang 22 does not compile for GPUs, such as `sin`. The function is compiled with
/// -foffload-lto: otherwise clang's linker for devices takes a function of the runtime that is local to one
/// object for the definition that another object refers to.
#[test]
fn a_fortran_program_calls_a_c_function() {
    let program = r#"
program main
  use iso_c_binding
  implicit none
  interface
    pure real(c_double) function device_sin(x) bind(c)
      import c_double
      real(c_double), value :: x
      !$omp declare target
    end function
  end interface
  real(c_double) :: s
  integer :: i
  s = 0
  !$omp target teams distribute parallel do reduction(+: s)
  do i = 1, 1000
    s = s + device_sin(i * 0.5d0)
  end do
  print '(l1)', abs(s - sum([(sin(i * 0.5d0), i = 1, 1000)])) < 1d-9
end program
"#;
    let function = "#include <math.h>\n#pragma omp begin declare target\n\
                    double device_sin(double x) { return sin(x); }\n#pragma omp end declare target\n";
    let (folder, _) =
        made(&[("sin.c", function), ("main.f90", program)], &["cc", "-O2", "-foffload-lto", "-c", "sin.c"]);
    let output = warpfold(folder.path(), &["fc", "-O2", "main.f90", "sin.o", "-o", "program"]);
    assert!(output.status.success(), "{output:?}");
    let output = warpfold(folder.path(), &["run", "./program"]);
    assert_eq!((text(&output.stdout), output.status.code()), ("T\n".into(), Some(0)), "{output:?}");
}

#[test]
fn a_fault_on_the_device_is_reported_with_exit_status_125() {
    let wild = r#"
int main(void) {
  int a[4] = {0};
  int *p = a;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : 4])
  for (int i = 0; i < 4; i++) p[i + (1 << 28)] = i;
  return a[0];
}
"#;
    let (folder, _) = made(&[("wild.c", wild)], &["cc", "-O1", "wild.c", "-o", "program"]);
    let output = warpfold(folder.path(), &["run", "./program"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{message}");
    assert!(
        message.contains("past the end of the 16 bytes allocated") && message.contains("at PTX line"),
        "{message}"
    );
}

#[test]
fn access_of_host_memory_is_reported_with_a_hint() {
    let source = r#"
#include <stdio.h>
#include <stdlib.h>
#pragma omp requires unified_shared_memory
int main(void) {
  int *p = malloc(400 * sizeof *p), s = 0;
  for (int i = 0; i < 400; i++) p[i] = i;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < 400; i++) s += p[i], p[i] *= 2;
  printf("%d %d\n", s, p[399]);
}
"#;
    let (folder, _) = made(&[("shared.c", source)], &["cc", "-O2", "shared.c", "-o", "program"]);
    let output = warpfold(folder.path(), &["run", "./program"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{message}");
    assert!(
        message.contains("this is memory of the host") && message.contains("run --unified-memory`"),
        "{message}"
    );
    assert_eq!(printed(folder.path(), &["--unified-memory"]), "79800 798\n");
}

/// The copy back to read-only memory changes nothing.
#[test]
fn a_constant_array_can_be_mapped_to_and_from_the_device() {
    let source = r#"
#include <stdio.h>
extern const int table[4];
const int table[4] = {1, 3, 2, 3};
int main(int argc, char **argv) {
  int s = 0;
#pragma omp target teams distribute parallel for map(tofrom : table) reduction(+ : s)
  for (int i = 0; i < 3 + argc; i++) s += table[i];
  printf("%d\n", s);
}
"#;
    for level in ["-O0", "-O2"] {
        let (folder, _) = made(&[("table.c", source)], &["cc", level, "table.c", "-o", "program"]);
        assert_eq!(printed(folder.path(), &[]), "9\n", "{level}");
    }
}

#[test]
fn with_unified_memory_an_invalid_address_is_reported_with_its_source_line() {
    let source = r#"
#include <stdlib.h>
#pragma omp requires unified_shared_memory
int main(int argc, char **argv) {
  int *p = (int *)strtoul(argv[1], NULL, 0);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 100; i++)
    p[i] = i;
  return 0;
}
"#;
    for level in ["-O0", "-O2"] {
        let (folder, _) = made(&[("wild.c", source)], &["cc", level, "-g", "wild.c", "-o", "program"]);
        for (address, words) in [("0x7000000000", "where the host has no memory"), ("0", "near the null")] {
            let output = warpfold(folder.path(), &["run", "--unified-memory", "./program", address]);
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(125), "{level}: {message}");
            let joined = message.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(joined.contains(words) && message.contains("wild.c:8"), "{level}: {message}");
        }
    }
}

#[test]
fn a_program_that_launches_nothing_ends_with_its_own_status_and_a_note() {
    let folder = tempfile::tempdir().expect("a folder");
    for (program, status) in [("true", 0), ("false", 1)] {
        let output = warpfold(folder.path(), &["run", program]);
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let note = text(&output.stderr);
        assert!(
            note.contains("launched nothing: is it compiled for sm_90") && note.lines().count() == 1,
            "{note}"
        );
    }
    let output = warpfold(folder.path(), &["run", "--require-launch", "true"]);
    assert_eq!(output.status.code(), Some(125));
    assert!(
        text(&output.stderr).contains("launched nothing, which `--require-launch` forbids"),
        "{output:?}"
    );
    let disabled = command(folder.path(), &["run", "true"]).env("OMP_TARGET_OFFLOAD", "DISABLED").output();
    let disabled = disabled.expect("it starts");
    assert_eq!((disabled.status.code(), text(&disabled.stderr)), (Some(0), String::new()));
    let output = warpfold(folder.path(), &["run", "./nowhere"]);
    assert_eq!(output.status.code(), Some(125));
    assert!(text(&output.stderr).contains("cannot run ./nowhere"), "{output:?}");
}

#[test]
fn a_program_that_only_moves_data_ends_with_its_own_status() {
    let source = r#"
#include <stdio.h>
int main(void) {
  int a[4] = {1, 2, 3, 4};
#pragma omp target enter data map(to : a)
  a[2] = 0;
#pragma omp target update from(a)
#pragma omp target exit data map(release : a)
  printf("%d\n", a[2]);
  return 3;
}
"#;
    let (folder, _) = made(&[("move.c", source)], &["cc", "-O1", "move.c", "-o", "program"]);
    let output = warpfold(folder.path(), &["run", "./program"]);
    assert_eq!((text(&output.stdout), output.status.code()), ("3\n".into(), Some(3)), "{output:?}");
    assert_eq!(text(&output.stderr), "warpfold: ./program launched nothing\n");
}

/// LLVM's host runtime would keep the memory for its next allocation.
#[test]
fn use_of_freed_device_memory_is_a_fault() {
    let source = r#"
#include <omp.h>
int main(void) {
  int *p = omp_target_alloc(400, omp_get_default_device());
  omp_target_free(p, omp_get_default_device());
#pragma omp target is_device_ptr(p)
  p[3] = 1;
  return 0;
}
"#;
    let (folder, _) = made(&[("free.c", source)], &["cc", "-O1", "free.c", "-o", "program"]);
    let output = warpfold(folder.path(), &["run", "./program"]);
    let message = text(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(125), "{message}");
    assert!(message.contains("at byte 12 of 400 bytes that were freed"), "{message}");
    let mut managed = command(folder.path(), &["run", "./program"]);
    let managed = managed.env("LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD", "8192").output().expect("it starts");
    assert_eq!(managed.status.code(), Some(0), "the user's value stays: {managed:?}");
}

#[test]
fn device_memory_that_the_program_does_not_free_is_reported_with_check_leaks() {
    let source = r#"
#include <omp.h>
#include <stdio.h>
static double *device(int n) {
  return omp_target_alloc(n * sizeof(double), omp_get_default_device());
}
int main(int argc, char **argv) {
  int n = 500, table[100] = {0};
  double s = 0, *a = device(n), *b = device(n);
#pragma omp target enter data map(to : table)
#pragma omp target teams distribute parallel for is_device_ptr(a, b) reduction(+ : s)
  for (int i = 0; i < n; i++)
    a[i] = i, b[i] = table[i % 100] + 1, s += a[i] * b[i];
  printf("%g\n", s);
  if (argc > 1) {
    omp_target_free(a, omp_get_default_device());
    omp_target_free(b, omp_get_default_device());
#pragma omp target exit data map(release : table)
  }
  return 0;
}
"#;
    for level in ["-O0", "-O2"] {
        let compile = ["cc", level, "-gline-tables-only", "leak.c", "-o", "program"];
        let (folder, _) = made(&[("leak.c", source)], &compile);
        let output = warpfold(folder.path(), &["run", "--check-leaks", "./program"]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(125), "{message}");
        for part in [
            "3 allocations of device memory were never freed, 8400 bytes in all",
            "2 of them, 8000 bytes in all, allocated at",
            "leak.c:5\n",
            "400 bytes, allocated at",
            "leak.c:10\n",
        ] {
            assert!(message.contains(part), "{level}: {message}");
        }
        // Also what LLVM's host runtime allocates for itself is freed.
        let output = warpfold(folder.path(), &["run", "--check-leaks", "./program", "free"]);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()), "{level}");
    }
}

#[test]
fn the_command_can_be_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = warpfold(folder.path(), &["cc", "--show", "-O2", "a b.c"]);
    let shown = text(&output.stdout);
    assert!(shown.contains(" --offload-arch=sm_90 -O2 'a b.c'"), "{shown}");
    let output = warpfold(folder.path(), &["cc", "--show", "--offload-arch=sm_80", "x.c"]);
    assert!(!text(&output.stdout).contains("sm_90"), "{output:?}");
    // The options may stand anywhere.
    for words in [["-O2", "x.c", "--show", "--sm=a100"], ["--sm", "sm_80", "x.c", "--show"]] {
        let output = warpfold(folder.path(), &[&["cc"], &words[..]].concat());
        assert!(text(&output.stdout).contains(" --offload-arch=sm_80 "), "{output:?}");
    }
}

#[test]
fn help_of_the_compilers_is_that_of_this_program() {
    let folder = tempfile::tempdir().expect("a folder");
    for (command, compiler) in [("cc", "clang"), ("c++", "clang++"), ("fc", "flang")] {
        for option in ["--help", "-h"] {
            let output = warpfold(folder.path(), &[command, option]);
            assert!(output.status.success(), "{output:?}");
            let help = text(&output.stdout);
            assert!(help.contains("--emulator") && help.lines().count() < 60, "{help}");
            let last = help.trim_end().lines().last().expect("lines");
            assert!(last.contains(compiler) && last.contains("--help` lists them"), "{last}");
        }
    }
}

#[test]
fn an_architecture_that_nothing_is_compiled_for_is_rejected_before_the_compiler_crashes() {
    let folder = common::folder(&[("x.c", "int main(void) { return 0; }\n")]);
    for words in [&["--offload-arch=sm_60"][..], &["--offload-arch=sm_90,sm_52"]] {
        let output = warpfold(folder.path(), &[&["cc", "x.c"], words].concat());
        let message = text(&output.stderr);
        assert!(!output.status.success() && message.lines().count() < 4, "{message}");
        assert!(message.contains("is too old") && message.contains("sm_90 for H100"), "{message}");
    }
}

#[test]
fn a_function_that_the_device_has_not_is_named_with_what_helps() {
    let source = "#include <stdlib.h>\nint main(void) {\n  int n = 0;\n\
                  #pragma omp target map(tofrom : n)\n  n = rand();\n  return n < 0;\n}\n";
    let folder = common::folder(&[("x.c", source)]);
    let output = warpfold(folder.path(), &["cc", "-O2", "x.c", "-o", "x"]);
    let message = text(&output.stderr);
    assert!(!output.status.success(), "{message}");
    assert!(
        message.contains("`rand`; a function of the program needs `#pragma omp declare target`"),
        "{message}"
    );
}

/// Texts on the device, and no warnings about vectors, which GPUs have not.
#[test]
fn texts_are_compared_and_printed_on_the_device_without_warnings() {
    let source = "#include <stdio.h>\n#include <string.h>\n\
                  int main(void) {\n  char text[8] = \"abc\";\n  int n[6];\n  double s = 0;\n\
                  #pragma omp target map(to : text) map(from : n)\n  {\n    char copy[8];\n    \
                  n[0] = strlen(text);\n    n[1] = strcmp(text, \"abd\") < 0;\n    \
                  n[2] = strcmp(text, \"abc\");\n    n[3] = strncmp(text, \"abx\", 2);\n    \
                  n[4] = strcmp(strcpy(copy, text), text);\n    n[5] = strcmp(text, \"ab\") > 0;\n    \
                  puts(text);\n  }\n\
                  #pragma omp target teams distribute parallel for simd reduction(+ : s)\n  \
                  for (int i = 0; i < 100; i++)\n    s += i;\n  \
                  printf(\"%d %d %d %d %d %d %g\\n\", n[0], n[1], n[2], n[3], n[4], n[5], s);\n}\n";
    let folder = common::folder(&[("program.c", source)]);
    for level in ["-O0", "-O2"] {
        let build = ["cc", level, "-fno-builtin", "program.c", "-o", "program"];
        let output = warpfold(folder.path(), &build);
        let message = text(&output.stderr);
        assert!(output.status.success(), "{message}");
        // The host's part may say it of the host's loop.
        assert!(!message.contains("nvlink-wrapper") && !message.contains(".rs:"), "{message}");
        assert_eq!(printed(folder.path(), &[]), "abc\n3 1 0 0 0 1 4950\n", "{level}");
    }
}

#[test]
fn a_gpu_is_named_in_the_same_ways_everywhere() {
    let folder = common::folder(&[("n", "1\n2\n")]);
    for model in ["v100", "sm_70", "70", "V100"] {
        let output = warpfold(folder.path(), &["run", "--sm", model, "sh", "-c", "echo $WARPFOLD_MACHINE"]);
        assert_eq!(text(&output.stdout), "v100\n", "{output:?}");
        let reduce = ["reduce", "--device", "emulator", "--sm", model, "--op", "sum", "--type", "i32"];
        let output = warpfold(folder.path(), &[&reduce[..], &["--format", "csv", "--json", "n"]].concat());
        assert!(text(&output.stdout).contains("V100 (emulated)"), "{output:?}");
        let emit = ["emit", "kernel", "--ptx", "--sm", model, "s=sum:i32"];
        let output = warpfold(folder.path(), &emit);
        assert!(text(&output.stdout).contains(".target sm_70"), "{output:?}");
    }
}

#[test]
fn leaks_of_device_code_are_reported_with_check_leaks() {
    let leak = r#"
#include <stdlib.h>
#pragma omp begin declare target
// A global variable keeps the compiler from using the stack instead.
char *volatile last;
static char *take(int bytes) { return last = malloc(bytes); }
#pragma omp end declare target
int main(void) {
  int s = 0;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) map(tofrom : s)
  for (int i = 0; i < 10; i++) {
    char *p = take(100);
    p[i] = 1;
#pragma omp atomic
    s += p[i];
    if (i % 2) free(p);
  }
  return s != 10;
}
"#;
    let (folder, _) =
        made(&[("leak.c", leak)], &["cc", "-O1", "-gline-tables-only", "leak.c", "-o", "program"]);
    let output = warpfold(folder.path(), &["run", "./program"]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    let output = warpfold(folder.path(), &["run", "--check-leaks", "./program"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{message}");
    assert!(message.contains("5 blocks of the device heap were never freed, 500 bytes in all"), "{message}");
    assert!(
        message.contains("leak.c:6") && message.contains("the target region at line 10 of `main`"),
        "{message}"
    );

    let (folder, _) =
        made(&[("clean.c", &leak.replace("if (i % 2) ", ""))], &["cc", "-O1", "clean.c", "-o", "program"]);
    let output = warpfold(folder.path(), &["run", "--check-leaks", "./program"]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

/// The default number of teams is a GPU's; that fewer would be faster to emulate is said of runs that take seconds only.
#[test]
fn the_number_of_teams_can_be_chosen() {
    let (folder, _) = made(&[("sum.c", SUM)], &["cc", "-O2", "sum.c", "-o", "program"]);
    let grids = |options: &[&str], elements: &str| {
        let all = [&["run", "--counts=counts.json"], options, &["./program", elements]].concat();
        let output = command(folder.path(), &all).env_remove("OMP_NUM_TEAMS").output().expect("it starts");
        assert!(output.status.success(), "{output:?}");
        let counts = fs::read(folder.path().join("counts.json")).expect("the counts");
        let counts: serde_json::Value = serde_json::from_slice(&counts).expect("JSON");
        (counts["launches"][0]["grid"][0].clone(), text(&output.stderr))
    };
    assert_eq!(grids(&[], "100000"), (3125.into(), String::new()));
    assert_eq!(grids(&["--teams", "7"], "100000"), (7.into(), String::new()));
    let output = warpfold(folder.path(), &["run", "--teams", "0", "./program", "10"]);
    assert!(!output.status.success() && text(&output.stderr).contains("--teams"), "{output:?}");
}

#[test]
fn a_sum_has_the_same_bits_on_every_gpu() {
    let source = "#include <stdio.h>\n#include <string.h>\nenum { N = 700001 };\nstatic float x[N];\n\
                  int main(void) {\n  unsigned s = 1, bits;\n  float sum = 0;\n\
                  for (int i = 0; i < N; i++)\n    s = s * 1664525u + 1013904223u, x[i] = (s >> 8) * 1e-7f * (1 << (s & 15));\n\
                  #pragma omp target teams distribute parallel for map(to : x) reduction(+ : sum)\n  \
                  for (int i = 0; i < N; i++)\n    sum += x[i];\n  \
                  memcpy(&bits, &sum, sizeof bits);\n  printf(\"%08x\\n\", bits);\n}\n";
    let folder = common::folder(&[("program.c", source)]);
    common::make(
        folder.path(),
        &["cc", "-O2", "--offload-arch=sm_80,sm_90,sm_100", "program.c", "-o", "program"],
    );
    let runs: [&[&str]; 5] = [
        &[],
        &["--sm", "a100"],
        &["--sm", "b200"],
        &["--seed", "5"],
        &["--jobs", "2", "--engine", "compile"],
    ];
    let bits = runs.map(|options| printed(folder.path(), options));
    assert!(bits.iter().all(|one| *one == bits[0]), "{bits:?}");
    // Another grid may have others: the values are not such that every order has the same sum.
    let grids = ["1", "3", "7", "50"].map(|teams| printed(folder.path(), &["--teams", teams]));
    assert!(grids.iter().any(|one| *one != bits[0]), "{bits:?} {grids:?}");
}
