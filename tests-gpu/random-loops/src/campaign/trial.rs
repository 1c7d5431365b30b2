//! A file of programs, as it is and as `warpfold parallelize` makes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::combination::Combination;
use crate::process::{Finished, run};
use crate::tree::{Program, SUPPORT, file};

/// What compilers may take for a file, and `warpfold` for a program or a file.
const COMPILERS: Duration = Duration::from_secs(120);
const ONE: Duration = Duration::from_secs(20);
/// What a run may take.
const RUN: Duration = Duration::from_secs(10);
const EMULATOR: Duration = Duration::from_secs(120);

/// How compilers reject what was made with other values of macros.
const MADE_FOR_ANOTHER: &str = "these loops were made for another";
/// The number in conditions that only ask whether there is enough work: small sizes are to be executed in parallel, too.
const ENOUGH: &str = "8";

/// The lines that each program prints.
pub type Reference = Vec<Vec<String>>;

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `warpfold` fails, or takes too long.
    Parallelize(String),
    /// A compiler rejects what is made.
    Compiler { name: String, message: String },
    /// Another line is printed.
    Differs { expected: String, found: String },
    /// The program does not end as it should.
    Ends(String),
}

impl Fault {
    /// What faults have in common that are the same.
    pub fn kind(&self) -> String {
        match self {
            Fault::Parallelize(message) => format!("warpfold: {}", common(message)),
            Fault::Compiler { name, message } => format!("{name} rejects it: {}", common(message)),
            Fault::Differs { .. } => "differs".into(),
            Fault::Ends(_) => "ends".into(),
        }
    }

    /// In a line.
    pub fn line(&self) -> String {
        match self {
            Fault::Parallelize(message) => first_error(message),
            Fault::Compiler { message, .. } => first_error(message),
            Fault::Differs { expected, found } => format!("{found}, not {expected}"),
            Fault::Ends(how) => how.lines().next().unwrap_or_default().into(),
        }
    }

    /// As comments.
    pub fn text(&self) -> String {
        let lines = match self {
            Fault::Parallelize(message) => message.clone(),
            Fault::Compiler { name, message } => format!("{name}: {message}"),
            Fault::Differs { expected, found } => format!("expected: {expected}\nfound:    {found}"),
            Fault::Ends(how) => how.clone(),
        };
        lines.lines().take(20).map(|line| format!("// {line}\n")).collect()
    }
}

/// The first error of a compiler's messages.
fn first_error(message: &str) -> String {
    let mut lines = message.lines();
    let first = lines.clone().find(|line| line.contains("error:")).or(lines.next());
    first.unwrap_or_default().trim().into()
}

