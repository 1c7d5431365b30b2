//! Whether what is made of the regions of files computes what they do.

use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use loop_compiler::{
    c,
    check::{Check, Made, Verdict},
    ir::Region,
    parallelize::{CPU, Device, Machine, Original},
    report::FloatOrder,
};
use output_files::FileError;

use crate::{
    analysed::Analysed,
    driver::{Driver, plain_c, stays},
    error::Error,
};

/// Threads with which programs for the CPU are executed.
const THREADS: [&str; 2] = ["2", "7"];

impl Driver {
    /// Compares what is made of the regions of a file, for the target or the CPU, with the original on so many inputs. The
    /// report says what is found, and `note` gets a line for each region. `warpfold` is the program, which compiles and runs
    /// for a GPU.
    ///
    /// # Errors
    ///
    /// A file that is not C by its name, and a folder for programs cannot be made.
    pub fn check(
        &self,
        [clang, warpfold]: [&Path; 2],
        file: &mut Analysed,
        inputs: usize,
        note: &dyn Fn(&str),
    ) -> Result<(), Error> {
        let path = file.report.path.clone();
        plain_c("--check", &path)?;
        for (index, region) in file.source.regions.iter().enumerate() {
            let verdict = match &region.tree {
                Err(rejection) => Verdict::Unchecked(format!("it is rejected: {rejection}")),
                // The original calls the functions of the file, which do not know the inputs.
                Ok(tree) if tree.calls_use_globals => {
                    Verdict::Unchecked("a function that it calls uses variables of the file".into())
                }
                Ok(tree) => {
                    let original = &file.source.text[region.bytes.clone()];
                    let text = format!("{};\n", String::from_utf8_lossy(original));
                    let unchanged = stays(&file.source, region, tree);
                    let simplified = file.simplified[index].as_ref();
                    self.verdict([clang, warpfold], &file.path, (tree, simplified), &text, unchanged, inputs)?
                }
            };
            let at = format!("{}:{}", terminal_text::name(&path), region.at.line);
            let counted = |number: usize, what: &str| match number {
                1 => format!("1 {what}"),
                _ => format!("{number} {what}s"),
            };
            note(&match &verdict {
                Verdict::Equal { inputs, seeds: 0 } => {
                    format!("{at}: checked with {}: equal", counted(*inputs, "input"))
                }
                Verdict::Equal { inputs, seeds } => {
                    let (inputs, seeds) = (counted(*inputs, "input"), counted(*seeds, "seed"));
                    format!("{at}: checked with {inputs} and {seeds}: equal")
                }
                Verdict::Different(what) => format!("{at}: different: {what}"),
                Verdict::Unchecked(why) => format!("{at}: not checked: {why}"),
            });
            if let Some(report) = file.report.regions.get_mut(index) {
                report.check = Some(verdict);
            }
        }
        Ok(())
    }

    fn verdict(
        &self,
        [clang, warpfold]: [&Path; 2],
        file: &Path,
        (tree, simplified): (&Region, Option<&Region>),
        text: &str,
        unchanged: bool,
        inputs: usize,
    ) -> Result<Verdict, Error> {
        let target = self.target.unwrap_or(&CPU);
        let is_gpu = target.device.is_some();
        // Small sizes must be executed in parallel, too; where the model knows that they are small, nothing costs time.
        let machine = Machine { least_work: 0, ..target.clone() };
        let device = machine.device.map(|device| Device { slower: 1e-6, ..device });
        let eager = Machine { fork: 0.0, device, ..machine.clone() };
        let input = simplified.unwrap_or(tree);
        let made = match self.made(input, &machine)? {
            Ok(made) if made.region.is_none() => self.made(input, &eager)?,
            made => made,
        };
        let parallel = match &made {
            Ok(made) => made.region.as_ref().zip(made.text(&Original::from(input))),
            Err(_) => None,
        };
        // Without a parallel loop a region may have become cheaper.
        let printed = || simplified.map(|tree| (tree, c::print_lines(tree, 0, None)));
        let (region, made_text) = match (parallel.or_else(printed).filter(|_| !unchanged), &made) {
            (Some(found), _) => found,
            (None, Err(rejection)) => {
                return Ok(Verdict::Unchecked(format!("it stays as it is: {rejection}")));
            }
            (None, Ok(_)) => {
                return Ok(Verdict::Unchecked("it stays as it is: no loop is made parallel".into()));
            }
        };
        let workers = made.as_ref().ok().and_then(|made| made.workers);
        let folder =
            tempfile::tempdir().map_err(|source| FileError::Write { path: env::temp_dir(), source })?;
        let source = Named::new(file, folder.path())?;
        let order = self.float_order();
        let reference = || {
            let mut command = Command::new(clang);
            command.args(self.reading(&source)).args(["-fno-openmp", "-O1"]);
            command
        };
        let compiler = || {
            let mut command = Command::new(if is_gpu { warpfold } else { clang });
            command.args(is_gpu.then_some("cc"));
            command.args(self.reading(&source)).args(["-fopenmp", "-O1"]);
            command
        };
        let runs = |program: &Path| match is_gpu {
            false => THREADS.map(|threads| with_threads(program, threads)).into(),
            true => {
                let mut command = Command::new(warpfold);
                command.args(["run", "--check=race"]).arg(program).env_remove("OMP_TARGET_OFFLOAD");
                vec![("on the emulator".to_owned(), command)]
            }
        };
        // A fixed order is that of the CPU; copies of a device are reduced by what OpenMP's clauses do.
        let interleaved = !is_gpu || order == FloatOrder::Fixed;
        let check = Check {
            original: tree,
            text,
            made: Made { region, workers, text: &made_text, interleaved },
            before: "#undef main\n",
            order,
            exact: !is_gpu,
            sizes: &self.sizes.iter().cloned().collect(),
            inputs,
            folder: folder.path(),
            reference: &reference,
            compiler: &compiler,
            runs: &runs,
        };
        Ok(check.run())
    }

