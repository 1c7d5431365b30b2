//! Which programs a folder holds, and how each is compiled and run: guesses, and what `apps.toml` says.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use regex::{Regex, RegexSet};
use serde::Deserialize;
use toolchain::Language;

/// The name of the file that describes the programs of a folder.
const LIST: &str = "apps.toml";

/// A larger one is not a list of programs.
const LARGEST_LIST: u64 = 1 << 20;

/// Folders inside each other, at most.
const DEEPEST: usize = 16;

/// What a run may take, unless something else is said.
const USUAL_SECONDS: u32 = 60;

/// The relative difference of equal numbers, unless something else is said.
const USUAL_TOLERANCE: f64 = 1e-6;

/// A program that is compiled and run.
#[derive(Debug)]
pub struct Program {
    pub name: String,
    /// Where it is compiled and runs.
    pub folder: PathBuf,
    /// Its source files below the folder, with their languages. Not empty.
    pub sources: Vec<(PathBuf, Language)>,
    /// Options of the compiler; those that name libraries (`-l`) follow the sources.
    pub options: Vec<String>,
    pub arguments: Vec<String>,
    pub time_limit: Duration,
    pub tolerance: f64,
    /// Lines of the output that are not compared.
    pub ignore: RegexSet,
}

/// What the command line says about all programs; the list has the last word about one.
#[derive(Debug, Default)]
pub struct Defaults {
    pub tolerance: Option<f64>,
    pub ignore: Vec<String>,
    pub seconds: Option<u32>,
}

/// The file `apps.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    /// Regular expressions of lines that are ignored in the output of all programs.
    #[serde(default)]
    ignore: Vec<String>,
    #[serde(default)]
    programs: BTreeMap<String, Entry>,
}

/// What the list says about a program; the rest is guessed.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    folder: Option<PathBuf>,
    sources: Option<Vec<PathBuf>>,
    options: Option<Vec<String>>,
    #[serde(default)]
    arguments: Vec<String>,
    seconds: Option<u32>,
    tolerance: Option<f64>,
    #[serde(default)]
    ignore: Vec<String>,
}

/// A tolerance from text.
pub fn tolerance(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|value| is_tolerance(*value)).ok_or_else(|| "not a number from 0 to 1".into())
}

fn is_tolerance(value: f64) -> bool {
    (0.0..=1.0).contains(&value)
}

/// All programs of a folder by name; an error if there are none, or the list is wrong.
pub fn find(folder: &Path, defaults: &Defaults) -> Result<Vec<Program>, String> {
    // Programs are compiled and run in their folders.
    let folder =
        folder.canonicalize().map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let path = folder.join(LIST);
    let shown = path.display();
    let list = match fs::metadata(&path) {
        Ok(file) if file.len() > LARGEST_LIST => {
            return Err(format!("{shown} is larger than {LARGEST_LIST} bytes"));
        }
        Ok(_) => {
            let text = fs::read_to_string(&path).map_err(|error| format!("cannot read {shown}: {error}"))?;
            toml::from_str(&text).map_err(|error| format!("{shown}: {error}"))?
        }
        Err(_) => List::default(),
    };
    let mut entries = found(&folder)?;
    for (name, entry) in list.programs {
        let guess = entries.remove(&name).unwrap_or_default();
        let moved = entry.folder.is_some();
        let guessed = |what: Option<Vec<PathBuf>>| if moved { None } else { what };
        let sources = entry.sources.or_else(|| guessed(guess.sources));
        let folder = entry.folder.or(guess.folder);
        entries.insert(name, Entry { folder, sources, ..entry });
    }
    let program = |(name, entry): (String, Entry)| {
        program(&folder, &name, entry, &list.ignore, defaults)
            .map_err(|why| format!("{shown}: {name}: {why}"))
    };
    let programs = entries.into_iter().map(program).collect::<Result<Vec<_>, _>>()?;
    match programs.is_empty() {
        true => Err(format!("{} has no source file in C, C++ or Fortran", folder.display())),
        false => Ok(programs),
    }
}

