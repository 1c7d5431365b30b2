//! In place of NVIDIA's assembler and linker: what they are called for by compilers and by LLVM's host runtime, as far as
//! an executable needs it that runs on the emulator only. PTX goes through as it is.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use cuda_driver::image;
use ptx_emulator::LoadError;

use crate::error::Error;

/// Which tool, and what it is called with.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Options {
    tool: Tool,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Tool {
    Ptxas,
    Nvlink,
}

/// What the arguments of either tool say.
#[derive(Debug, Default, PartialEq, Eq)]
struct Job {
    output: PathBuf,
    sm: u32,
    /// Whether the result is to be linked.
    relocatable: bool,
    inputs: Vec<PathBuf>,
}

/// Does what the tool would.
pub fn run(options: &Options) -> Result<(), Error> {
    let tool = match options.tool {
        Tool::Ptxas => "ptxas",
        Tool::Nvlink => "nvlink",
    };
    let outcome = Job::read(&options.arguments).and_then(|job| job.run(options.tool));
    outcome.map_err(|message| Error::StandIn { tool, message })
}

impl Job {
    fn read(arguments: &[OsString]) -> Result<Job, String> {
        /// Options of both tools that have a value and do not matter here.
        const WITH_VALUE: [&str; 8] = [
            "-L",
            "-l",
            "-O",
            "-maxrregcount",
            "--maxrregcount",
            "--opt-level",
            "-opt-level",
            "--library-path",
        ];
        let mut job = Job::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let word = argument.to_string_lossy();
            let (name, mut value) = match word.split_once('=') {
                Some((name, value)) if word.starts_with('-') => (name, Some(OsString::from(value))),
                _ => (&*word, None),
            };
            let mut value = || {
                let value = value.take().or_else(|| arguments.next().cloned());
                value.ok_or_else(|| format!("`{name}` has no value"))
            };
            match name {
                "-o" | "--output-file" => job.output = value()?.into(),
                "-arch" | "--arch" | "--gpu-name" => job.sm = architecture(&value()?.to_string_lossy())?,
                "-c" | "--compile-only" => job.relocatable = true,
                _ if WITH_VALUE.contains(&name) => drop(value()?),
                _ if name.starts_with('-') => {}
                _ => job.inputs.push(argument.into()),
            }
        }
        match (job.output.as_os_str().is_empty(), job.sm, &*job.inputs) {
            (true, ..) => Err("no output is named".into()),
            (_, 0, _) => Err("no architecture is named".into()),
            (.., []) => Err("no input is named".into()),
            _ => Ok(job),
        }
    }

    fn run(&self, tool: Tool) -> Result<(), String> {
        let mut units: Vec<(String, String)> = Vec::new();
        for input in &self.inputs {
            let name = input.display().to_string();
            let bytes = fs::read(input).map_err(|error| format!("cannot read {name}: {error}"))?;
            let texts = match tool {
                Tool::Ptxas => vec![String::from_utf8_lossy(&bytes).into_owned()],
                Tool::Nvlink => image::ptx(&bytes, self.sm).map_err(|error| format!("{name}: {error}"))?,
            };
            units.extend(texts.into_iter().map(|text| (name.clone(), text)));
        }
        let made = match (tool, self.relocatable, &*units) {
            (Tool::Ptxas, true, [(name, ptx)]) => image::relocatable(name, ptx, self.sm),
            (Tool::Ptxas, true, _) => return Err("one input at a time is assembled".into()),
            _ => image::executable(&units, self.sm),
        };
        let made = made.map_err(|error| explained(&error))?;
        write(&self.output, &made)
    }
}

/// The number in `sm_90` or `sm_90a`.
fn architecture(name: &str) -> Result<u32, String> {
    let number = name.strip_prefix("sm_").unwrap_or(name).trim_end_matches(|c: char| c.is_ascii_lowercase());
    match number.parse() {
        Ok(sm) if (1..=255).contains(&sm) => Ok(sm),
        _ => Err(format!("`{name}` is no architecture")),
    }
}

/// What keeps units from being linked, and the way out where NVIDIA's math library is what is missing.
fn explained(error: &LoadError) -> String {
    match &error.undefined {
        Some(name) if name.starts_with("__nv_") => {
            format!("{error}; it is in the math library of CUDA, which `warpfold setup` brings")
        }
        _ => error.to_string(),
    }
}

fn write(output: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(output, bytes).map_err(|error| format!("cannot write {}: {error}", output.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(line: &str) -> Result<Job, String> {
        Job::read(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn calls_of_compilers_are_understood() {
        let want = |relocatable, inputs: &[&str]| {
            let inputs = inputs.iter().map(PathBuf::from).collect();
            Ok(Job { output: "out".into(), sm: 90, relocatable, inputs })
        };
        let assemble = "-m64 -O2 -lineinfo --gpu-name sm_90 --output-file out x.s --maxrregcount 32 -c";
        assert_eq!(job(assemble), want(true, &["x.s"]));
        assert_eq!(job("-m64 -c x.s -O3 -arch sm_90a -o out"), want(true, &["x.s"]));
        assert_eq!(job("-m64 -O2 --gpu-name=sm_90 --output-file=out x.s"), want(false, &["x.s"]));
        let link = "-o out -g -arch sm_90 -L /lib -L/x --arch sm_90 -v a.cubin b.cubin";
        assert_eq!(job(link), want(false, &["a.cubin", "b.cubin"]));
    }

    #[test]
    fn what_is_missing_in_a_call_is_told() {
        for (line, said) in [
            ("-arch sm_90 x.s", "no output"),
            ("-o out x.s", "no architecture"),
            ("-o out -arch sm_90", "no input"),
            ("-o out x.s -arch", "has no value"),
            ("-o out x.s -arch compute", "`compute` is no architecture"),
        ] {
            assert!(job(line).is_err_and(|error| error.contains(said)), "{line}");
        }
    }
}
