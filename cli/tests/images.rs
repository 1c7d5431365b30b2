//! Every form of device image that compilers and linkers put into executables runs.

mod common;

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use common::{folder, is_nightly, made, make, printed, text, warpfold};
use object::{
    LittleEndian, elf,
    read::elf::{FileHeader, SectionHeader},
};

/// Both ways to build: each unit's device code separately, and all of it together.
const MODES: [&[&str]; 2] = [&["-fno-offload-lto"], &[]];

/// A program of two units that use each other's functions and variables on the device.
const UNITS: [(&str, &str); 2] = [
    (
        "main.c",
        r#"
#include <stdio.h>
#pragma omp begin declare target
int factor = 3;
int twice(int x);
#pragma omp end declare target
int total(int n);
int main(void) {
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 1; i <= 1000; i++) s += twice(i) * factor;
  printf("%ld %d\n", s, total(100));
  return 0;
}
"#,
    ),
    (
        "other.c",
        r#"
#pragma omp begin declare target
extern int factor;
int twice(int x) { return 2 * x + factor - 3; }
#pragma omp end declare target
int total(int n) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 1; i <= n; i++) s += i * factor;
  return s;
}
"#,
    ),
];

const PRINTS: &str = "3003000 15150\n";

#[test]
fn every_level_of_optimisation_and_of_debugging() {
    let folder = folder(&UNITS);
    let levels: [&[&str]; 8] =
        [&["-O0"], &["-O1"], &["-O2"], &["-O3"], &["-Os"], &["-g"], &["-g", "-O2"], &["-gline-tables-only"]];
    for (at, level) in levels.into_iter().enumerate() {
        for (other, mode) in MODES.into_iter().enumerate() {
            // In the tests of a change, each level in one mode.
            if !is_nightly() && at % 2 != other {
                continue;
            }
            make(folder.path(), &[&["cc", "main.c", "other.c", "-o", "program"], level, mode].concat());
            assert_eq!(printed(folder.path(), &[]), PRINTS, "{level:?} {mode:?}");
        }
    }
}

#[test]
fn objects_archives_and_shared_libraries() {
    let folder = folder(&UNITS);
    let library = r#"
int library_total(int n) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 1; i <= n; i++) s += i;
  return s;
}
"#;
    let caller = r#"
#include <stdio.h>
int library_total(int n);
int main(void) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 1; i <= 10; i++) s += i;
  printf("%d %d\n", s, library_total(100));
  return 0;
}
"#;
    for (name, text) in [("library.c", library), ("caller.c", caller)] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let run = |program: &str, arguments: &[&str]| {
        let status = Command::new(program).current_dir(folder.path()).args(arguments).status();
        assert!(status.expect("it starts").success(), "{program} {arguments:?}");
    };
    for mode in MODES {
        let cc = |arguments: &[&str]| make(folder.path(), &[&["cc", "-O2"], arguments, mode].concat());
        cc(&["-c", "other.c", "-o", "other.o"]);
        let _ = fs::remove_file(folder.path().join("libother.a"));
        run("ar", &["rcs", "libother.a", "other.o"]);
        cc(&["main.c", "libother.a", "-o", "program"]);
        assert_eq!(printed(folder.path(), &[]), PRINTS, "archive, {mode:?}");
        run("strip", &["program"]);
        assert_eq!(printed(folder.path(), &[]), PRINTS, "stripped, {mode:?}");

        cc(&["-fPIC", "-shared", "library.c", "-o", "libtotal.so"]);
        cc(&["caller.c", "-L.", "-ltotal", "-Wl,-rpath,$ORIGIN", "-s", "-o", "program"]);
        assert_eq!(printed(folder.path(), &[]), "55 5050\n", "shared library, {mode:?}");
    }
}

#[test]
fn one_executable_for_two_architectures() {
    for mode in MODES {
        let command = ["cc", "-O2", "--offload-arch=sm_80,sm_90", "main.c", "other.c", "-o", "program"];
        let (folder, _) = made(&UNITS, &[&command, mode].concat());
        for sm in ["sm_80", "sm_90"] {
            assert_eq!(printed(folder.path(), &["--sm", sm]), PRINTS, "{sm} {mode:?}");
        }
    }
}