/// The programs that a folder seems to hold: its subfolders, and its source files.
fn found(folder: &Path) -> Result<BTreeMap<String, Entry>, String> {
    let mut found = BTreeMap::new();
    for path in sorted(folder)? {
        let name = |name: Option<&std::ffi::OsStr>| name.map(|name| name.to_string_lossy().into_owned());
        let Some(full) = name(path.file_name()).filter(|name| !name.starts_with('.')) else { continue };
        if path.is_dir() {
            if !below(&path)?.is_empty() {
                found.insert(full.clone(), Entry { folder: Some(full.into()), ..Entry::default() });
            }
        } else if language(&path).is_some() {
            let stem = name(path.file_stem()).filter(|stem| !found.contains_key(stem));
            let entry = Entry { sources: Some(vec![full.clone().into()]), ..Entry::default() };
            found.insert(stem.unwrap_or(full), entry);
        }
    }
    Ok(found)
}

fn program(
    root: &Path,
    name: &str,
    entry: Entry,
    ignore: &[String],
    defaults: &Defaults,
) -> Result<Program, String> {
    let folder = root.join(entry.folder.as_deref().unwrap_or(Path::new("")));
    if !folder.is_dir() {
        return Err(format!("{} is not a folder", folder.display()));
    }
    let sources = match entry.sources {
        Some(sources) => sources,
        None if folder == *root => return Err("`sources` or `folder` is missing".into()),
        None => {
            let inside = |path: PathBuf| path.strip_prefix(&folder).map(Path::to_path_buf).unwrap_or(path);
            below(&folder)?.into_iter().map(inside).collect()
        }
    };
    let with_language = |path: PathBuf| match language(&path) {
        Some(language) if folder.join(&path).is_file() => Ok((path, language)),
        Some(_) => Err(format!("{} is not a file in {}", path.display(), folder.display())),
        None => Err(format!("{} is not a source file in C, C++ or Fortran by its name", path.display())),
    };
    let sources = sources.into_iter().map(with_language).collect::<Result<Vec<_>, _>>()?;
    if sources.is_empty() {
        return Err("it has no sources".into());
    }
    let tolerance = entry.tolerance.or(defaults.tolerance).unwrap_or(USUAL_TOLERANCE);
    if !is_tolerance(tolerance) {
        return Err(format!("tolerance {tolerance} is not a number from 0 to 1"));
    }
    let seconds = entry.seconds.or(defaults.seconds).unwrap_or(USUAL_SECONDS);
    if seconds == 0 {
        return Err("0 seconds are no time".into());
    }
    let patterns = || defaults.ignore.iter().chain(ignore).chain(&entry.ignore);
    // The set's own message does not name the pattern.
    patterns().try_for_each(|pattern| Regex::new(pattern).map(drop)).map_err(|error| error.to_string())?;
    Ok(Program {
        name: name.to_owned(),
        folder,
        sources,
        options: entry.options.unwrap_or_else(|| ["-O2", "-lm"].map(String::from).into()),
        arguments: entry.arguments,
        time_limit: Duration::from_secs(seconds.into()),
        tolerance,
        ignore: RegexSet::new(patterns()).map_err(|error| error.to_string())?,
    })
}

/// The source files below a folder, sorted.
fn below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), String> {
        if depth > DEEPEST {
            return Err(format!("{} is more than {DEEPEST} folders deep", folder.display()));
        }
        for path in sorted(folder)? {
            let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            if path.is_symlink() || hidden {
                // A link may lead in a circle.
            } else if path.is_dir() {
                collect(&path, depth + 1, files)?;
            } else if language(&path).is_some() {
                files.push(path);
            }
        }
        Ok(())
    }
    let mut files = Vec::new();
    collect(folder, 0, &mut files)?;
    Ok(files)
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let cannot = |error| format!("cannot read {}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(cannot)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<Result<Vec<_>, _>>().map_err(cannot)?;
    paths.sort();
    Ok(paths)
}

