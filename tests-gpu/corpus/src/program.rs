//! The list of programs.

/// The name of every program's kernel. Its parameters are the addresses of input and output and the number of
/// items.
pub const KERNEL: &str = "kernel";

/// The language of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// C, compiled by clang.
    C,
    /// C++, compiled by clang.
    Cpp,
    /// Fortran, compiled by flang.
    Fortran,
    /// Rust, compiled by the rustc of the device build.
    Rust,
}

/// One program of the corpus.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// The name of the program and of its file.
    pub name: &'static str,
    /// Its language.
    pub language: Language,
    pub(crate) source: &'static str,
    /// Whether it defines a kernel for whole blocks instead of a function of one item.
    pub(crate) whole: bool,
}

macro_rules! programs {
    ($($language:ident $extension:literal $whole:literal: $($name:literal)*;)*) => {
        &[$($(Program {
            name: $name,
            language: Language::$language,
            source: include_str!(concat!("../programs/", $name, ".", $extension)),
            whole: $whole,
        },)*)*]
    };
}

/// All programs.
pub const PROGRAMS: &[Program] = programs! {
    C "c" false: "sort" "matrix" "bytecode" "varargs" "wide" "half" "bfloat" "complex" "bits" "hash" "fractal"
        "fft" "physics" "linear" "strings" "random" "bignum" "records" "calls" "cluster";
    C "c" true: "life" "scan" "histogram" "warp" "pipeline";
    Cpp "cpp" false: "classes" "templates";
    Cpp "cpp" true: "reduce" "transpose";
    Fortran "f90" false: "numbers" "tables";
    Rust "rs" false: "collections" "traits" "text";
};
