//! The same reductions by this project and by its peers: exact counts on the emulator, facts of the machine code and the
//! model's estimate, or the time on a GPU.
//!
//! Each peer is a program (`cargo xtask bench peers` builds them from `benches/peers`), called for each row as `PROGRAM
//! REDUCTION ELEMENTS GRID LAUNCHES`. It checks its results, prints the seconds of its fastest launch, and ends with
//! status 9 where it does not have a reduction.
//!
//! | file | what it holds |
//! |---|---|
//! | `own` | this project's kernels, typed reductions and exact sums, behind the same arguments |
//! | `facts` | what is known of a row's launches |

mod facts;
pub mod own;

use std::{
    env,
    error::Error,
    path::{Path, PathBuf},
    process::Command,
};

use cuda_driver::profiles;
use serde_json::{Value, json};
use toolchain::{Tools, prepended};

use self::facts::{Assembler, Facts};
use crate::report::Report;

/// The reductions: sums of columns have as many variables of 8 bytes as their names say, 64 of them in one array; wide ones
/// are of numbers of any magnitude, which only exact sums have a result for.
const REDUCTIONS: [&str; 11] = [
    "sum_i32",
    "sum_f32",
    "sum_f64",
    "min_f32",
    "dot_f64",
    "columns_2",
    "columns_8",
    "columns_32",
    "columns_64",
    "wide_f32",
    "wide_f64",
];

/// The peers by the names of their programs, and whether the grid can be chosen. The first four are in this program.
const PEERS: [(&str, &str, bool); 11] = [
    ("ours", "this project's kernels", false),
    ("canonical", "this project's kernels in the canonical order", false),
    ("typed", "this project's typed reductions in Rust", false),
    ("exact", "this project's exact sums in Rust", false),
    ("pragmas-c", "this project's pragmas in C", true),
    ("pragmas-fortran", "this project's pragmas in Fortran", true),
    ("llvm-19", "the pragmas in C with LLVM 19's compiler and device runtime", true),
    ("cub", "CUB, by its own host code", false),
    ("cub-gpu-to-gpu", "CUB's sums with the same bits on every GPU", false),
    ("cuda-nvcc", "grid-stride loops in CUDA, by nvcc", true),
    ("cuda-clang", "the same by clang", true),
];

/// Bytes of an input at most: what an emulated GPU has, with room for the rest.
const LARGEST: u64 = 3 << 30;

/// Elements of an input with several columns, at most: 64 columns of 2^16 rows take five seconds with pragmas.
const MOST_OF_COLUMNS: u64 = 1 << 22;

/// OpenMP's variable of the teams of a launch.
const TEAMS: &str = "OMP_NUM_TEAMS";

/// Options of the benchmark.
#[derive(clap::Args)]
pub struct Options {
    /// The folder of the peers' programs
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// The folder of the emulated driver, for these programs; without it they run on this machine's GPU
    #[arg(long, value_name = "DIR")]
    driver: Option<PathBuf>,
    /// Powers of two: the numbers of elements, or of rows
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = [4, 10, 16, 20],
        value_parser = clap::value_parser!(u32).range(0..=28))]
    sizes: Vec<u32>,
    /// Only these peers
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    only: Vec<String>,
    /// Only these reductions
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    reductions: Vec<String>,
    /// Leave out what ptxas says: registers and machine code, which the estimate then does not know
    #[arg(long)]
    counts_only: bool,
    /// Launches on a GPU, of which the fastest counts
    #[arg(long, value_name = "N", default_value_t = 20)]
    launches: u32,
}

/// A reduction of a peer, at one size with one grid.
struct Row {
    peer: &'static str,
    reduction: &'static str,
    size: u32,
    grid: &'static str,
    /// Of the fastest launch; of the emulator, where there are facts.
    seconds: f64,
    facts: Option<Facts>,
}

/// Runs all peers that are there.
pub fn measure(options: &Options) -> Result<Report, Box<dyn Error>> {
    let mut assembler = Assembler::new(if options.counts_only { None } else { Some(Tools::find()?) });
    let (mut rows, mut notes) = (Vec::new(), Vec::new());
    let chosen = |list: &[String], name: &str| list.is_empty() || list.iter().any(|one| one == name);
    for (peer, what, has_grids) in PEERS.into_iter().filter(|(peer, ..)| chosen(&options.only, peer)) {
        let Some(program) = program(peer, options.programs.as_deref())? else {
            notes.push(format!("{peer} ({what}) was left out: there is no program"));
            continue;
        };
        for reduction in REDUCTIONS.into_iter().filter(|name| chosen(&options.reductions, name)) {
            for &size in &options.sizes {
                let columns: Option<u64> = reduction.strip_prefix("columns_").map(str::parse).transpose()?;
                let elements = columns.unwrap_or(1) << size;
                if 8 * elements > LARGEST || columns.is_some() && elements > MOST_OF_COLUMNS {
                    continue;
                }
                let grids: &[_] = if has_grids { &["one", "many"] } else { &["own"] };
                for grid in grids {
                    let mut row = Row { peer, reduction, size, grid, seconds: 0.0, facts: None };
                    if row.run(&program, options, &mut assembler)? {
                        rows.push(row);
                    }
                }
            }
        }
    }
    let mut lines = vec![head(options.driver.is_some())];
    lines.extend(rows.iter().map(Row::line));
    lines.extend(notes);
    Ok(Report { lines, json: Value::Array(rows.iter().map(Row::json).collect()), failure: None })
}