/// The language of a source file by its ending.
fn language(path: &Path) -> Option<Language> {
    match path.extension()?.to_str()? {
        "c" => Some(Language::C),
        "C" | "cc" | "cpp" | "cxx" | "c++" => Some(Language::Cpp),
        "f" | "F" | "f90" | "F90" | "f95" | "F95" | "f03" | "F03" | "f08" | "F08" => Some(Language::Fortran),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        folder
    }

    fn sources(program: &Program) -> Vec<String> {
        program.sources.iter().map(|(path, _)| path.display().to_string()).collect()
    }

    #[test]
    fn subfolders_and_source_files_are_programs() {
        let files =
            ["pi.c", "pi.f90", "notes.txt", "md/main.cc", "md/src/force.c", "md/.old/x.c", "empty/readme.md"];
        let folder = folder(&files.map(|file| (file, "")));
        let programs = find(folder.path(), &Defaults::default()).expect("programs");
        let shown: Vec<_> = programs.iter().map(|program| (&*program.name, sources(program))).collect();
        let expected = [("md", &["main.cc", "src/force.c"][..]), ("pi", &["pi.c"]), ("pi.f90", &["pi.f90"])];
        assert_eq!(
            shown,
            expected.map(|(name, files)| (name, files.iter().map(|f| f.to_string()).collect()))
        );
        assert_eq!(programs[0].options, ["-O2", "-lm"]);
        assert_eq!((programs[0].time_limit, programs[0].tolerance), (Duration::from_secs(60), 1e-6));
        assert!(programs[0].folder.ends_with("md") && programs[0].folder.is_absolute());
    }

    #[test]
    fn the_list_changes_guesses_and_adds_programs() {
        let list = r#"
            ignore = ['[Tt]ime']
            [programs.pi]
            arguments = ["100"]
            seconds = 5
            [programs.md-small]
            folder = "md"
            sources = ["main.c"]
            options = ["-O3", "-DN=10"]
            tolerance = 0.01
            ignore = ["rate: "]
            [programs.md-all]
            folder = "md"
        "#;
        let folder = folder(&[("pi.c", ""), ("md/main.c", ""), ("md/force.c", ""), (LIST, list)]);
        let defaults = Defaults { seconds: Some(7), ignore: vec!["^#".into()], tolerance: Some(0.1) };
        let programs = find(folder.path(), &defaults).expect("programs");
        let [md, all, small, pi] = &programs[..] else { panic!("{programs:?}") };
        assert_eq!([md, all, small, pi].map(|program| &*program.name), ["md", "md-all", "md-small", "pi"]);
        assert_eq!((sources(pi), &pi.arguments[..]), (vec!["pi.c".into()], &["100".into()][..]));
        assert_eq!((pi.time_limit.as_secs(), pi.tolerance), (5, 0.1));
        assert_eq!((sources(small), small.tolerance), (vec!["main.c".into()], 0.01));
        assert_eq!(
            (&small.options[..], small.time_limit.as_secs()),
            (&["-O3".into(), "-DN=10".into()][..], 7)
        );
        assert_eq!(sources(all), ["force.c", "main.c"]);
        let ignored =
            |program: &Program| ["# x", "Time 3", "rate: 3"].map(|line| program.ignore.is_match(line));
        assert_eq!((ignored(small), ignored(md)), ([true; 3], [true, true, false]));
    }

    #[test]
    fn a_wrong_list_is_an_error_that_says_where() {
        let error = |list: &str| {
            let folder = folder(&[("pi.c", ""), ("notes.txt", ""), (LIST, list)]);
            find(folder.path(), &Defaults::default()).expect_err(list)
        };
        for (list, expected) in [
            ("[programs.pi]\nargs = []", "unknown field `args`"),
            ("[programs.pi]\nseconds = 0", "pi: 0 seconds"),
            ("[programs.pi]\nseconds = -1", "line 2"),
            ("[programs.pi]\ntolerance = nan", "pi: tolerance NaN"),
            ("[programs.pi]\nignore = ['(']", "pi: regex parse error"),
            ("[programs.pi]\nsources = []", "no sources"),
            ("[programs.pi]\nsources = ['gone.c']", "gone.c is not a file"),
            ("[programs.pi]\nsources = ['notes.txt']", "notes.txt is not a source file"),
            ("[programs.new]\n", "new: `sources` or `folder` is missing"),
            ("[programs.new]\nfolder = 'gone'", "gone is not a folder"),
        ] {
            let message = error(list);
            assert!(message.contains(expected) && message.contains(LIST), "{list}: {message}");
        }
        let empty = folder(&[("notes.txt", "")]);
        let message = find(empty.path(), &Defaults::default()).expect_err("no programs");
        assert!(message.contains("no source file"), "{message}");
    }
}
