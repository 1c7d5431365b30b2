//! The target *driver-calls*: calls of the emulated driver in any order, from several threads, with handles,
//! addresses and sizes that may be wrong. What pointers of the program's own point to is always valid, as
//! `cuda.h` asks for it; addresses that the driver looks up or checks itself need not be.

#[macro_use]
mod call;
mod calls;
mod program;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use cuda_driver::Select;
use cuda_driver::reports::{self, Resources};
use cuda_driver::settings::{self, LaunchOptions, MachineDescription, Settings};

use super::random::Random;
use super::target::{Fuzzer, Opened, Outcome, Target};
use calls::{CALLS, Caller};
use program::Program;

pub const TARGET: Target = Target {
    name: "driver-calls",
    extension: "calls",
    passed: "with many successful calls",
    counts: &["calls", "calls that succeeded", "launches and copies that succeeded"],
    largest: "MiB of memory",
    open,
};

/// Bytes of one call in an input: its number, its thread, and what its arguments are drawn from.
const RECORD: usize = 8;
/// The most calls of an input.
const MOST_CALLS: usize = 300;
/// The most threads.
const MOST_THREADS: u64 = 3;

/// Limits of the driver.
const DEVICE_BYTES: u64 = 64 << 20;
const HOST_BYTES: u64 = 128 << 20;
const STEPS: u64 = 200_000;

/// What an input may take.
const TIME: Duration = Duration::from_secs(2);
const RESIDENT_BYTES: u64 = 512 << 20;

struct DriverCalls;

fn open(_folders: &[PathBuf]) -> Opened {
    let launch = LaunchOptions { step_limit: STEPS, ..LaunchOptions::default() };
    let settings = Settings {
        launch: Some(launch),
        machines: Some(vec![MachineDescription::default(); program::DEVICES as usize]),
        device_memory: Some(DEVICE_BYTES),
        host_memory: Some(HOST_BYTES),
        print_buffer: Some(1 << 20),
        ..Settings::default()
    };
    settings::configure(settings).map_err(|e| e.to_string())?;
    cuda_driver::init(Select::Emulator).map_err(|e| e.to_string())?;
    match call!(cuInit(0 => u32)) {
        0 => Ok(Box::new(DriverCalls)),
        status => Err(format!("cuInit returned {status}")),
    }
}

impl Fuzzer for DriverCalls {
    fn input(&self, seed: u64, number: u64) -> Vec<u8> {
        let mut random = Random::new(seed, number);
        let calls = 1 + random.below(MOST_CALLS);
        (0..calls).flat_map(|_| random.next().to_le_bytes()).collect()
    }

    fn run(&self, input: &[u8], _seed: u64) -> Result<Outcome, String> {
        let program = Program::new()?;
        let (calls, succeeded, work) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let threads = 1 + u64::from(input.first().copied().unwrap_or(0)) % MOST_THREADS;
        thread::scope(|scope| {
            for number in 0..threads {
                let (program, calls, succeeded, work) = (&program, &calls, &succeeded, &work);
                scope.spawn(move || {
                    let mut caller = Caller::new(program);
                    for record in input.chunks_exact(RECORD) {
                        if u64::from(record[1]) % threads != number {
                            continue;
                        }
                        let random = u64::from_le_bytes(record.try_into().unwrap_or_default());
                        let known = &CALLS[usize::from(record[0]) % CALLS.len()];
                        let status = caller.call(known, random);
                        calls.fetch_add(1, Relaxed);
                        succeeded.fetch_add(u64::from(status == 0), Relaxed);
                        work.fetch_add(u64::from(status == 0 && known.works), Relaxed);
                    }
                });
            }
        });
        program.end()?;
        let left = reports::resources();
        if left != Resources::default() {
            return Err(format!("after the last context has ended there is {left:?}"));
        }
        let resident = resident_bytes();
        if resident > RESIDENT_BYTES {
            return Err(format!("the process has {resident} bytes of memory"));
        }
        let [calls, succeeded, work] = [calls, succeeded, work].map(AtomicU64::into_inner);
        let passed = succeeded * 3 >= calls;
        Ok(Outcome { passed, counts: [calls, succeeded, work, 0], largest: resident >> 20 })
    }

    fn time(&self, _input: &[u8]) -> Duration {
        TIME
    }
}

/// Bytes of memory of this process that are in use, if the host says so.
fn resident_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}
