//! Device code compiled by clang 19, which has other names for some functions than LLVM 22
//! (`__kmpc_parallel_51`, `__llvm_omp_vprintf`), runs with the runtime's bitcode.
//!
//! clang 19's host code is incompatible with LLVM 22's host runtime, so this file launches the kernels as
//! that would. The compiler is the one in `WARPFOLD_CLANG_19`, or the system's; `cargo xtask thirdparty
//! clang19` downloads one.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use cust::memory::DeviceBuffer;
use host_rt::{OptLevel, Select};
use tests_gpu::Fixture;
use tests_gpu::fixture::Kernels;
use toolchain::{Input, PtxBuild};

/// Elements of the programs' array.
const N: usize = 5000;

/// clang 19. Without one, prints the reason and returns `None`.
fn clang_19() -> Option<PathBuf> {
    let named = env::var_os("WARPFOLD_CLANG_19").map(PathBuf::from);
    let usual = ["/usr/bin/clang-19", "/usr/lib/llvm-19/bin/clang"].map(PathBuf::from);
    let found = match &named {
        Some(path) => Some(path.clone()),
        None => usual.into_iter().find(|path| path.is_file()),
    };
    let Some(clang) = found else {
        println!("skipped: no clang-19; `cargo xtask thirdparty clang19` downloads one and runs this");
        return None;
    };
    let output = Command::new(&clang).arg("--version").output().unwrap_or_else(|e| panic!("{clang:?}: {e}"));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("clang version 19."), "{clang:?}: {said}");
    Some(clang)
}

/// The programs' device code, compiled and linked at one optimisation level.
struct Program<'a> {
    fixture: &'a Fixture,
    ptx: String,
    kernels: Kernels,
}