/// Two units with the same target regions: in a template's instance and in an inline function.
#[test]
fn target_regions_in_templates_and_inline_functions() {
    let header = r#"
template <class T> struct Sum {
  T value;
  void add(T x) { value += x; }
};
template <class T> T sum(int n) {
  T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 1; i <= n; i++) {
    Sum<T> part{0};
    part.add(i);
    s += part.value;
  }
  return s;
}
inline int most(int n) {
  int m = 0;
#pragma omp target teams distribute parallel for reduction(max : m)
  for (int i = 0; i < n; i++) m = m > i ? m : i;
  return m;
}
"#;
    let main = r#"
#include "header.hpp"
#include <cstdio>
long other(int n);
int main() { std::printf("%ld %.1f %d %ld\n", sum<long>(100), sum<double>(10), most(7), other(10)); }
"#;
    let other = "#include \"header.hpp\"\nlong other(int n) { return sum<long>(n) * most(3); }\n";
    for level in ["-O0", "-O2"] {
        for mode in MODES {
            let files = [("header.hpp", header), ("main.cpp", main), ("other.cpp", other)];
            let command = ["c++", level, "main.cpp", "other.cpp", "-o", "program"];
            let (folder, _) = made(&files, &[&command, mode].concat());
            assert_eq!(printed(folder.path(), &[]), "5050 55.0 6 110\n", "{level} {mode:?}");
        }
    }
}

/// A function in another unit sees the team and the threads of the region that calls it.
#[test]
fn units_share_the_state_of_the_runtime() {
    let main = r#"
#include <stdio.h>
#pragma omp begin declare target
int where(int *size, int *team, int *teams, int *level);
int nested(int x);
int all(int *level);
#pragma omp end declare target
int main(void) {
  int id[64], size[64], team[64], teams[64], level[64], inner[64], wrong = 0, seen = 0, outside = 7;
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(32) \
    map(from : id, size, team, teams, level, inner)
  for (int i = 0; i < 64; i++) {
    id[i] = where(&size[i], &team[i], &teams[i], &level[i]);
    inner[i] = nested(i);
  }
  for (int i = 0; i < 64; i++)
    wrong += id[i] != i % 32 || size[i] != 32 || team[i] != i / 32 || teams[i] != 2 || level[i] != 1
             || inner[i] != 2001 + i;
  // The parallel region is in the other unit, its target region here.
#pragma omp target thread_limit(64) map(tofrom : seen, outside)
  seen = all(&outside);
  printf("%d wrong, %d threads in it, level %d\n", wrong, seen > 1, outside);
  return 0;
}
"#;
    let other = r#"
#include <omp.h>
#pragma omp begin declare target
int where(int *size, int *team, int *teams, int *level) {
  *size = omp_get_num_threads();
  *team = omp_get_team_num();
  *teams = omp_get_num_teams();
  *level = omp_get_level();
  return omp_get_thread_num();
}
// A nested region has one thread and the next level.
int nested(int x) {
  int seen = 0;
#pragma omp parallel reduction(+ : seen)
  seen += 1000 * omp_get_level() + omp_get_num_threads() + omp_get_thread_num() + x;
  return seen;
}
int all(int *level) {
  int threads = 0, sum = 0;
  *level = omp_get_level();
#pragma omp parallel reduction(+ : sum)
  {
    sum += 1;
    if (omp_get_thread_num() == 0) threads = omp_get_num_threads();
  }
  return sum == threads ? sum : -1;
}
#pragma omp end declare target
"#;
    let folder = folder(&[("main.c", main), ("other.c", other)]);
    for level in ["-O0", "-O2"] {
        for mode in MODES {
            make(folder.path(), &[&["cc", level, "main.c", "other.c", "-o", "program"], mode].concat());
            assert_eq!(
                printed(folder.path(), &[]),
                "0 wrong, 1 threads in it, level 0\n",
                "{level} {mode:?}"
            );
        }
    }
}

/// A folder in which clang finds the runtime without its line directives.
fn runtime_without_lines(folder: &Path) -> PathBuf {
    let tools = toolchain::Tools::find().expect("the tools");
    let program = |name: &str| tools.llvm.dir.join(format!("{name}{}", tools.llvm.suffix));
    let output = warpfold(folder, &["config", "--openmp-dir"]);
    let library = PathBuf::from(text(&output.stdout).trim());
    let stripped = folder.join("without-lines");
    fs::create_dir(&stripped).expect("a folder");
    let bitcode = stripped.join("libomptarget-nvptx.bc");
    let file = library.join("libomptarget-nvptx.bc");
    let run = |command: &mut Command| assert!(command.status().expect("it starts").success(), "{command:?}");
    run(Command::new(program("opt")).arg("-strip-debug").arg(file).arg("-o").arg(&bitcode));
    // The archive has another version of it, for whole programs.
    let (whole, archive) = (stripped.join("whole"), "libompdevice.a");
    let theirs = library.join(archive);
    fs::create_dir(&whole).expect("a folder");
    let extracted = [OsStr::new("x"), theirs.as_os_str(), OsStr::new("libomptarget-nvptx.bc")];
    run(Command::new(program("llvm-ar")).current_dir(&whole).args(extracted));
    let member = whole.join("libomptarget-nvptx.bc");
    run(Command::new(program("opt")).arg("-strip-debug").arg(&member).arg("-o").arg(&member));
    // Its other members stay as they are.
    fs::copy(&theirs, stripped.join(archive)).expect("a copy of the archive");
    run(Command::new(program("llvm-ar")).arg("rsD").arg(stripped.join(archive)).arg(member));
    stripped
}

