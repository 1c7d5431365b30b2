//! The names of kernels that compilers make of OpenMP target regions, for reports.

use std::fmt::{self, Write};

use cpp_demangle::{DemangleOptions, ParseOptions, Symbol};

use crate::program::Program;

/// The longest mangled name that is read, and the longest result; a short name may stand for a very long one.
const MOST_NAME: usize = 4096;
/// How deep a mangled name may be nested.
const MOST_DEPTH: u32 = 96;

/// An OpenMP target region, from the name of its kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TargetRegion {
    /// The function that the region is in, as the source names it; of several in C++, without parameters.
    pub function: String,
    /// The region's line.
    pub line: u32,
}

impl TargetRegion {
    /// The region that a kernel was compiled from. Compilers put function and line into its name, after two numbers for
    /// the file, and append a counter for regions on the same line.
    pub fn of(kernel: &str) -> Option<TargetRegion> {
        let mut rest = kernel.strip_prefix("__omp_offloading_")?;
        for _ in 0..2 {
            let (number, after) = rest.split_once('_')?;
            u64::from_str_radix(number, 16).ok()?;
            rest = after;
        }
        let (function, line) = rest.rsplit_once("_l")?;
        let (line, _) = line.split_once('_').unwrap_or((line, ""));
        Some(TargetRegion { function: source_name(function), line: line.parse().ok()? })
    }
}

/// The comments of barriers after which all threads of the block do what one would, and each its own work: those of this
/// project's OpenMP runtime at the end and the beginning of parallel regions, where LLVM has made a kernel an SPMD one.
const AS_ONE: &str = "warpfold: all threads as one";
const EACH: &str = "warpfold: each thread";

/// Whether all threads do what one would after a barrier, if its comment says.
pub(crate) fn is_as_one_after(comment: &str) -> Option<bool> {
    match comment {
        AS_ONE => Some(true),
        EACH => Some(false),
        _ => None,
    }
}

/// Whether all threads of a kernel begin with what its source has for one, and a barrier will say where that ends.
pub(crate) fn begins_as_one(program: &Program, kernel: &str) -> bool {
    was_generic(program, kernel) && program.texts().any(|text| text.contains(EACH))
}

/// Whether LLVM has made an SPMD kernel of a generic one. It says so in the execution mode, of the constant that it makes for
/// each kernel.
fn was_generic(program: &Program, kernel: &str) -> bool {
    const MODE: usize = 2;
    const GENERIC_SPMD: u8 = 3;
    let environment = program.initial_bytes(&format!("{kernel}_kernel_environment"));
    environment.and_then(|bytes| bytes.get(MODE)) == Some(&GENERIC_SPMD)
}

/// The name that the source has for a function, for C++ and Fortran.
pub fn source_name(function: &str) -> String {
    let demangled = if function.starts_with("_Q") { fortran(function) } else { cpp(function) };
    demangled.unwrap_or_else(|| function.to_owned())
}

fn cpp(function: &str) -> Option<String> {
    if !function.starts_with("_Z") || function.len() > MOST_NAME {
        return None;
    }
    let parsing = ParseOptions::default().recursion_limit(MOST_DEPTH);
    let symbol = Symbol::new_with_options(function, &parsing).ok()?;
    let writing = DemangleOptions::new().no_params().no_return_type().recursion_limit(MOST_DEPTH);
    let mut name = Bounded(String::new());
    symbol.structured_demangle(&mut name, &writing).ok()?;
    Some(name.0)
}

/// flang's names: `_QQmain`, and `_Q` with `M` and a module, `S` and a submodule, `F` and the procedure around, and `P`
/// and the procedure; the source's own names have no capital letters.
fn fortran(function: &str) -> Option<String> {
    if function == "_QQmain" {
        return Some("the main program".to_owned());
    }
    let mut parts = Vec::new();
    let mut rest = function.strip_prefix("_Q")?;
    while let Some(kind) = rest.chars().next() {
        let name = rest.strip_prefix(['M', 'S', 'F', 'P'])?;
        let end = name.find(|c: char| c.is_ascii_uppercase()).unwrap_or(name.len());
        if end == 0 {
            return None;
        }
        parts.push(&name[..end]);
        rest = &name[end..];
        if kind == 'P' && !rest.is_empty() {
            return None;
        }
    }
    (!parts.is_empty()).then(|| parts.join("::"))
}

/// A text that ends with an error where it becomes too long.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MOST_NAME {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_regions_are_read_from_kernel_names() {
        let region = |name| TargetRegion::of(name).map(|region| (region.function, region.line));
        let main = |line| Some(("main".to_owned(), line));
        assert_eq!(region("__omp_offloading_fe00_98c04b_main_l5"), main(5));
        assert_eq!(region("__omp_offloading_fe00_98c04b_main_l5_1"), main(5));
        let name = "__omp_offloading_10_ff_a_loop_l12";
        assert_eq!(region(name), Some(("a_loop".to_owned(), 12)));
        for other in
            ["sum", "__omp_offloading_fe00_x_main_l5", "__omp_offloading_fe00_1_main", "__omp_offloading_"]
        {
            assert_eq!(region(other), None, "{other}");
        }
    }

    #[test]
    fn functions_have_the_names_of_the_source() {
        for (name, source) in [
            ("_ZN4Grid4fillIfEEvT_", "Grid::fill<float>"),
            ("_ZN4deep3runERSt6vectorIdSaIdEE", "deep::run"),
            ("_Z3addii", "add"),
            ("_QQmain", "the main program"),
            ("_QMphysicsPstep", "physics::step"),
            ("_QFouterPinner", "outer::inner"),
            ("_QPsolve_all", "solve_all"),
            ("main", "main"),
            ("_Z", "_Z"),
            ("_ZN4Grid", "_ZN4Grid"),
            ("_Q", "_Q"),
            ("_QXy", "_QXy"),
        ] {
            assert_eq!(source_name(name), source);
        }
    }

    /// Each argument is a template of two copies of the one before.
    #[test]
    fn a_name_that_stands_for_a_very_long_one_stays() {
        let mut name = "_Z1fI1aIiiE".to_owned();
        for at in 0..40 {
            let before =
                if at == 0 { "S_".to_owned() } else { format!("S{}_", char::from(b'0' + (at % 10) as u8)) };
            name += &format!("1bI{before}{before}E");
        }
        name += "Evv";
        let found = source_name(&name);
        assert!(found.len() <= MOST_NAME, "{}", found.len());
        let deep = format!("_Z1f{}i", "P".repeat(100_000));
        assert_eq!(source_name(&deep), deep);
        let nested = format!("_Z1f{}i{}", "1aI".repeat(1000), "E".repeat(1000));
        assert_eq!(source_name(&nested), nested);
    }
}
