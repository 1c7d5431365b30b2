//! The options that say which LLVM is used.

use clap::builder::FalseyValueParser;

/// Options of commands that call LLVM's programs.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct LlvmOptions {
    /// The version of LLVM to use, such as 23 [default: the oldest of those installed that this program was tried with]
    #[arg(long = "llvm", value_name = "MAJOR", env = toolchain::LLVM_VARIABLE)]
    pub major: Option<u32>,
    /// Accept versions of LLVM that are newer than those that this program was tried with
    #[arg(long = "llvm-untried", env = toolchain::UNTRIED_VARIABLE, value_parser = FalseyValueParser::new())]
    pub untried: bool,
}

impl LlvmOptions {
    /// Has this process use the version.
    pub fn choose(self) {
        toolchain::choose_llvm(self.major, self.untried);
    }
}