/// The first error, without names and numbers.
fn common(message: &str) -> String {
    let line = first_error(message);
    let line = line.split_once("error:").map_or(&*line, |(_, rest)| rest);
    let mut out = String::new();
    let mut in_quotes = false;
    for c in line.chars() {
        match c {
            '\'' | '‘' | '’' | '`' => in_quotes = !in_quotes,
            _ if in_quotes || c.is_ascii_digit() => {}
            _ => out.push(c),
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How files are tried.
pub struct Trial<'a> {
    pub combination: &'a Combination,
    /// Whether the other compiler compiles what is made, too.
    pub both: bool,
    /// How often what is made runs at most, until something is wrong: threads race.
    pub runs: u32,
    pub warpfold: &'a Path,
    /// Where programs for a GPU are kept with what they print on the emulator, and the name of the next.
    pub keep: Option<(&'a Path, String)>,
}

impl Trial<'_> {
    /// The file.
    pub fn text(&self, programs: &[Program]) -> String {
        file(programs, self.combination.pragmas).0
    }

    /// The options of compilers: the level, and macros.
    fn level(&self) -> Vec<&'static str> {
        let mut level = vec![self.combination.level];
        level.extend(self.combination.other_macros.then_some("-DOTHER"));
        level
    }

    /// How a finding is seen again, as comments.
    pub fn commands(&self) -> String {
        let options = self.combination.options().join(" ");
        let mut out = format!("// warpfold parallelize program.c {options} -o made.c\n");
        let level = self.level().join(" ");
        let enough =
            format!("sed -Ei '/^ *(if \\(|&& )/s/>= (32|[0-9]{{4,}})(\\.0)?\\b/>= {ENOUGH}/g' made.c");
        let (threads, compiler) = (self.combination.threads, self.combination.compiler);
        out += &match self.combination.target {
            "gpu" => {
                format!("// {enough} && warpfold cc {level} -w made.c -lm -o made && warpfold run ./made\n")
            }
            _ => format!(
                "// {enough} && {compiler} {level} -w -fopenmp -ffp-contract=off made.c -lm -o made && \
                 OMP_NUM_THREADS={threads} ./made\n"
            ),
        };
        out
    }

    /// The programs that are C, and the lines that they print; those whose behaviour is undefined are found with `checks`.
    pub fn legal(
        &self,
        mut programs: Vec<Program>,
        checks: bool,
        why: &mut Vec<String>,
    ) -> Result<(Vec<Program>, Reference), String> {
        loop {
            let folder = Folder::new()?;
            let (text, ranges) = file(&programs, self.combination.pragmas);
            folder.write("program.c", &text)?;
            let mut gcc = folder.command("gcc");
            gcc.args(["-O0", "-Werror=return-type", "program.c", "-lm", "-o", "program"]);
            gcc.args(checks.then_some("-fsanitize=undefined,float-cast-overflow")).args(&self.level()[1..]);
            let built = run(&mut gcc, COMPILERS)?;
            // A line of the file, in a message that begins with its place.
            let of_line = |line: &str| {
                let number: usize = line.split_once("program.c:")?.1.split(':').next()?.parse().ok()?;
                ranges.iter().position(|range| range.contains(&number))
            };
            let mut illegal: BTreeSet<usize> = BTreeSet::new();
            let mut printed = Vec::new();
            if built.succeeded() {
                let outcome = self.printed(&folder, programs.len(), &mut || {
                    let mut command = folder.command("./program");
                    command.env("UBSAN_OPTIONS", "print_stacktrace=0");
                    command
                })?;
                let errors = outcome.errors.lines().filter(|line| line.contains("runtime error"));
                for (at, line) in errors.filter_map(|line| Some((of_line(line)?, line))) {
                    if illegal.insert(at) {
                        let number =
                            line.split_once("program.c:").and_then(|(_, rest)| rest.split(':').next());
                        let number = number.and_then(|number| number.parse::<usize>().ok()).unwrap_or(1);
                        let source = text.lines().nth(number - 1).unwrap_or_default().trim();
                        why.push(format!("{}: {line}: {source}", programs[at].seed));
                    }
                }
                for (at, end) in &outcome.ends {
                    illegal.insert(*at);
                    why.push(format!("{}: {}", programs[*at].seed, end.trim()));
                }
                printed = outcome.printed;
            } else {
                let errors = built.err.lines().filter(|line| line.contains("error:"));
                for (at, line) in errors.filter_map(|line| Some((of_line(line)?, line))) {
                    if illegal.insert(at) {
                        why.push(format!("{}: {line}", programs[at].seed));
                    }
                }
                if illegal.is_empty() {
                    return Err(format!("gcc rejects programs: {}", built.err));
                }
            }
            if illegal.is_empty() {
                return Ok((programs, printed));
            }
            let mut number = 0;
            programs.retain(|_| {
                number += 1;
                !illegal.contains(&(number - 1))
            });
        }
    }

    /// What is wrong with which programs.
    pub fn faults(
        &self,
        programs: &[Program],
        reference: &[Vec<String>],
    ) -> Result<Vec<(usize, Fault)>, String> {
        if programs.is_empty() {
            return Ok(Vec::new());
        }
        let folder = Folder::new()?;
        folder.write("program.c", &self.text(programs))?;
        match self.made(&folder, programs.len())? {
            Err(fault) if programs.len() == 1 => {
                let is_rejected = self.combination.other_macros && fault.text().contains(MADE_FOR_ANOTHER);
                Ok(if is_rejected { Vec::new() } else { vec![(0, fault)] })
            }
            Err(fault) => {
                let half = programs.len() / 2;
                let mut faults = self.faults(&programs[..half], &reference[..half])?;
                let second = self.faults(&programs[half..], &reference[half..])?;
                faults.extend(second.into_iter().map(|(at, fault)| (at + half, fault)));
                if faults.is_empty() && !fault.text().contains(MADE_FOR_ANOTHER) {
                    faults.push((0, fault));
                }
                Ok(faults)
            }
            Ok(()) => {
                for _ in 1..self.runs {
                    let faults = self.differences(&folder, reference)?;
                    if !faults.is_empty() {
                        return Ok(faults);
                    }
                }
                self.differences(&folder, reference)
            }
        }
    }

    /// The command by which the compiler makes wrong code of a program before `warpfold` has changed it, if there is one: then
    /// the fault is the compiler's.
    pub fn is_of_compiler(
        &self,
        program: &Program,
        expected: &[String],
        fault: &Fault,
    ) -> Result<Option<String>, String> {
        if self.combination.target == "gpu" || !matches!(fault, Fault::Differs { .. } | Fault::Ends(_)) {
            return Ok(None);
        }
        let folder = Folder::new()?;
        folder.write("program.c", &self.text(std::slice::from_ref(program)))?;
        for level in ["-O1", "-O2", "-O3"] {
            // Functions that loops are moved to are not inlined.
            for more in ["-finline", "-fno-inline"] {
                let mut command = folder.command(self.combination.compiler);
                command.args([level, more, "-w", "-ffp-contract=off", "program.c", "-lm", "-o", "program"]);
                if !run(&mut command, COMPILERS)?.succeeded() {
                    continue;
                }
                let outcome = self.printed(&folder, 1, &mut || folder.command("./program"))?;
                let found = outcome.printed[0].iter().map(|line| after_number(line));
                if !outcome.ends.is_empty() || !found.eq(expected.iter().map(|line| after_number(line))) {
                    return Ok(Some(format!("{} {level} {more}", self.combination.compiler)));
                }
            }
        }
        Ok(None)
    }

    /// Runs the program of a folder; what it prints otherwise than the reference, or how it ends.
    fn differences(&self, folder: &Folder, reference: &[Vec<String>]) -> Result<Vec<(usize, Fault)>, String> {
        let outcome = self.printed(folder, reference.len(), &mut || self.program(folder))?;
        let mut faults = Vec::new();
        for (at, (expected, found)) in reference.iter().zip(&outcome.printed).enumerate() {
            if let Some(end) = outcome.ends.get(&at) {
                faults.push((at, Fault::Ends(end.clone())));
                continue;
            }
            let differs = expected.iter().zip(found).find(|(expected, found)| {
                let is_exact = self.combination.is_ordered() || !expected.ends_with("inexact");
                // Programs of parts of a file have other numbers.
                is_exact && after_number(expected) != after_number(found)
            });
            if let Some((expected, found)) = differs {
                faults.push((at, Fault::Differs { expected: expected.clone(), found: found.clone() }));
            }
        }
        if let Some((kept, name)) = &self.keep
            && faults.is_empty()
            && self.combination.target == "gpu"
        {
            let failed = |error| format!("cannot write to {}: {error}", kept.display());
            fs::copy(folder.path().join("made"), kept.join(name)).map_err(failed)?;
            let lines = outcome.printed.iter().flatten().filter(|line| !line.ends_with("inexact"));
            let expected: String = lines.map(|line| format!("{line}\n")).collect();
            fs::write(kept.join(format!("{name}.expected")), expected + "done\n").map_err(failed)?;
        }
        Ok(faults)
    }

    /// Makes the program, `made` in the folder.
    fn made(&self, folder: &Folder, programs: usize) -> Result<Result<(), Fault>, String> {
        let mut parallelize = Command::new(self.warpfold);
        parallelize.current_dir(folder.path()).arg("parallelize").arg("program.c");
        parallelize.args(self.combination.options()).args(["-o", "made.c"]);
        let limit = ONE * u32::try_from(programs.min(3)).unwrap_or(1);
        let made = run(&mut parallelize, limit)?;
        if !made.succeeded() {
            return Ok(Err(Fault::Parallelize(format!("{}: {}", made.end(), made.err))));
        }
        let text = fs::read_to_string(folder.path().join("made.c")).map_err(|error| error.to_string())?;
        folder.write("made.c", &eager(&text))?;
        let compiler = |name: &str, more: &[&str]| {
            let mut command = folder.command(name);
            command.args(["-w", "-fopenmp", "-ffp-contract=off", "made.c"]).args(more);
            command
        };
        let level = self.level();
        let mut commands = Vec::new();
        if self.combination.target == "gpu" {
            let mut command = Command::new(self.warpfold);
            command.current_dir(folder.path());
            command.arg("cc").args(&level).args(["-w", "made.c", "-lm", "-o", "made"]);
            commands.push(command);
        } else {
            for name in
                ["gcc", "clang-22"].into_iter().filter(|name| self.both || *name == self.combination.compiler)
            {
                commands.push(match name == self.combination.compiler {
                    true => compiler(name, &[&level[..], &["-lm", "-o", "made"]].concat()),
                    false => compiler(name, &[&level[1..], &["-O0", "-c", "-o", "other.o"]].concat()),
                });
            }
        }
        for mut command in commands {
            let built = run(&mut command, COMPILERS)?;
            if !built.succeeded() {
                let name = command.get_program().to_string_lossy();
                let name = Path::new(&*name).file_name().unwrap_or_default().to_string_lossy().into_owned();
                return Ok(Err(Fault::Compiler { name, message: format!("{}\n{}", built.err, built.end()) }));
            }
        }
        Ok(Ok(()))
    }

    /// The command that runs the program of a folder.
    fn program(&self, folder: &Folder) -> Command {
        if self.combination.target == "gpu" {
            let mut command = Command::new(self.warpfold);
            command.current_dir(folder.path()).args(["run", "--teams", "40", "./made"]);
            return command;
        }
        let mut command = folder.command("./made");
        command.env("OMP_NUM_THREADS", self.combination.threads.to_string()).env("OMP_DYNAMIC", "false");
        // More threads than processors must not wait busily.
        command.env("OMP_WAIT_POLICY", "passive").env("KMP_BLOCKTIME", "0");
        command
    }

    /// What the programs print; one that does not end well is left out, and those behind it run again.
    fn printed(
        &self,
        folder: &Folder,
        programs: usize,
        command: &mut dyn FnMut() -> Command,
    ) -> Result<Printed, String> {
        let is_emulated = folder.path().join("made").exists() && self.combination.target == "gpu";
        let limit = if is_emulated { EMULATOR } else { RUN };
        let mut all = Printed { printed: vec![Vec::new(); programs], ..Printed::default() };
        let mut first = 0;
        while first < programs {
            let mut command = command();
            command.arg(first.to_string());
            let finished = run(&mut command, limit)?;
            let _ = writeln!(all.errors, "{}", finished.err);
            let mut last = first;
            // A line without its end is of a program that has ended.
            for line in finished.out.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
                let number = line.split(' ').next().and_then(|word| word.parse::<usize>().ok());
                if let Some(number) = number.filter(|number| *number < programs) {
                    all.printed[number].push(line.into());
                    last = number;
                }
            }
            let is_done = finished.out.ends_with("done\n");
            if is_done && finished.succeeded() {
                break;
            }
            let culprit = Self::culprit(&finished, last);
            all.ends.insert(culprit, format!("{}\n{}", finished.end(), finished.err));
            first = culprit + 1;
        }
        Ok(all)
    }

    /// The program that ended a run: the one whose line has no end, or the next one.
    fn culprit(finished: &Finished, last: usize) -> usize {
        let unfinished = finished.out.rsplit('\n').next().unwrap_or_default();
        let number = unfinished.split(' ').next().and_then(|word| word.parse().ok());
        number.unwrap_or(last).max(last)
    }
}

