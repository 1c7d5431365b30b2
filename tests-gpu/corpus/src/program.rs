//! The list of programs.

/// The kernel of every program; its parameters are the addresses of both arrays and the number of items.
pub const KERNEL: &str = "kernel";

/// What a program is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// C, by clang.
    C,
    /// C++, by clang.
    Cpp,
    /// Fortran, by flang.
    Fortran,
    /// Rust, by the device's rustc.
    Rust,
}

/// One program of the corpus.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its name, that of its file.
    pub name: &'static str,
    /// Its language.
    pub language: Language,
    pub(crate) source: &'static str,
    /// Has a kernel for whole blocks of its own.
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
