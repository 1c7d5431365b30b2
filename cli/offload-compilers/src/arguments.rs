//! The arguments of a compiler: what they ask for, and what is wrong with them.

use std::{ffi::OsString, num::ParseIntError};

use toolchain::Version;

use crate::Error;

/// The arguments of clang or flang, without those of warpfold.
#[derive(Clone, Copy)]
pub struct Arguments<'a>(&'a [OsString]);

/// Options of clang whose value is the next word, if it is not part of the same one.
const WITH_A_WORD: [&str; 15] = [
    "-I",
    "-D",
    "-U",
    "-x",
    "-F",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-mllvm",
    "-target",
    "--target",
    "--sysroot",
];

const HINT: &str = "use --offload-arch=sm_90 for H100 and H200, sm_80 for A100, sm_100 for B200; the emulator runs \
                    all of them";

impl<'a> Arguments<'a> {
    /// These arguments.
    pub fn new(arguments: &'a [OsString]) -> Arguments<'a> {
        Arguments(arguments)
    }

    /// The arguments that say how a file is read: all options but those of outputs, of linking and of OpenMP.
    pub fn for_reading(self) -> Vec<OsString> {
        const OTHERS: &str = "-o -c -S -E -M -l -L -Wl, -Xlinker -fopenmp --offload -foffload -fno-offload -save-temps --save-temps";
        let mut out = Vec::new();
        let mut words = self.0.iter();
        while let Some(word) = words.next() {
            match word.to_str().unwrap_or_default() {
                "-o" | "-Xlinker" | "-Xoffload-linker" | "-MF" | "-MT" | "-MQ" | "-L" => drop(words.next()),
                option if takes_word(option) => out.extend([word].into_iter().chain(words.next()).cloned()),
                option if OTHERS.split(' ').any(|other| option.starts_with(other)) => {}
                option if option.starts_with('-') => out.push(word.clone()),
                _ => {}
            }
        }
        out
    }

    /// Whether the arguments name a target for device code.
    pub fn names_target(self) -> bool {
        const OPTIONS: [&str; 4] =
            ["--offload-arch", "-fopenmp-targets", "--no-offload-arch", "--cuda-gpu-arch"];
        self.0
            .iter()
            .any(|argument| OPTIONS.iter().any(|option| argument.to_string_lossy().starts_with(option)))
    }

    /// Rejects architectures for which nothing is compiled: LLVM would crash.
    ///
    /// # Errors
    ///
    /// Such an architecture.
    pub fn check_architectures(self) -> Result<(), Error> {
        let is_old =
            |name: &String| number(name).is_some_and(|number| number.is_ok_and(|number| number < 70));
        match self.architectures().into_iter().find(is_old) {
            Some(old) => {
                Err(Error::Rejected(format!("{old} is too old: the runtime needs sm_70 or newer; {HINT}")))
            }
            None => Ok(()),
        }
    }

    /// Warnings about targets that the compiler or the runtime does not support, each with a hint: clang's errors
    /// have none.
    pub fn warnings(self, ptxas: Option<Version>, has_gpu: impl Fn() -> bool) -> Vec<String> {
        let words: Vec<_> = self.0.iter().map(|argument| argument.to_string_lossy()).collect();
        let mut warnings = Vec::new();
        for architecture in self.architectures() {
            let architecture = &*architecture;
            match number(architecture) {
                None if architecture == "native" && !has_gpu() => {
                    warnings.push(format!("native means this machine's GPU, but there is none: {HINT}"));
                }
                None if architecture == "native" => {}
                None => warnings.push(format!("{architecture} is not an NVIDIA GPU architecture: {HINT}")),
                Some(Ok(number)) if number < 75 && ptxas.is_some_and(|ptxas| ptxas.major >= 13) => {
                    warnings.push(format!(
                        "ptxas 13 supports sm_75 and newer; {architecture} needs CUDA 12; {HINT}"
                    ));
                }
                Some(Ok(number)) if toolchain::ptx_version(number).is_some() => {}
                Some(_) => warnings.push(format!("{architecture} is not known: {HINT}")),
            }
        }
        let any = |prefixes: &[&str]| words.iter().any(|word| prefixes.iter().any(|p| word.starts_with(p)));
        let named = any(&["--offload-arch=", "-march=sm_", "--cuda-gpu-arch="]);
        if any(&["-fopenmp-targets=nvptx64"]) && !named && !has_gpu() {
            warnings.push(format!(
                "-fopenmp-targets= alone means this machine's GPU, but there is none; write --offload-arch= instead: {HINT}"
            ));
        }
        warnings
    }

    /// Whether a program is linked.
    pub fn is_linking(self) -> bool {
        const ONLY: [&str; 9] =
            ["-c", "-r", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-emit-llvm", "--precompile"];
        let words = || self.0.iter().map(|argument| argument.to_string_lossy());
        words().any(|word| !word.starts_with('-')) && !words().any(|word| ONLY.contains(&&*word))
    }

    /// Whether source files are compiled with debug information and without a level, which means -O0.
    pub fn is_unoptimised_debugging(self) -> bool {
        let is_source =
            |word: &str| [".c", ".cc", ".cpp", ".cxx", ".C"].iter().any(|end| word.ends_with(end));
        self.has_lines()
            && self.level().is_none()
            && self.0.iter().any(|argument| is_source(&argument.to_string_lossy()))
    }

    /// The architectures that `--offload-arch=` names.
    fn architectures(self) -> Vec<String> {
        let words = self.0.iter().map(|argument| argument.to_string_lossy());
        let lists = words.filter_map(|word| word.strip_prefix("--offload-arch=").map(String::from));
        lists.flat_map(|list| list.split(',').map(String::from).collect::<Vec<_>>()).collect()
    }

    /// Whether the arguments ask for debug information.
    fn has_lines(self) -> bool {
        let words = self.0.iter().map(|argument| argument.to_string_lossy());
        words.into_iter().any(|word| word.starts_with("-g") && word != "-g0")
    }

    /// The level of optimisation that the arguments name.
    fn level(self) -> Option<&'a OsString> {
        self.0.iter().rfind(|argument| argument.to_string_lossy().starts_with("-O"))
    }
}

/// Whether the value of an option of clang that says how files are read, or is for another program, is the next word.
pub fn takes_word(option: &str) -> bool {
    WITH_A_WORD.contains(&option) || option.starts_with("-X")
}

/// The number of an architecture, such as 90 of `sm_90a`; nothing for those that are not NVIDIA's.
fn number(architecture: &str) -> Option<Result<u32, ParseIntError>> {
    architecture.strip_prefix("sm_").map(|number| number.trim_end_matches(['a', 'f']).parse())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    fn words(words: &str) -> Vec<OsString> {
        words.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn files_are_read_with_the_options_that_concern_their_meaning() {
        let of = |words: &str| {
            let words = self::words(words);
            Arguments::new(&words).for_reading().join(OsStr::new(" ")).into_string().expect("UTF-8")
        };
        let kept = "-I a -Ib -D N=3 -include x.h --sysroot / -fwrapv -funsigned-char -fno-strict-aliasing -O2 -std=c99 -mllvm -y -x c -w";
        assert_eq!(of(kept), kept);
        assert_eq!(
            of("-c a.c -o b.o -fopenmp --offload-arch=sm_90 -lm -L lib -MMD -MF d -Wl,-z x.o -save-temps"),
            ""
        );
    }

    #[test]
    fn debugging_without_a_level_is_unoptimised() {
        let of = |words: &str| Arguments::new(&self::words(words)).is_unoptimised_debugging();
        assert!(of("-g x.c") && of("x.cpp -ggdb"));
        for words in ["x.c", "-g -O2 x.c", "-g x.o"] {
            assert!(!of(words), "{words}");
        }
    }

    #[test]
    fn unsupported_architectures_cause_a_warning() {
        let warned = |words: &str, gpu: bool| {
            let words = self::words(words);
            Arguments::new(&words).warnings(Some(Version::new(13, 0, 0)), || gpu).join("; ")
        };
        for (words, expected) in [
            ("--offload-arch=sm_999 x.c", "sm_999 is not known"),
            ("--offload-arch=sm_70", "sm_70 needs CUDA 12"),
            ("--offload-arch=gfx90a", "gfx90a is not an NVIDIA GPU"),
            ("--offload-arch=native", "native means this machine's GPU"),
            ("-O2 -fopenmp-targets=nvptx64 x.c", "write --offload-arch= instead"),
        ] {
            let found = warned(words, false);
            assert!(found.contains(expected) && found.contains("--offload-arch=sm_90"), "{words}: {found}");
        }
        for words in [
            "-O2 x.c",
            "--offload-arch=sm_80,sm_90a",
            "-fopenmp-targets=nvptx64-nvidia-cuda -Xopenmp-target -march=sm_80",
        ] {
            assert_eq!(warned(words, false), "");
        }
        assert_eq!(warned("--offload-arch=native -fopenmp-targets=nvptx64", true), "");
        let rejected = |word: &str| {
            Arguments::new(&[word.into()]).check_architectures().map_err(|error| error.to_string())
        };
        assert!(rejected("--offload-arch=sm_90,sm_35").unwrap_err().contains("sm_35 is too old"));
        assert_eq!(rejected("--offload-arch=sm_70,gfx90a"), Ok(()));
    }

    #[test]
    fn a_target_that_is_given_stays() {
        let names = |words: &[&str]| {
            Arguments::new(&words.iter().map(OsString::from).collect::<Vec<_>>()).names_target()
        };
        assert!(names(&["-O2", "--offload-arch=sm_80", "x.c"]));
        assert!(names(&["-fopenmp-targets=nvptx64-nvidia-cuda"]));
        assert!(!names(&["-O2", "x.c"]));
    }
}
