//! `cargo xtask fuzz`: runs hostile PTX on the emulator.
//!
//! An input depends on a seed and a number only, so every run can be repeated. Child processes try the inputs
//! one by one and write the number of the current one to a file. This process watches the files: when a child
//! hangs or crashes, it keeps the input and starts another child after it.

mod corpus;
mod generate;
mod memory;
mod random;
mod statements;
mod tokens;
mod trial;

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use corpus::Corpus;

/// Options of `cargo xtask fuzz`.
#[derive(clap::Args, Clone)]
pub struct Options {
    /// Inputs to try
    #[arg(long, default_value_t = 10_000)]
    inputs: u64,
    /// Seed of the inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first input
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Stop after this many seconds
    #[arg(long)]
    seconds: Option<u64>,
    /// Child processes
    #[arg(long, default_value_t = 1)]
    jobs: u64,
    /// Further folders with PTX to make inputs from
    #[arg(long)]
    corpus: Vec<PathBuf>,
    /// The folder for inputs that fail
    #[arg(long, default_value = "target/fuzz")]
    crashes: PathBuf,
    /// Try these files instead of generated inputs
    #[arg(long, num_args = 1..)]
    files: Vec<PathBuf>,
    /// Print the input of number `--first`
    #[arg(long)]
    show: bool,
    /// Run as a child process: this one of `--jobs`
    #[arg(long, hide = true)]
    worker: Option<u64>,
}

/// An input that takes longer than this hangs.
const HANG: Duration = Duration::from_secs(60);
/// Findings after which a run ends.
const MOST_FINDINGS: u64 = 50;

/// The progress of a child process, as in its file: number of the current input plus one, inputs done, inputs
/// loaded, launches, faults, findings, the largest ratio of memory to text.
const FIELDS: usize = 7;
type Progress = [u64; FIELDS];

fn write(file: &File, progress: &Progress) -> Result<(), String> {
    let bytes: Vec<u8> = progress.iter().flat_map(|n| n.to_le_bytes()).collect();
    file.write_all_at(&bytes, 0).map_err(|e| e.to_string())
}

fn read(path: &Path) -> Progress {
    let bytes = std::fs::read(path).unwrap_or_default();
    let mut progress = [0; FIELDS];
    for (n, chunk) in progress.iter_mut().zip(bytes.chunks_exact(8)) {
        *n = chunk.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
    }
    progress
}

/// Runs the command.
pub fn run(options: &Options) -> Result<(), String> {
    if !options.files.is_empty() {
        return files(options);
    }
    let corpus = || {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ptx-emulator/tests/ptx");
        let folders: Vec<PathBuf> = std::iter::once(root).chain(options.corpus.iter().cloned()).collect();
        Corpus::read(&folders)
    };
    if options.show {
        let text = generate::input(&corpus()?, options.seed, options.first);
        print!("{}", String::from_utf8_lossy(&text));
        return Ok(());
    }
    std::fs::create_dir_all(&options.crashes).map_err(|e| format!("{}: {e}", options.crashes.display()))?;
    match options.worker {
        Some(number) => try_inputs(options, number, &corpus()?),
        None => supervise(options, corpus),
    }
}

/// Tries files.
fn files(options: &Options) -> Result<(), String> {
    for path in &options.files {
        let text = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        match trial::run(&text, options.seed) {
            Ok(outcome) => println!("{}: {outcome:?}", path.display()),
            Err(problem) => return Err(format!("{}: {problem}", path.display())),
        }
    }
    Ok(())
}

/// Writes an input and its problem to files.
fn keep(options: &Options, index: u64, text: &[u8], problem: &str) -> Result<(), String> {
    let name = options.crashes.join(format!("seed-{}-input-{index}", options.seed));
    let failed = |e: std::io::Error| format!("{}: {e}", name.display());
    std::fs::write(name.with_extension("ptx"), text).map_err(failed)?;
    std::fs::write(name.with_extension("txt"), problem).map_err(failed)?;
    let start: String = problem.chars().take(200).collect();
    println!("input {index} ({}.ptx): {start}", name.display());
    Ok(())
}

fn progress_path(options: &Options, worker: u64) -> PathBuf {
    options.crashes.join(format!("worker-{worker}.progress"))
}