/// Compiles as `warpfold cc` does, but with the runtime in `library` and NVIDIA's own ptxas.
fn cc_with(library: &Path, folder: &Path, arguments: &[&str]) {
    let cuda = text(&warpfold(folder, &["config", "--cuda-dir"]).stdout);
    let ptxas = Path::new(cuda.trim()).join("bin");
    let shown = warpfold(folder, &[&["cc", "--show"], arguments].concat());
    let mut command = Command::new("sh");
    // The last of several values of a variable is used.
    let script = text(&shown.stdout).replacen(" PATH=", " LIBRARY_PATH=\"$WITH\" PATH=\"$PTXAS\":", 1);
    let output =
        command.current_dir(folder).env("WITH", library).env("PTXAS", ptxas).args(["-c", &script]).output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{script}: {}", text(&output.stderr));
}

/// Machine code and data of a program's image, by section.
fn sections(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let image = folder.join("image.cubin");
    let output = Command::new("llvm-offload-binary-22")
        .arg(folder.join("program"))
        .arg(format!("--image=file={},arch=sm_90", image.display()))
        .output()
        .expect("llvm-offload-binary");
    assert!(output.status.success(), "{output:?}");
    let bytes = fs::read(image).expect("an image");
    let header = elf::FileHeader64::<LittleEndian>::parse(&*bytes).expect("an ELF file");
    let sections = header.sections(LittleEndian, &*bytes).expect("sections");
    let mut found = BTreeMap::new();
    for section in sections.iter() {
        let name = text(sections.section_name(LittleEndian, section).expect("a name"));
        if [".text.", ".nv.constant", ".nv.global", ".nv.shared"].iter().any(|start| name.starts_with(start))
        {
            found.insert(name, section.data(LittleEndian, &*bytes).expect("contents").to_vec());
        }
    }
    found
}

/// The line directives that keep the PTX in the image cost nothing: the machine code is that of a build
/// without them.
#[test]
fn line_directives_do_not_change_optimised_code() {
    let folder = folder(&UNITS);
    let library = runtime_without_lines(folder.path());
    for mode in MODES {
        let arguments = [&["-O2", "main.c", "other.c", "-o", "program"], mode].concat();
        make(folder.path(), &[&["cc"], &arguments[..]].concat());
        let with = sections(folder.path());
        cc_with(&library, folder.path(), &arguments);
        assert!(with == sections(folder.path()), "{mode:?}");
        assert!(with.keys().any(|name| name.starts_with(".text.__omp_offloading")), "{with:?}");
        // Without the directives the image has no PTX.
        let output = warpfold(folder.path(), &["run", "./program"]);
        assert!(text(&output.stderr).contains("machine code without PTX"), "{output:?}");
    }
}

/// Without optimisation the compiler's PTX is the same except for the labels of the directives. ptxas -O0
/// starts a basic block at each label, so its code grows by a few percent (as does that of functions left at
/// -O1).
#[test]
fn line_directives_do_not_change_unoptimised_ptx() {
    let folder = folder(&UNITS);
    let library = runtime_without_lines(folder.path());
    let arguments = ["-O0", "-fno-offload-lto", "-save-temps", "other.c", "main.c", "-o", "program"];
    let ptx = || {
        let text = fs::read_to_string(folder.path().join("main-openmp-nvptx64-nvidia-cuda-sm_90.s"));
        let text = text.expect("PTX");
        let code = |line: &&str| {
            let line = line.trim();
            let debugging = [".loc\t", ".file\t", ".section\t.debug", "$L__tmp", "$L__func", "//"];
            !line.is_empty() && !debugging.iter().any(|start| line.starts_with(start))
        };
        // Variables come in another order.
        let mut lines: Vec<String> = text.lines().filter(code).map(str::to_owned).collect();
        lines.sort();
        (lines, text.contains(".loc\t"))
    };
    make(folder.path(), &[&["cc"], &arguments[..]].concat());
    let with = ptx();
    cc_with(&library, folder.path(), &arguments);
    let without = ptx();
    assert_eq!((with.1, without.1), (true, false));
    assert_eq!(with.0, without.0);
}