/// What programs printed.
#[derive(Debug, Default)]
struct Printed {
    /// By program, its lines.
    printed: Reference,
    /// How programs ended that did not end well.
    ends: BTreeMap<usize, String>,
    /// What was printed on standard error.
    errors: String,
}

/// A line without the number of its program, which is part of names in it, too.
fn after_number(line: &str) -> String {
    let Some((number, rest)) = line.split_once(' ') else { return line.into() };
    rest.replace(&format!("_{number}"), "")
}

/// What is made, with conditions that small sizes meet.
fn eager(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        if !start.starts_with("if (") && !start.starts_with("&& ") {
            out += line;
            continue;
        }
        let mut rest = line;
        while let Some(at) = rest.find(">= ") {
            let (before, after) = rest.split_at(at + 3);
            out += before;
            let digits = after.len() - after.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            rest = &after[digits..];
            // Smaller numbers are of conditions that say which elements exist.
            if &after[..digits] == "32" || digits >= 4 {
                out += ENOUGH;
                rest = rest.strip_prefix(".0").unwrap_or(rest);
            } else {
                out += &after[..digits];
            }
        }
        out += rest;
    }
    out
}

/// A folder that is removed.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Result<Folder, String> {
        let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
        let folder = Folder(folder);
        folder.write("support.h", SUPPORT)?;
        Ok(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        fs::write(self.path().join(name), text).map_err(|error| format!("cannot write: {error}"))
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.current_dir(self.path());
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_for_work_become_small() {
        let text = "  if (__builtin_expect(((long) n >= 100000), 0)\n    && x >= 29 && y >= 32.0) {\n    a[0] >= 99;\n";
        let expected =
            "  if (__builtin_expect(((long) n >= 8), 0)\n    && x >= 29 && y >= 8) {\n    a[0] >= 99;\n";
        assert_eq!(eager(text), expected);
    }

    #[test]
    fn messages_are_the_same_but_for_names() {
        let message = "made.c:5:37: error: 'g7_0' is wrong for 'reduction'\n";
        assert_eq!(common(message), "is wrong for");
        assert_eq!(common(message), common(&message.replace("g7_0", "x12")));
        assert_eq!(after_number("17 0 last_x3_17=5"), after_number("4 0 last_x3_4=5"));
    }
}
