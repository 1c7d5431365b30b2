//! `cargo xtask fuzz`: hostile input.

use std::{env, io::Write, path::PathBuf, process::Command};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use fuzzers::{Campaign, CountingAllocator, TARGET_NAMES};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Options of `cargo xtask fuzz`.
#[derive(clap::Args)]
pub struct Options {
    /// What to fuzz
    #[arg(value_parser = target_names(), default_value = TARGET_NAMES[0])]
    target: String,
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
    /// Further folders with files to make inputs from
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
    child: Option<u64>,
    /// The file for the progress of a child process
    #[arg(long, hide = true, requires = "child")]
    progress: Option<PathBuf>,
}

fn target_names() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(TARGET_NAMES)
}

/// Runs the command.
pub fn run(options: &Options) -> Result<(), String> {
    let campaign = Campaign {
        target: options.target.clone(),
        inputs: options.inputs,
        seed: options.seed,
        first: options.first,
        seconds: options.seconds,
        jobs: options.jobs,
        corpus: options.corpus.clone(),
        crashes: options.crashes.clone(),
    };
    if !options.files.is_empty() {
        return fuzzers::try_files(&campaign, &options.files);
    }
    if options.show {
        return std::io::stdout().write_all(&campaign.input()?).map_err(|e| e.to_string());
    }
    match (options.child, &options.progress) {
        (Some(number), Some(progress)) => fuzzers::run_child(&campaign, number, progress),
        // With the options of this process.
        _ => fuzzers::run(&campaign, &|number, progress| {
            let mut command = Command::new(env::current_exe().map_err(|e| e.to_string())?);
            command.args(env::args_os().skip(1)).args(["--child", &number.to_string()]);
            command.arg("--progress").arg(progress);
            Ok(command)
        }),
    }
}