/// A unit that was compiled without line information has no PTX; the message names its kernel or function.
#[test]
fn machine_code_without_ptx_is_reported_with_a_hint() {
    let folder = folder(&UNITS);
    let library = runtime_without_lines(folder.path());
    let function =
        "int twice(int x);\n#pragma omp declare target to(twice)\nint twice(int x) { return 2 * x; }\n";
    fs::write(folder.path().join("function.c"), function).expect("a file");
    let check = |with: &str, without: &str, named: &str| {
        cc_with(&library, folder.path(), &["-O1", "-fno-offload-lto", "-c", without, "-o", "without.o"]);
        make(folder.path(), &["cc", "-O1", "-fno-offload-lto", with, "without.o", "-o", "program"]);
        let output = warpfold(folder.path(), &["run", "./program"]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(125), "{message}");
        assert!(message.contains(named) && message.contains("-gline-tables-only"), "{message}");
    };
    // A unit with a function and a kernel, and one without a kernel.
    check("main.c", "other.c", "machine code of `twice` without its PTX");
    let main = UNITS[0].1.replace("total(100)", "0");
    fs::write(folder.path().join("main.c"), main).expect("a file");
    check("main.c", "function.c", "machine code of `twice` without its PTX");
}

/// A fault is reported with the source line if the program has line tables.
#[test]
fn faults_are_reported_with_source_lines() {
    let wild = r#"int main(void) {
  int a[4] = {0};
  int *p = a;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : 4])
  for (int i = 0; i < 4; i++)
    p[i + (1 << 28)] = i;
  return a[0];
}
"#;
    let folder = folder(&[("wild.c", wild)]);
    let report = |options: &[&str]| {
        make(folder.path(), &[&["cc", "wild.c", "-o", "program"], options].concat());
        let output = warpfold(folder.path(), &["run", "./program"]);
        assert_eq!(output.status.code(), Some(125), "{options:?}: {output:?}");
        text(&output.stderr)
    };
    for level in [&["-O2", "-gline-tables-only"][..], &["-g"], &["-O2", "-g"]] {
        for mode in MODES {
            let message = report(&[level, mode].concat());
            assert!(
                message.contains("warpfold: wild.c:6: ")
                    && message.contains("\n      6 | p[i + (1 << 28)] = i;"),
                "{level:?} {mode:?}: {message}"
            );
        }
    }
    for mode in MODES {
        let message = report(&[&["-O2"], mode].concat());
        assert!(message.contains("warpfold: the target region at line 4 of `main`: "), "{mode:?}: {message}");
        assert!(message.contains("-gline-tables-only"), "{mode:?}: {message}");
    }
}