/// A peer's program with its first arguments; nothing if it is not there.
fn program(peer: &'static str, folder: Option<&Path>) -> Result<Option<Vec<PathBuf>>, Box<dyn Error>> {
    if own::NAMES.contains(&peer) {
        return Ok(Some(vec![env::current_exe()?, "peer".into(), peer.into()]));
    }
    let program = folder.map(|folder| folder.join(peer)).filter(|program| program.exists());
    Ok(program.map(|program| vec![program]))
}

/// The table's head, in Markdown.
fn head(counted: bool) -> String {
    match counted {
        true => "| reduction | rows | peer | grid | shape | warp instructions | of machine code | sectors | \
                 launches | registers | blocks an SM | SASS | loads in flight | estimate µs |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
            .into(),
        false => "| reduction | rows | peer | grid | µs |\n|---|---|---|---|---|".into(),
    }
}

impl Row {
    /// Runs the program; false if it does not have the reduction.
    fn run(
        &mut self,
        program: &[PathBuf],
        options: &Options,
        assembler: &mut Assembler,
    ) -> Result<bool, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let profile = folder.path().join("profile");
        let mut command = Command::new(&program[0]);
        command.args(&program[1..]).arg(self.reduction).arg((1_u64 << self.size).to_string()).arg(self.grid);
        let is_emulated = options.driver.is_some() || own::NAMES.contains(&self.peer) && !is_gpu();
        if is_emulated {
            command.arg("1").env("WARPFOLD_PROFILE", &profile).env("WARPFOLD_DEVICE", "emulator");
        } else {
            command.arg(options.launches.to_string()).env("WARPFOLD_DEVICE", "cuda");
        }
        if let Some(driver) = &options.driver {
            command.env("LD_LIBRARY_PATH", prepended("LD_LIBRARY_PATH", driver)?);
        }
        // A team for each multiprocessor, or as many as libomptarget takes a loop to need.
        match self.grid {
            "many" => command.env(TEAMS, "132"),
            _ => command.env_remove(TEAMS),
        };
        command.env("OMP_TARGET_OFFLOAD", "MANDATORY");
        let output = command.output().map_err(|error| format!("{}: {error}", program[0].display()))?;
        if output.status.code() == Some(i32::from(own::NOT_HERE)) {
            return Ok(false);
        }
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let (true, Ok(seconds)) = (output.status.success(), text.parse()) else {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{self:?} ended with {}: {text}{said}", output.status).into());
        };
        self.seconds = seconds;
        if is_emulated {
            let profiles = profiles::read(&std::fs::read_to_string(&profile)?);
            self.facts = Some(Facts::new(&profiles, assembler)?);
        }
        Ok(true)
    }

    fn line(&self) -> String {
        let start = format!("| {} | 2^{} | {} | {} |", self.reduction, self.size, self.peer, self.grid);
        match &self.facts {
            Some(facts) => format!("{start} {}", facts.columns()),
            None => format!("{start} {:.2} |", self.seconds * 1e6),
        }
    }

    fn json(&self) -> Value {
        let mut row = json!({
            "peer": self.peer, "reduction": self.reduction, "rows": 1_u64 << self.size, "grid": self.grid,
        });
        match &self.facts {
            Some(facts) => facts.add_to(&mut row),
            None => row["seconds"] = self.seconds.into(),
        }
        row
    }
}

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of 2^{} by {} ({})", self.reduction, self.size, self.peer, self.grid)
    }
}

/// Whether this machine's device is a GPU, or the user says that it is.
fn is_gpu() -> bool {
    match env::var("WARPFOLD_DEVICE").as_deref() {
        Ok("cuda") => true,
        Ok("emulator") => false,
        _ => host_rt::Device::open(cuda_driver::Select::Auto)
            .is_ok_and(|device| device.kind() == host_rt::DriverKind::Cuda),
    }
}
