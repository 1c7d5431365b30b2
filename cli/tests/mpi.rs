//! `warpfold reduce` as a job of MPI, and programs with the library for MPI: the bits of one process, whatever the launcher, the
//! processes and their devices.

mod common;

#[path = "common/page.rs"]
#[allow(dead_code, reason = "other tests run pages")]
mod page;

use std::{
    env, fs,
    path::Path,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use common::{folder, is_nightly, text};
use host_rt::{ArgMax, Identity, Lift, Min, Sum, Xor, canonical};

/// How long a job may take: one that waits for a process that has ended is an error.
const LONGEST: Duration = Duration::from_secs(120);

/// Whether a program is in the search path.
fn is_there(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// The launchers of both implementations that are there, with their options.
fn launchers() -> Vec<Vec<&'static str>> {
    let known = [vec!["mpirun.openmpi", "--oversubscribe"], vec!["mpirun.mpich"]];
    known
        .into_iter()
        .filter(|launcher| {
            let is_there = is_there(launcher[0]);
            if !is_there {
                println!("skipped: no {} (`cargo xtask mpi` installs it)", launcher[0]);
            }
            is_there
        })
        .collect()
}

/// Runs a program as so many processes.
fn job(folder: &Path, launcher: &[&str], processes: usize, program: &[&str]) -> Output {
    let mut command = Command::new(launcher[0]);
    command.args(&launcher[1..]).arg("-n").arg(processes.to_string()).args(program).current_dir(folder);
    // Open MPI asks a superuser whether this is meant.
    command.envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")]);
    command.env("WARPFOLD_DEVICE", "emulator").stdin(Stdio::null());
    let begun = Instant::now();
    let output = command.output().expect("the launcher starts");
    assert!(begun.elapsed() < LONGEST, "{launcher:?} with {processes} processes: {output:?}");
    output
}

fn reduce(arguments: &[&str]) -> Vec<String> {
    let program = [env!("CARGO_BIN_EXE_warpfold"), "reduce"];
    program.iter().chain(arguments).map(|word| (*word).to_owned()).collect()
}

/// Reduces as so many processes.
fn reduced(folder: &Path, launcher: &[&str], processes: usize, arguments: &[&str]) -> Output {
    let words = reduce(arguments);
    job(folder, launcher, processes, &words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// What one process prints, without a launcher.
fn alone(folder: &Path, arguments: &[&str]) -> String {
    let words = reduce(arguments);
    let output = Command::new(&words[0])
        .args(&words[1..])
        .arg("--reproducible")
        .current_dir(folder)
        .env("WARPFOLD_DEVICE", "emulator")
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn real(i: u64) -> f64 {
    let bits = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((bits >> 20) as f64 - 8e12) * 2f64.powi((bits % 40) as i32 - 60)
}

/// Inputs of all kinds.
fn inputs() -> tempfile::TempDir {
    let count = 60_000;
    let lines: String = (0..count).map(|i| format!("{:e},{}\n", real(i), i % 1999)).collect();
    let gaps: String =
        (0..count).map(|i| if i % 7 == 0 { "NA\n".into() } else { format!("{:e}\n", real(i)) }).collect();
    let folder = folder(&[
        ("two.csv", &lines),
        ("named.csv", &format!("a,b\n{lines}")),
        ("gaps.txt", &gaps),
        ("three.txt", "1\n2\n3\n"),
        ("quoted.csv", &format!("\"x\",1\n{lines}").replace("\"x\"", "\"1.5\"")),
        ("empty.txt", ""),
    ]);
    let raw: Vec<u8> = (0..50_001).flat_map(|i| (real(i) as f32).to_ne_bytes()).collect();
    fs::write(folder.path().join("values.raw"), raw).expect("a file");
    let header =
        format!("{:117}\n", format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({count}, 2), }}"));
    let mut npy =
        [&b"\x93NUMPY\x01\x00"[..], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
    npy.extend((0..2 * count).flat_map(|i| real(i).to_le_bytes()));
    fs::write(folder.path().join("matrix.npy"), npy).expect("a file");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, lines.as_bytes()).expect("in memory");
    fs::write(folder.path().join("two.csv.gz"), packed.finish().expect("in memory")).expect("a file");
    folder
}

const CASES: [&[&str]; 10] = [
    &["--op", "1:sum,1:product,1:argmin,1:mean,1:var,2:sum,2:argmax", "two.csv"],
    &["--op", "a:sum,b:max,b:count", "named.csv"],
    &["--op", "sum,min,count", "--skip-missing", "gaps.txt"],
    &["--op", "sum,argmax,count", "three.txt"],
    &["--op", "1:sum,2:sum", "quoted.csv"],
    &["--op", "sum,min,count", "--type", "f64", "empty.txt"],
    &["--op", "sum,argmin,var", "--type", "f32", "values.raw"],
    &["--op", "1:sum,2:argmax", "matrix.npy"],
    &["--op", "1:sum,2:argmax", "two.csv.gz"],
    &["--op", "1:sum,1:argmin,2:sum", "two.csv", "two.csv.gz", "quoted.csv", "two.csv"],
];

#[test]
fn any_processes_print_the_bits_of_one() {
    let (folder, launchers) = (inputs(), launchers());
    for (turn, launcher) in launchers.iter().enumerate() {
        for (number, case) in CASES.iter().enumerate() {
            // At night all, else each case on one of them.
            if !is_nightly() && launchers.len() > 1 && (number + turn) % 2 == 1 {
                continue;
            }
            let expected = alone(folder.path(), case);
            let all = [1, 2, 3, 4, 8];
            // All of them at night, else one.
            let some = [[2, 3, 5, 1][number % 4]];
            for &processes in if is_nightly() { &all[..] } else { &some } {
                let devices: &[&str] = match number % 3 {
                    0 => &["--sm", "h200,v100"],
                    1 => &["--device", "emulator:all", "--devices", "2"],
                    _ => &[],
                };
                let output = reduced(folder.path(), launcher, processes, &[devices, case].concat());
                assert!(
                    output.status.success(),
                    "{launcher:?} {processes} {case:?}: {}",
                    text(&output.stderr)
                );
                assert_eq!(text(&output.stdout), expected, "{launcher:?} {processes} {case:?} {devices:?}");
            }
        }
    }
}

#[test]
fn an_error_of_one_process_ends_the_job_with_its_reason() {
    let folder = inputs();
    let bad: String =
        (0..40_000).map(|i| if i == 30_000 { "x\n".into() } else { format!("{i}\n") }).collect();
    fs::write(folder.path().join("bad.txt"), bad).expect("a file");
    let script = "[ \"$OMPI_COMM_WORLD_RANK$PMI_RANK\" = 1 ] && kill -9 $$; exec \"$@\"";
    let program = reduce(&["--op", "sum", "--column", "1", "two.csv"]);
    let killed: Vec<&str> =
        ["sh", "-c", script, "sh"].into_iter().chain(program.iter().map(String::as_str)).collect();
    for launcher in launchers() {
        let failing: [(&[&str], &str); 6] = [
            (&["--op", "sum", "--type", "f64", "bad.txt"], "process 2 of 4: bad.txt, line 30001"),
            (&["--op", "sum", "missing.txt"], "cannot open missing.txt"),
            (&["--op", "sum", "-"], "standard input is no file, and cannot be divided"),
            (&["--op", "median", "three.txt"], "median"),
            (
                &["--op", "sum", ["--counts", "--check"][usize::from(launcher.len() > 1)], "three.txt"],
                "--counts",
            ),
            (&["--op", "sum", "--device", "emulator:9", "three.txt"], "opening device 9"),
        ];
        for (arguments, message) in failing {
            // MPICH's launcher can lose what processes print that end before they join the job: then once more.
            let mut attempts = (0..3).map(|_| reduced(folder.path(), &launcher, 4, arguments));
            let output = attempts.find(|output| !output.stderr.is_empty()).expect("a message");
            let errors = text(&output.stderr);
            assert!(!output.status.success() && output.stdout.is_empty(), "{arguments:?}: {output:?}");
            assert!(errors.contains(message) && !errors.contains("panicked"), "{arguments:?}: {errors}");
        }
        let output = job(folder.path(), &launcher, 3, &killed);
        assert!(!output.status.success() && !text(&output.stdout).contains("sum"), "{output:?}");
        // Alone, although a launcher started it.
        let output = reduced(folder.path(), &launcher, 2, &["--op", "sum", "--mpi", "none", "three.txt"]);
        assert_eq!(text(&output.stdout), "sum 6\nsum 6\n");
    }
}

#[test]
fn a_library_that_cannot_be_loaded_is_named() {
    let folder = inputs();
    for (mpi, name, library) in
        [("openmpi", "Open MPI", "libmpi.so.40"), ("mpich", "MPICH", "libmpich.so.12")]
    {
        // It is found before one of the system, and is no library.
        fs::write(folder.path().join(library), [b'x'; 4096]).expect("a file");
        fs::write(folder.path().join("libmpi.so.12"), [b'x'; 4096]).expect("a file");
        let words = reduce(&["--mpi", mpi, "--op", "sum", "three.txt"]);
        let output = Command::new(&words[0])
            .args(&words[1..])
            .current_dir(folder.path())
            .env("LD_LIBRARY_PATH", folder.path())
            .output()
            .expect("it starts");
        assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
        assert!(text(&output.stderr).contains(&format!("{name} started this process")), "{output:?}");
    }
}

/// How programs of MPI are compiled, as scripts in which `$W` is the program, `$LIBRARY` the folder of the library and `$INCLUDE`
/// that of its header.
const IN_C: [&str; 2] = [
    "OMPI_CC=\"$W cc\" mpicc.openmpi -O2",
    // As C++, where both are the same.
    "mpicc.mpich -cc=\"$W c++\" -x c++ -O2",
];
const IN_FORTRAN: [&str; 2] = [
    "folder=$(mpif90.openmpi --showme:incdirs | cut -d' ' -f1)
     mkdir -p openmpi
     sed '/mpif-sizeof.h/d' \"$folder/mpif.h\" >openmpi/mpif.h
     $W fc -O2 -Iopenmpi -I\"$folder\" -fopenmp-version=52 \"$INCLUDE/warpfold_mpi.f90\" total.f90 \
       $(mpicc.openmpi --showme:link) -lmpi_mpifh",
    "$W fc -O2 -I/usr/include/x86_64-linux-gnu/mpich -fopenmp-version=52 \"$INCLUDE/warpfold_mpi.f90\" total.f90 \
       -lmpichfort -lmpich",
];

/// The result of one of the cases of `mpi/library.c`, on the host: its bytes in C.
fn on_host(case: &str, count: u64) -> Vec<u8> {
    fn reduced<O: Lift<I> + Identity<O::Value>, I>(op: O, count: u64, item: impl Fn(u64) -> I) -> O::Value {
        canonical::reduce(op, count, item).unwrap_or(op.identity())
    }
    let mixed = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    match case {
        "f64 sum" => reduced(Sum, count, real).to_ne_bytes().into(),
        "f32 sum" => reduced(Sum, count, |i| real(i) as f32).to_ne_bytes().into(),
        "f32 argmax" => {
            let found = reduced(ArgMax, count, |i| real(i) as f32).found();
            let (value, index) = found.map_or((f32::NAN, -1), |(value, index)| (value, index as i64));
            [value.to_ne_bytes(), [0; 4]].concat().into_iter().chain(index.to_ne_bytes()).collect()
        }
        "i32 min" => reduced(Min, count, |i| (mixed(i) >> 32) as i32).to_ne_bytes().into(),
        "u8 xor" => vec![reduced(Xor, count, |i| (mixed(i) >> 56) as u8)],
        "complex sum" => [0, 7].map(|by| reduced(Sum, count, |i| real(i + by)).to_ne_bytes()).concat(),
        _ => panic!("{case} is not known"),
    }
}

/// `mpi/library.c` in C and as C++, and the programs of the page.
#[test]
fn programs_reduce_with_the_library() {
    let files = page::files("docs/machines.md");
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = folder(&files);
    fs::write(folder.path().join("library.c"), include_str!("mpi/library.c")).expect("a file");
    let program = env::current_exe().expect("this program");
    let library = program.parent().expect("its folder");
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../host-rt/mpi/so/include");
    let warpfold = env!("CARGO_BIN_EXE_warpfold");
    let with_library = "-I\"$INCLUDE\" -L\"$LIBRARY\" -Wl,-rpath,\"$LIBRARY\" -lwarpfold_mpi -lm";
    for launcher in launchers() {
        let which = usize::from(launcher[0] == "mpirun.mpich");
        let compiler = ["mpicc.openmpi", "mpicc.mpich"][which];
        if !is_there(compiler) {
            println!("skipped: no {compiler} (`cargo xtask mpi` installs it)");
            continue;
        }
        for (script, name) in [
            (format!("{} -Wall -Wextra -Werror library.c", IN_C[which]), "library"),
            (format!("{} total.c", IN_C[which]), "total-c"),
            (IN_FORTRAN[which].to_owned(), "total-f90"),
        ] {
            let mut build = Command::new("sh");
            build.args(["-e", "-c", &format!("{script} {with_library} -o {name}")]);
            build.envs([("W", warpfold), ("INCLUDE", include)]).env("LIBRARY", library);
            let output = build.current_dir(folder.path()).output().expect("sh starts");
            assert!(output.status.success(), "{script}: {}", text(&output.stderr));
        }
        let run = |processes: usize, options: &[&str], name: &str| {
            let program = [&[warpfold, "run", "--require-launch"], options, &[name]].concat();
            let output = job(folder.path(), &launcher, processes, &program);
            assert!(output.status.success(), "{launcher:?}, {processes} processes of {name}: {output:?}");
            text(&output.stdout)
        };
        let some: &[usize] = if is_nightly() { &[1, 2, 3, 4, 8] } else { [&[1, 3][..], &[4]][which] };
        for &processes in some {
            let printed = run(processes, &["--devices", "2"], "./library");
            assert_eq!(printed.lines().count(), 24, "{printed}");
            for line in printed.lines() {
                let (what, bytes) = line.split_once(": ").expect("a case");
                let (case, count) = what.split_once(" of ").expect("a number of elements");
                let expected = on_host(case, count.parse().expect("a number"));
                let expected: Vec<String> = expected.iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(bytes, expected.join(" "), "{launcher:?}, {processes} processes: {line}");
            }
        }
        assert_eq!(run(2, &[], "./total-c"), "12.090146130 in both\n");
        assert_eq!(run(2, &[], "./total-f90").trim(), "12.090146130 T");
        // Without an emulated driver of its own, and without a GPU, the library has one.
        let output = job(folder.path(), &launcher, 2, &["./total-c"]);
        assert!(output.status.success(), "{launcher:?}: {output:?}");
        // One process has no memory for it: all are told, and the program ends the job.
        let script = "[ \"$OMPI_COMM_WORLD_RANK$PMI_RANK\" = 1 ] && export WARPFOLD_FAIL_ALLOCATION=1+; exec ./total-c";
        let output = job(folder.path(), &launcher, 3, &["sh", "-c", script]);
        let errors = text(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty(), "{launcher:?}: {output:?}");
        assert!(errors.contains("process 1 of 3: ") && errors.contains("OUT_OF_MEMORY"), "{errors}");
    }
}

/// The programs of the page, compiled as it says.
#[test]
fn each_process_of_an_openmp_program_has_a_device() {
    let files = page::files("docs/machines.md");
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = folder(&files);
    let warpfold = env!("CARGO_BIN_EXE_warpfold");
    let in_c = ["OMPI_CC=\"$W cc\" mpicc.openmpi -O2 pi.c -o pi", "mpicc.mpich -cc=\"$W cc\" -O2 pi.c -o pi"];
    let in_fortran = [
        "folder=$(mpif90.openmpi --showme:incdirs | cut -d' ' -f1)
         mkdir -p openmpi
         sed '/mpif-sizeof.h/d' \"$folder/mpif.h\" >openmpi/mpif.h
         $W fc -O2 -Iopenmpi -I\"$folder\" pi.f90 -o pi $(mpicc.openmpi --showme:link) -lmpi_mpifh",
        "$W fc -O2 -I/usr/include/x86_64-linux-gnu/mpich pi.f90 -o pi -lmpichfort -lmpich",
    ];
    for launcher in launchers() {
        let which = usize::from(launcher[0] == "mpirun.mpich");
        let compiler = ["mpicc.openmpi", "mpicc.mpich"][which];
        if !is_there(compiler) {
            println!("skipped: no {compiler} (`cargo xtask mpi` installs it)");
            continue;
        }
        for (script, expected) in [
            (in_c[which], ["on device 0", "on device 1", "3.141592654"]),
            (in_fortran[which], ["3.141592654"; 3]),
        ] {
            let mut build = Command::new("sh");
            build.args(["-e", "-c", script]).env("W", warpfold).current_dir(folder.path());
            let output = build.output().expect("sh starts");
            assert!(output.status.success(), "{script}: {}", text(&output.stderr));
            let output = job(folder.path(), &launcher, 2, &[warpfold, "run", "--devices", "2", "./pi"]);
            let printed = text(&output.stdout);
            assert!(
                output.status.success() && expected.iter().all(|part| printed.contains(part)),
                "{script}: {output:?}"
            );
        }
    }
}

/// Everything that must not change the bits, chosen at random: 200 combinations at night, else a few.
#[test]
fn random_combinations_have_the_same_bits() {
    let folder = inputs();
    // The same values as files that are split at odd places.
    let whole = fs::read(folder.path().join("values.raw")).expect("a file");
    for (name, part) in
        ["a.raw", "b.raw", "c.raw"].into_iter().zip([&whole[..4], &whole[4..80_004], &whole[80_004..]])
    {
        fs::write(folder.path().join(name), part).expect("a file");
    }
    let operators = ["--op", "sum,product,argmin,mean,var", "--type", "f32"];
    let expected = alone(folder.path(), &[&operators[..], &["values.raw"]].concat());
    let launchers = launchers();
    let mut state = 7_u64;
    let mut one_of = |count: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % count
    };
    for number in 0..if is_nightly() { 200 } else { 3 } {
        let files: &[&str] = [&["values.raw"][..], &["a.raw", "b.raw", "c.raw"]][one_of(2)];
        let gpus = ["h200", "a100", "v100", "b200", "h200,v100", "a100,b200,v100"][one_of(6)];
        let devices: &[&str] = [&["--device", "emulator"][..], &["--device", "emulator:all"]][one_of(2)];
        let count = ["1", "2", "3", "8"][one_of(4)];
        let jobs = ["1", "2", "3"][one_of(3)];
        let engine = ["interpret", "compile", "auto"][one_of(3)];
        let seed = ["", "3", "11"][one_of(3)];
        let processes = [0, 1, 2, 3, 4, 8][one_of(6)];
        let options =
            ["--reproducible", "--sm", gpus, "--devices", count, "--jobs", jobs, "--engine", engine];
        let arguments = [&operators[..], &options, devices, files].concat();
        let words = reduce(&arguments);
        let words: Vec<&str> = ["env"]
            .into_iter()
            .chain(
                (!seed.is_empty())
                    .then_some(["WARPFOLD_SEED=3", "WARPFOLD_SEED=11"][usize::from(seed == "11")]),
            )
            .chain(words.iter().map(String::as_str))
            .collect();
        let output = match launchers.get(number % launchers.len().max(1)) {
            Some(launcher) if processes > 0 => job(folder.path(), launcher, processes, &words),
            _ => Command::new(words[0])
                .args(&words[1..])
                .current_dir(folder.path())
                .output()
                .expect("it starts"),
        };
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        assert_eq!(text(&output.stdout), expected, "{processes} processes: {words:?}");
    }
}
