//! Reductions over teams in device code that clang 22 and 23 made of `recorded/teams.c`, with the launch environments of
//! both: the runtime knows by what the code calls which one it gets.
//!
//! Each file is what `clang-NN -O1 -fno-unroll-loops -mllvm -unroll-threshold=0 -fopenmp --offload-arch=sm_90 -nogpulib
//! --cuda-path=CUDA -fno-offload-lto --offload-device-only -S teams.c` writes: it calls the runtime, and has nothing of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use ptx_emulator::{LaunchConfig, LaunchOptions, Machine, MachineDescription, Program};
use toolchain::{BITCODE, Input, OptLevel, PtxBuild, Tools};

/// Elements that are summed.
const COUNT: u64 = 3000;
/// Records of the reduction buffer that LLVM 22's host runtime makes.
const RECORDS_OF_22: u64 = 1024;

struct Recorded {
    version: u32,
    text: &'static str,
    program: Arc<Program>,
}

impl Recorded {
    fn new(tools: &Tools, version: u32, text: &'static str) -> Recorded {
        let called: BTreeSet<&str> = text
            .lines()
            .filter(|line| line.starts_with(".extern .func"))
            .filter_map(|line| line.split_whitespace().last())
            .collect();
        let keep: Vec<&str> = called.into_iter().collect();
        let bitcode = device_library::openmp_library(tools).expect("the runtime").join(BITCODE);
        let modules = [Input::Bitcode(&bitcode)];
        let runtime = tools.ptx(&PtxBuild { modules: &modules, keep: &keep, sm: 90, opt: OptLevel::O2 });
        let runtime = runtime.unwrap_or_else(|error| panic!("{error}"));
        let texts = [("teams", text.as_bytes()), ("runtime", runtime.as_bytes())];
        let program = Program::link("recorded", &texts).unwrap_or_else(|error| panic!("{error}"));
        Recorded { version, text, program: Arc::new(program) }
    }

    /// The kernel of a function.
    fn kernel(&self, function: &str) -> &str {
        let mut kernels = self.text.lines().filter_map(|line| line.strip_prefix(".weak .entry "));
        let found = kernels.find(|name| name.contains(&format!("_{function}_l")));
        found.expect("the kernel").trim_end_matches('(')
    }

    /// Reduces with as many teams; returns the bytes of the variable, or the fault. The environment is that of a version.
    fn reduced(
        &self,
        reduction: &Reduction,
        (teams, threads): (u32, u32),
        environment: u32,
        options: &LaunchOptions,
    ) -> Result<Vec<u8>, String> {
        let mut machine = Machine::new(MachineDescription::h200());
        let module = machine.load(&self.program).expect("it fits");
        let bytes = reduction.bytes as u64;
        let input: Vec<u8> = (0..COUNT).flat_map(|at| (reduction.element)(at)).collect();
        let elements = machine.alloc(input.len() as u64).expect("memory");
        machine.write(elements, &input).expect("it is there");
        let variable = machine.alloc(bytes).expect("memory");
        machine.write(variable, &vec![0; reduction.bytes]).expect("it is there");
        let records = if environment == 22 { RECORDS_OF_22 } else { u64::from(teams) };
        let buffer = machine.alloc(records * reduction.record).expect("memory");
        // As libomptarget writes it: docs/llvm-versions.md.
        let mut launch = vec![0; 32];
        let at = if environment == 22 { 8 } else { 0 };
        launch[at..at + 8].copy_from_slice(&buffer.to_le_bytes());
        let place = machine.alloc(32).expect("memory");
        machine.write(place, &launch).expect("it is there");
        let others = [COUNT, variable, elements];
        let parameters = match self.version {
            22 => [&[place], &others[..]].concat(),
            _ => [&others[..], &[place]].concat(),
        };
        let parameters: Vec<u8> = parameters.iter().flat_map(|word| word.to_le_bytes()).collect();
        let config = LaunchConfig::linear(teams, threads);
        machine
            .launch(&module, self.kernel(reduction.function), &config, &parameters, options)
            .map_err(|fault| fault.to_string())?;
        let mut found = vec![0; reduction.bytes];
        machine.read(variable, &mut found).expect("it is there");
        Ok(found)
    }
}