/// The program is moved away from its source and run elsewhere; only a program that was compiled there names the folder.
#[test]
fn source_lines_are_shown_wherever_the_program_runs() {
    let wild = "int main(void) {\n  int a[4] = {0}, *p = a;\n#pragma omp target map(tofrom : a)\n  p[1 << 28] = 1;\n}\n";
    let folder = folder(&[]);
    for name in ["source", "build", "elsewhere"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    fs::write(folder.path().join("source/wild.c"), wild).expect("a file");
    let source = folder.path().join("source/wild.c");
    let elsewhere = folder.path().join("elsewhere");
    let build = ["cc", "-g", source.to_str().expect("text"), "-o", "../elsewhere/program"];
    make(&folder.path().join("build"), &build);
    let output = warpfold(&elsewhere, &["run", "./program"]);
    let message = text(&output.stderr);
    assert!(
        message.contains("source/wild.c:4: ") && message.contains("\n      4 | p[1 << 28] = 1;"),
        "{message}"
    );
    // Without `warpfold run`, nobody says that the program's word can be taken.
    let mut driver = warpfold(&elsewhere, &["config", "--driver-dir"]);
    assert_eq!(driver.stdout.pop(), Some(b'\n'));
    let mut program = Command::new("./program");
    program
        .current_dir(&elsewhere)
        .env("LD_LIBRARY_PATH", text(&driver.stdout))
        .env("OMP_TARGET_OFFLOAD", "MANDATORY");
    let message = text(&program.output().expect("it starts").stderr);
    assert!(message.contains("source/wild.c:4") && !message.contains("| p["), "{message}");
    assert!(message.contains("WARPFOLD_SOURCE_PATH=FOLDER"), "{message}");
}

/// Bitcode images: LLVM's host runtime compiles them for the present device when the program starts.
#[test]
fn bitcode_is_compiled_at_run_time() {
    for level in ["-O0", "-O2"] {
        let command =
            ["cc", level, "-foffload-lto", "-Wl,--embed-bitcode", "main.c", "other.c", "-o", "program"];
        let (folder, _) = made(&UNITS, &command);
        for sm in ["sm_90", "sm_100"] {
            assert_eq!(printed(folder.path(), &["--sm", sm]), PRINTS, "{level} {sm}");
        }
    }
}

/// Runs the program in a folder as on a machine without CUDA.
fn without_cuda(folder: &Path, arguments: &[&str]) -> Output {
    common::command(folder, arguments).env("WARPFOLD_PTXAS", "none").output().expect("it starts")
}

#[test]
fn executables_for_the_emulator_need_no_cuda() {
    let folder = folder(&UNITS);
    for level in ["-O0", "-O2"] {
        for mode in MODES {
            let cc = |arguments: &[&str]| {
                let output = without_cuda(folder.path(), &[&["cc", level], arguments, mode].concat());
                let message = text(&output.stderr);
                assert!(output.status.success(), "{level} {mode:?}: {message}");
                assert!(message.contains("on the emulator only; `warpfold setup`"), "{message}");
            };
            // The linker takes from an archive what the program needs.
            cc(&["-c", "other.c", "-o", "other.o"]);
            let _ = fs::remove_file(folder.path().join("libother.a"));
            let archive =
                Command::new("ar").current_dir(folder.path()).args(["rcs", "libother.a", "other.o"]).status();
            assert!(archive.expect("ar").success());
            cc(&["main.c", "libother.a", "-o", "program"]);
            assert_eq!(printed(folder.path(), &[]), PRINTS, "{level} {mode:?}");
        }
    }
    // The same on request, although there is a ptxas.
    make(folder.path(), &["cc", "--emulator", "-g", "-O1", "main.c", "other.c", "-o", "program"]);
    assert_eq!(printed(folder.path(), &[]), PRINTS);
}

#[test]
fn fortran_for_the_emulator_needs_no_cuda() {
    let sums = "
program sums
  integer :: i, s
  s = 1
  !$omp target teams distribute parallel do reduction(+:s)
  do i = 1, 1000
    s = s + i
  end do
  print '(I0)', s
end program
";
    let folder = folder(&[("sums.f90", sums)]);
    let output = without_cuda(folder.path(), &["fc", "-O1", "sums.f90", "-o", "program"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(printed(folder.path(), &[]).trim(), "500501");
}

/// flang with debug information, at a level at which ptxas would reject flang's PTX.
#[test]
fn fortran_with_debug_information_runs_optimised() {
    let wild = "
program wild
  integer :: i, a(4)
  a = 0
  !$omp target teams distribute parallel do map(tofrom: a)
  do i = 1, 4
    a(i + 268435456) = i
  end do
end program
";
    let folder = folder(&[("wild.f90", wild)]);
    make(folder.path(), &["fc", "-g", "-O2", "wild.f90", "-o", "program"]);
    let output = warpfold(folder.path(), &["run", "./program"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{message}");
    assert!(message.contains("wild.f90:7"), "{message}");
}

#[test]
fn undefined_symbols_are_reported_when_linking_without_cuda() {
    let main = r#"
double sin(double);
#pragma omp begin declare target
int nowhere(int x);
#pragma omp end declare target
int main(int argc, char **argv) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < 10; i++) s += CALL;
  return s < 0;
}
"#;
    let with_sin = format!("#include <math.h>\n{}", main.replace("double sin(double);", ""));
    let folder = folder(&[("main.c", main), ("sin.c", &with_sin)]);
    for (file, call, message) in [
        ("main.c", "-DCALL=nowhere(i)", "`nowhere` is declared but not defined"),
        ("sin.c", "-DCALL=sin(i)", "math library of CUDA"),
    ] {
        let output = without_cuda(folder.path(), &["cc", "-O1", call, file, "-o", "program"]);
        let errors = text(&output.stderr);
        assert!(!output.status.success() && errors.contains(message), "{errors}");
    }
}