impl<'a> Program<'a> {
    fn new(fixture: &'a Fixture, clang: &Path, level: OptLevel) -> Program<'a> {
        let output = Command::new(clang)
            .arg(format!("-{level}"))
            .args(["-fopenmp", "--offload-arch=sm_90", "--offload-device-only", "-nogpulib"])
            .args(["--cuda-feature=+ptx83", "-Wno-unknown-cuda-version", "-S", "-emit-llvm"])
            // clang 22's omp.h does for these programs; clang 19's may be missing.
            .arg("-idirafter")
            .arg(fixture.tools.llvm.dir.join("../lib/clang/22/include"))
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clang19/device.c"))
            .args(["-o", "-"])
            .output()
            .expect("clang runs");
        let ir = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for name in ["__kmpc_parallel_51", "__llvm_omp_vprintf"] {
            assert!(ir.contains(name), "no {name} at {level}: the test would be void");
        }
        let library =
            device_library::openmp_library(&fixture.tools).unwrap_or_else(|error| panic!("{error}"));
        let library = library.join(toolchain::BITCODE);
        let names: Vec<&str> = ir
            .lines()
            .filter(|line| line.starts_with("define weak_odr protected void @__omp_offloading_"))
            .filter_map(|line| line.split(['@', '(']).nth(1))
            .collect();
        let modules = [Input::Ir(&ir), Input::Bitcode(&library)];
        let build = PtxBuild { modules: &modules, keep: &names, sm: 90, opt: level };
        let ptx = fixture.tools.ptx(&build).unwrap_or_else(|error| panic!("{level}: {error}"));
        let kernels = fixture.load_ptx(&ptx);
        Program { fixture, ptx, kernels }
    }

    /// Launches the kernel of a function. Its parameters are the launch environment with a reduction buffer,
    /// then the addresses of captured variables.
    fn run(&self, function: &str, teams: u32, threads: u32, captured: &[u64]) {
        let marked = format!("_{function}_l");
        let entries = self.ptx.lines().filter_map(|line| line.split_once(".entry ")?.1.split('(').next());
        let kernel = entries.into_iter().find(|name| name.contains(&marked));
        let kernel = kernel.unwrap_or_else(|| panic!("no kernel of {function}"));
        let buffer = self.fixture.upload(&vec![0_u8; 1024 * 64]);
        // Two counters, and the address of the buffer.
        let launch = self.fixture.upload(&[0, buffer.as_device_ptr().as_raw()]);
        let words = [&[launch.as_device_ptr().as_raw()], captured].concat();
        self.kernels.run_blocks(kernel, teams, threads, &words);
    }

    fn numbers(&self) -> (Vec<i64>, DeviceBuffer<i64>) {
        let numbers: Vec<i64> = (0..N as i64).map(|i| i * 7919 % 1009 - 300).collect();
        let copy = self.fixture.upload(&numbers);
        (numbers, copy)
    }
}

/// Runs a test of the programs at both levels.
fn at_both_levels(test: impl Fn(&Program)) {
    let Some(clang) = clang_19() else { return };
    let fixture = Fixture::open(Select::Emulator).expect("the emulator");
    for level in [OptLevel::O0, OptLevel::O2] {
        println!("{level}");
        test(&Program::new(&fixture, &clang, level));
    }
}

fn address<T: cust::memory::DeviceCopy>(buffer: &DeviceBuffer<T>) -> u64 {
    buffer.as_device_ptr().as_raw()
}

fn host<T: cust::memory::DeviceCopy + Default + Clone>(buffer: &DeviceBuffer<T>) -> Vec<T> {
    buffer.as_host_vec().expect("a copy")
}

#[test]
fn a_sum_over_all_teams() {
    at_both_levels(|program| {
        let (numbers, copy) = program.numbers();
        for (teams, threads) in [(1, 128), (7, 128), (33, 96)] {
            let sum = program.fixture.upload(&[5_i64]);
            program.run("spmd", teams, threads, &[address(&sum), address(&copy)]);
            assert_eq!(host(&sum), [5 + numbers.iter().sum::<i64>()], "{teams} teams of {threads}");
        }
    });
}

#[test]
fn several_variables_of_several_types() {
    at_both_levels(|program| {
        let (numbers, copy) = program.numbers();
        let (sum, most) = (program.fixture.upload(&[1.5_f64]), program.fixture.upload(&[-1000_i64]));
        let even = program.fixture.upload(&[7_i32]);
        program.run("several", 9, 128, &[address(&sum), address(&copy), address(&most), address(&even)]);
        assert_eq!(host(&sum), [1.5 + numbers.iter().sum::<i64>() as f64 * 0.5]);
        assert_eq!(host(&most), [*numbers.iter().max().expect("numbers")]);
        let expected = numbers.iter().fold(7, |even, &number| even & (!(number as i32 & 1) | 6));
        assert_eq!(host(&even), [expected]);
    });
}

#[test]
fn regions_in_generic_mode() {
    at_both_levels(|program| {
        let (numbers, copy) = program.numbers();
        program.run("generic", 1, 128, &[address(&copy)]);
        let first = |i: usize| numbers[i] * 2 + [numbers[0], 1, 2, 3][i & 3];
        let mut expected: Vec<i64> = (0..N).map(|i| first(i) + first(1)).collect();
        // Queried by the main thread outside of regions: one thread, level 0.
        expected[0] = 1000;
        assert_eq!(host(&copy), expected);
    });
}

#[test]
fn nested_regions() {
    at_both_levels(|program| {
        let (numbers, copy) = program.numbers();
        program.run("nested", 1, 96, &[address(&copy)]);
        let found = host(&copy);
        let expected: Vec<i64> = (0..96).map(|outer| outer + 45 + 10 * 200).collect();
        assert_eq!(found[..96], expected);
        assert_eq!(found[96..], numbers[96..]);
    });
}

#[test]
fn dynamic_schedules() {
    at_both_levels(|program| {
        let (numbers, copy) = program.numbers();
        program.run("dynamic", 3, 128, &[address(&copy)]);
        let expected: Vec<i64> = numbers.iter().zip(0..).map(|(number, i)| number + i).collect();
        assert_eq!(host(&copy), expected);
    });
}

/// Kernels print to this process's standard output, so another process runs them and this one reads the
/// output.
#[test]
fn output_of_kernels() {
    const PRINTS: &str = "WARPFOLD_TEST_PRINTS";
    if env::var_os(PRINTS).is_some() {
        return at_both_levels(|program| {
            let (numbers, copy) = program.numbers();
            assert_eq!(numbers[..2], [-300, 556]);
            program.run("prints", 1, 64, &[address(&copy)]);
            assert_eq!(host(&copy)[0], 3);
        });
    }
    if clang_19().is_none() {
        return;
    }
    let own = env::current_exe().expect("the test's path");
    let output = Command::new(own)
        .args(["--exact", "output_of_kernels", "--nocapture"])
        .env(PRINTS, "1")
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.lines().filter(|line| *line == "-300 from the device 139.00").count(), 2, "{said}");
}