struct Reduction {
    function: &'static str,
    /// Of the variable.
    bytes: usize,
    /// Of a record, as the kernel says.
    record: u64,
    element: fn(u64) -> Vec<u8>,
    /// Whether a result is right.
    check: fn(&[u8]),
}

/// Sums of the elements in any order differ by less.
fn near(found: f64, expected: f64, what: usize) {
    assert!(
        (found - expected).abs() <= expected.abs() * 1e-4,
        "{found}, expected {expected}: variable {what}"
    );
}

fn harmonic() -> f64 {
    (0..COUNT).map(|at| 1.0 / (at + 1) as f64).sum()
}

fn floats(found: &[u8]) {
    for (at, bytes) in found.chunks_exact(4).enumerate() {
        near(f32::from_le_bytes(bytes.try_into().unwrap()).into(), at as f64 * harmonic(), at);
    }
}

fn doubles(found: &[u8]) {
    for (at, bytes) in found.chunks_exact(8).enumerate() {
        near(f64::from_le_bytes(bytes.try_into().unwrap()), at as f64 * harmonic(), at);
    }
}

const REDUCTIONS: [Reduction; 3] = [
    Reduction {
        function: "sum_float",
        bytes: 4,
        record: 4,
        element: |at| (1.0 / (at + 1) as f32).to_le_bytes().into(),
        check: |found| near(f32::from_le_bytes(found.try_into().unwrap()).into(), harmonic(), 0),
    },
    Reduction {
        function: "sum_three",
        bytes: 12,
        record: 16,
        element: |at| (1.0 / (at + 1) as f32).to_le_bytes().into(),
        check: floats,
    },
    Reduction {
        function: "sum_forty",
        bytes: 320,
        record: 320,
        element: |at| (1.0 / (at + 1) as f64).to_le_bytes().into(),
        check: doubles,
    },
];

fn recorded() -> [Recorded; 2] {
    let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
    [(22, include_str!("../recorded/22.ptx")), (23, include_str!("../recorded/23.ptx"))]
        .map(|(version, text)| Recorded::new(&tools, version, text))
}

#[test]
fn teams_reduce_with_the_launch_environment_of_their_compiler() {
    let plain = LaunchOptions::default();
    for recorded in &recorded() {
        let version = recorded.version;
        for reduction in &REDUCTIONS {
            for shape in [(1, 128), (132, 128), (1024, 32), (1025, 32), (3200, 32)] {
                let what = format!("LLVM {version}, {}, {shape:?}", reduction.function);
                let first = recorded.reduced(reduction, shape, version, &plain);
                let first = first.unwrap_or_else(|fault| panic!("{what}: {fault}"));
                println!("{what}");
                (reduction.check)(&first);
                // LLVM 23's host runtime makes a record for each team: nothing depends on the order, and no team waits.
                if version == 23 || shape.0 <= 1024 {
                    let other = LaunchOptions { seed: Some(7), resident_blocks: Some(1), ..plain.clone() };
                    assert_eq!(recorded.reduced(reduction, shape, version, &other), Ok(first), "{what}");
                }
            }
        }
    }
}

/// The most teams that LLVM's host runtime starts.
#[test]
fn the_most_teams_have_a_record_each() {
    let [_, recorded] = recorded();
    // Records of 12 bytes: the last team folds those of 320 bytes for ten seconds.
    let found = recorded.reduced(&REDUCTIONS[1], (65_535, 32), 23, &LaunchOptions::default());
    (REDUCTIONS[1].check)(&found.unwrap_or_else(|fault| panic!("{fault}")));
}

/// What would be seen if the runtime took one environment for the other.
#[test]
fn the_environment_of_the_other_compiler_is_no_environment() {
    for recorded in &recorded() {
        let other = if recorded.version == 22 { 23 } else { 22 };
        let found = recorded.reduced(&REDUCTIONS[1], (132, 128), other, &LaunchOptions::default());
        assert!(found.is_err(), "LLVM {}", recorded.version);
    }
}