/// Tries a child process's inputs: every `jobs`-th from `first + number` on.
fn try_inputs(options: &Options, number: u64, corpus: &Corpus) -> Result<(), String> {
    trial::catch_panics();
    let path = progress_path(options, number);
    let mut progress = read(&path);
    let file = File::options().write(true).open(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut index = if progress[0] == 0 { options.first + number } else { progress[0] - 1 + options.jobs };
    while index < options.first + options.inputs {
        progress[0] = index + 1;
        write(&file, &progress)?;
        let text = generate::input(corpus, options.seed, index);
        match trial::run(&text, options.seed ^ index) {
            Ok(outcome) => {
                progress[2] += u64::from(outcome.loaded);
                progress[3] += outcome.launches;
                progress[4] += outcome.faults;
                progress[6] = progress[6].max(outcome.load_ratio);
            }
            Err(problem) => {
                progress[5] += 1;
                keep(options, index, &text, &problem)?;
            }
        }
        progress[1] += 1;
        index += options.jobs;
    }
    write(&file, &progress)
}

fn start(options: &Options, worker: u64) -> Result<Child, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new(program);
    command.arg("fuzz").args(["--worker", &worker.to_string(), "--seed", &options.seed.to_string()]);
    command.args(["--inputs", &options.inputs.to_string(), "--first", &options.first.to_string()]);
    command.args(["--jobs", &options.jobs.to_string()]).arg("--crashes").arg(&options.crashes);
    for folder in &options.corpus {
        command.arg("--corpus").arg(folder);
    }
    command.stdin(Stdio::null()).spawn().map_err(|e| e.to_string())
}

/// A child process.
struct Worker {
    child: Option<Child>,
    /// The current input (plus one), and when it started.
    at: u64,
    since: Instant,
}

fn supervise(options: &Options, corpus: impl Fn() -> Result<Corpus, String>) -> Result<(), String> {
    let begin = Instant::now();
    let mut workers = Vec::new();
    for number in 0..options.jobs {
        let path = progress_path(options, number);
        std::fs::write(&path, [0; FIELDS * 8]).map_err(|e| format!("{}: {e}", path.display()))?;
        workers.push(Worker { child: Some(start(options, number)?), at: 0, since: begin });
    }
    let (mut crashes, mut ended) = (0, false);
    while workers.iter().any(|w| w.child.is_some()) {
        std::thread::sleep(Duration::from_millis(50));
        let over = options.seconds.is_some_and(|s| begin.elapsed().as_secs() >= s);
        for (number, worker) in workers.iter_mut().enumerate() {
            let Some(child) = &mut worker.child else { continue };
            let progress = read(&progress_path(options, number as u64));
            if progress[0] != worker.at {
                (worker.at, worker.since) = (progress[0], Instant::now());
            }
            let problem = match child.try_wait().map_err(|e| e.to_string())? {
                Some(status) if status.success() => {
                    worker.child = None;
                    continue;
                }
                Some(status) => format!("the process ended with {status}"),
                None if worker.at != 0 && worker.since.elapsed() > HANG => {
                    format!("ran for more than {HANG:?}")
                }
                None if over || progress[5] + crashes > MOST_FINDINGS => {
                    ended = true;
                    String::new()
                }
                None => continue,
            };
            // The second call also reaps a child that has ended.
            let _ = child.kill();
            let _ = child.wait();
            worker.child = None;
            if ended {
                continue;
            }
            if worker.at == 0 {
                return Err(format!("a child process could not start: {problem}"));
            }
            crashes += 1;
            let index = worker.at - 1;
            keep(options, index, &generate::input(&corpus()?, options.seed, index), &problem)?;
            worker.child = Some(start(options, number as u64)?);
        }
    }
    let mut total = [0; FIELDS];
    for number in 0..options.jobs {
        let progress = read(&progress_path(options, number));
        let ratio = total[6].max(progress[6]);
        total.iter_mut().zip(progress).for_each(|(t, p)| *t += p);
        total[6] = ratio;
        let _ = std::fs::remove_file(progress_path(options, number));
    }
    let [_, done, loaded, launches, faults, findings, ratio] = total;
    let (done, findings) = (done + crashes, findings + crashes);
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{done} inputs in {seconds:.0} s ({:.0}/s): {loaded} loaded, {launches} launches of which {faults} ended \
         in a fault; at most {ratio} bytes of memory for a byte of text; {findings} findings",
        done as f64 / seconds
    );
    if findings == 0 { Ok(()) } else { Err(format!("{findings} inputs failed")) }
}