    /// Has the compiler read what is made of a whole file: regions are checked apart from what stands around them.
    ///
    /// # Errors
    ///
    /// It does not compile.
    pub fn compiles(&self, clang: &Path, file: &Analysed, made: &[u8]) -> Result<(), Error> {
        let folder =
            tempfile::tempdir().map_err(|source| FileError::Write { path: env::temp_dir(), source })?;
        let source = Named::new(&file.path, folder.path())?;
        let path = folder.path().join("made.c");
        fs::write(&path, made).map_err(|source| FileError::Write { path: path.clone(), source })?;
        let mut command = Command::new(clang);
        command.arg("-iquote").arg(&source.folder).args(&self.clang);
        command.args(["-fopenmp", "-fsyntax-only", "-w", "-fno-color-diagnostics"]).arg(&path);
        let output = command.output().map_err(|source| FileError::Read { path: clang.into(), source })?;
        if output.status.success() {
            return Ok(());
        }
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        let first = messages.lines().find(|line| line.contains("error: ")).unwrap_or_default();
        let reason = first.split_once("error: ").map_or(first, |(_, reason)| reason);
        let name = terminal_text::name(&file.report.path);
        Err(Error::Rejected(format!("what is made of {name} does not compile: {reason}: please report it")))
    }

    /// Options for compiling a program that has the text of a file before a region: without the function `main`, and only
    /// what the region needs.
    fn reading(&self, source: &Named) -> Vec<OsString> {
        let mut options: Vec<OsString> = vec!["-iquote".into(), source.folder.clone().into()];
        options.extend(self.clang.iter().cloned());
        options.extend(["-Dmain=main_of_the_file", "-include"].map(OsString::from));
        options.push(source.link.clone().into());
        options.extend(
            ["-fno-fast-math", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
                .map(OsString::from),
        );
        options
    }
}

/// Whether all regions that were checked compute what the original does, and, if it is to be `strict`, whether all could be
/// checked.
///
/// # Errors
///
/// They do not.
pub fn check_equality(files: &[Analysed], strict: bool) -> Result<(), Error> {
    let regions = || files.iter().flat_map(|file| &file.report.regions);
    let verdicts = || regions().filter_map(|region| region.check.as_ref());
    let all = verdicts().count();
    let different = verdicts().filter(|verdict| matches!(verdict, Verdict::Different(_))).count();
    let unchecked = verdicts().filter(|verdict| matches!(verdict, Verdict::Unchecked(_))).count();
    match (different, unchecked) {
        (0, 0) => Ok(()),
        (0, _) if !strict => Ok(()),
        (0, _) => Err(Error::Rejected(format!(
            "{unchecked} of {all} regions not checked, which --strict does not allow"
        ))),
        _ => Err(Error::Rejected(format!(
            "{different} of {all} regions compute something else than the original: please report it"
        ))),
    }
}

/// A file under a name that compilers take between quotes, whatever its own is.
struct Named {
    link: PathBuf,
    /// Where the file is: what it includes by names in quotes is beside it.
    folder: PathBuf,
}

impl Named {
    fn new(file: &Path, scratch: &Path) -> Result<Named, Error> {
        let read = |source| FileError::Read { path: file.into(), source };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = fs::canonicalize(folder).map_err(read)?;
        // In a folder of its own, where no header is found.
        let own = scratch.join("source");
        let link = own.join("file.c");
        let write = |source| FileError::Write { path: link.clone(), source };
        fs::create_dir(&own).map_err(write)?;
        symlink(folder.join(file.file_name().unwrap_or_default()), &link).map_err(write)?;
        Ok(Named { link, folder })
    }
}

/// A program with a number of threads.
fn with_threads(program: &Path, threads: &str) -> (String, Command) {
    let mut command = Command::new(program);
    command.env("OMP_NUM_THREADS", threads).env("OMP_DYNAMIC", "false");
    (format!("with {threads} threads"), command)
}
