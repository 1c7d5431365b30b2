//! `cargo xtask conformance`: the OpenMP programs of `tests-gpu/programs` and those of one construct each
//! (`tests-gpu/src/single_construct.rs`) in every build mode and order.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use clap::Parser;
use tests_gpu::{
    checked,
    conformance::{self, Build, Settings},
    single_construct,
};

/// OpenMP programs that check themselves, in every build mode and every order of blocks and warps
#[derive(Parser)]
#[command(name = "cargo xtask conformance")]
struct Arguments {
    /// Only programs whose name contains one of these; a mode may follow after a colon: loops:O2
    filters: Vec<String>,
    /// The folder of the emulated driver [default: the machine's own driver]
    #[arg(long)]
    driver: Option<PathBuf>,
    /// Programs that are built or run at the same time [default: number of processors]
    #[arg(long)]
    parallel: Option<usize>,
    /// Copy programs that pass into this folder, each with its output
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Only the builds that `cargo test` runs
    #[arg(long)]
    some: bool,
    /// Only programs without the directive `whole`, in every mode and in their first order
    #[arg(long, conflicts_with = "some")]
    often: bool,
    /// Also run each program interpreted and compiled, in order: both must count the same
    #[arg(long, requires = "driver", conflicts_with = "check")]
    engines: bool,
    /// Build with -fopenmp-target-debug=1, with which the device runtime reports variables that are not released
    #[arg(long)]
    debug: bool,
    /// Run with WARPFOLD_CHECK=all, in order and then with seeds: reports of data races and undefined values are
    /// failures; a campaign that was interrupted goes on
    #[arg(long, requires = "driver", conflicts_with = "keep")]
    check: bool,
    /// With --check: the number of seeds after the run in order
    #[arg(long, value_name = "N", default_value_t = 2, requires = "check")]
    seeds: u32,
    /// With --check: do all runs again
    #[arg(long, requires = "check")]
    restart: bool,
    /// With --check: the folder of results
    #[arg(long, value_name = "FOLDER", default_value = "target/conformance-checks", requires = "check")]
    results: PathBuf,
    /// With --check: also write the results as JSON
    #[arg(long, value_name = "FILE", requires = "check")]
    json: Option<PathBuf>,
    /// An additional option of the compiler
    #[arg(long = "option", value_name = "WORD", allow_hyphen_values = true)]
    options: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut programs = match conformance::programs(&conformance::folder()) {
        Ok(programs) => programs,
        Err(message) => {
            eprintln!("conformance: {message}");
            return ExitCode::FAILURE;
        }
    };
    programs.extend(single_construct::programs());
    let mut builds = if arguments.some {
        conformance::quick_builds(&programs)
    } else {
        conformance::all_builds(&programs)
    };
    if arguments.often {
        builds.retain_mut(|build| {
            build.orders.truncate(1);
            !build.program.whole
        });
    }
    let matches = |filter: &String, build: &Build| {
        let (name, mode) = filter.split_once(':').unwrap_or((filter, ""));
        build.program.name.contains(name) && (mode.is_empty() || conformance::MODES[build.mode].0 == mode)
    };
    let filters = &arguments.filters;
    builds.retain(|build| filters.is_empty() || filters.iter().any(|filter| matches(filter, build)));
    if builds.is_empty() {
        eprintln!("conformance: no program has such a name");
        return ExitCode::FAILURE;
    }
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let mut options = arguments.options;
    options.extend(arguments.debug.then(|| "-fopenmp-target-debug=1".to_owned()));
    let parallel = arguments.parallel.unwrap_or_else(processors);
    if let (true, Some(driver)) = (arguments.check, arguments.driver.clone()) {
        let Arguments { seeds, restart, results, json, .. } = arguments;
        let settings = checked::CampaignSettings {
            driver,
            parallel,
            options,
            seeds,
            folder: Some(results),
            verbose: true,
        };
        return match run_checked(&builds, &settings, restart, json.as_deref()) {
            Ok(right) if right => ExitCode::SUCCESS,
            Ok(_) => ExitCode::FAILURE,
            Err(message) => {
                eprintln!("conformance: {message}");
                ExitCode::FAILURE
            }
        };
    }
    let Arguments { driver, keep, engines, .. } = arguments;
    let settings = Settings { driver, parallel, options, keep, engines, verbose: true };
    let start = Instant::now();
    let outcomes = conformance::run(&builds, &settings);
    print!("{}", conformance::report(&builds, &outcomes, start.elapsed()));
    let failed = outcomes.iter().any(|outcome| !outcome.failures.is_empty());
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Runs under the checks and prints what they report; whether there is nothing new.
fn run_checked(
    builds: &[Build],
    settings: &checked::CampaignSettings,
    restart: bool,
    json: Option<&Path>,
) -> Result<bool, String> {
    if let Some(folder) = settings.folder.as_deref().filter(|folder| restart && folder.exists()) {
        let path = folder.join(checked::RESULTS);
        if path.exists() {
            fs::remove_file(&path).map_err(|error| format!("cannot remove {}: {error}", path.display()))?;
        }
    }
    let start = Instant::now();
    let campaign = checked::run(builds, settings)?;
    let judged = campaign.judge(builds);
    print!("{}", campaign.report(&judged, start.elapsed().as_secs_f64()));
    if let Some(path) = json {
        let text = format!("{:#}\n", campaign.json(&judged));
        fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(judged.groups.is_empty() && judged.failures.is_empty())
}
