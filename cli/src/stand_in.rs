//! A substitute for NVIDIA's assembler and linker, as compilers and LLVM's host runtime call them, for
//! executables that run on the emulator only. The output holds the PTX unchanged.

use std::{ffi::OsString, fs, path::PathBuf};

use cuda_driver::image;

use crate::{error::Error, output};

/// The tool and its arguments.
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

/// The arguments of either tool.
#[derive(Debug, Default, PartialEq, Eq)]
struct Invocation {
    output: PathBuf,
    sm: u32,
    /// Whether the result will be linked.
    relocatable: bool,
    inputs: Vec<PathBuf>,
}

/// Acts as the tool.
pub fn run(options: &Options) -> Result<(), Error> {
    let tool = match options.tool {
        Tool::Ptxas => "ptxas",
        Tool::Nvlink => "nvlink",
    };
    let outcome = Invocation::read(&options.arguments).and_then(|invocation| invocation.run(options.tool));
    outcome.map_err(|message| Error::StandIn { tool, message })
}

impl Invocation {
    fn read(arguments: &[OsString]) -> Result<Invocation, String> {
        /// Options of both tools that have a value and are ignored here.
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
        let mut invocation = Invocation::default();
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
                "-o" | "--output-file" => invocation.output = value()?.into(),
                "-arch" | "--arch" | "--gpu-name" => {
                    invocation.sm = architecture(&value()?.to_string_lossy())?
                }
                "-c" | "--compile-only" => invocation.relocatable = true,
                _ if WITH_VALUE.contains(&name) => drop(value()?),
                _ if name.starts_with('-') => {}
                _ => invocation.inputs.push(argument.into()),
            }
        }
        match (invocation.output.as_os_str().is_empty(), invocation.sm, &*invocation.inputs) {
            (true, ..) => Err("no output file is given (-o)".into()),
            (_, 0, _) => Err("no architecture is given (-arch)".into()),
            (.., []) => Err("no input file is given".into()),
            _ => Ok(invocation),
        }
    }

    fn run(&self, tool: Tool) -> Result<(), String> {
        let mut units: Vec<(String, String)> = Vec::new();
        for input in &self.inputs {
            let name = terminal_text::name(input.display());
            let bytes = fs::read(input).map_err(|error| format!("cannot read {name}: {error}"))?;
            let texts = match tool {
                Tool::Ptxas => vec![String::from_utf8_lossy(&bytes).into_owned()],
                Tool::Nvlink => image::ptx(&bytes, self.sm).map_err(|error| format!("{name}: {error}"))?,
            };
            units.extend(texts.into_iter().map(|text| (name.clone(), text)));
        }
        let made = match (tool, self.relocatable, &*units) {
            (Tool::Ptxas, true, [(name, ptx)]) => image::relocatable(name, ptx, self.sm),
            (Tool::Ptxas, true, _) => return Err("only one input file is supported".into()),
            _ => image::executable(&units, self.sm),
        };
        let made = made.map_err(|error| match &error.undefined {
            Some(name) if name.starts_with("__nv_") => {
                format!("{error}; it is in the math library of CUDA, which `warpfold setup` installs")
            }
            _ => error.to_string(),
        })?;
        output::replace(&self.output, &made).map_err(|error| error.to_string())
    }
}

/// The number in `sm_90` or `sm_90a`.
fn architecture(name: &str) -> Result<u32, String> {
    let number = name.strip_prefix("sm_").unwrap_or(name).trim_end_matches(|c: char| c.is_ascii_lowercase());
    match number.parse() {
        Ok(sm) if (1..=255).contains(&sm) => Ok(sm),
        _ => Err(format!("`{name}` is not an architecture")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invocation(line: &str) -> Result<Invocation, String> {
        Invocation::read(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn calls_of_compilers_are_parsed() {
        let expected = |relocatable, inputs: &[&str]| {
            let inputs = inputs.iter().map(PathBuf::from).collect();
            Ok(Invocation { output: "out".into(), sm: 90, relocatable, inputs })
        };
        let assemble = "-m64 -O2 -lineinfo --gpu-name sm_90 --output-file out x.s --maxrregcount 32 -c";
        assert_eq!(invocation(assemble), expected(true, &["x.s"]));
        assert_eq!(invocation("-m64 -c x.s -O3 -arch sm_90a -o out"), expected(true, &["x.s"]));
        assert_eq!(invocation("-m64 -O2 --gpu-name=sm_90 --output-file=out x.s"), expected(false, &["x.s"]));
        let link = "-o out -g -arch sm_90 -L /lib -L/x --arch sm_90 -v a.cubin b.cubin";
        assert_eq!(invocation(link), expected(false, &["a.cubin", "b.cubin"]));
    }

    #[test]
    fn missing_arguments_are_reported() {
        for (line, message) in [
            ("-arch sm_90 x.s", "no output"),
            ("-o out x.s", "no architecture"),
            ("-o out -arch sm_90", "no input"),
            ("-o out x.s -arch", "has no value"),
            ("-o out x.s -arch compute", "`compute` is not an architecture"),
        ] {
            assert!(invocation(line).is_err_and(|error| error.contains(message)), "{line}");
        }
    }
}
