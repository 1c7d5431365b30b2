//! `cargo xtask census`: the forms of PTX that LLVM 22's back end prints, and which the emulator supports.

/// Options of `cargo xtask census`.
#[derive(clap::Args)]
pub struct Options {
    /// Write docs/ptx-forms.tsv and docs/ptx.md instead of comparing them
    #[arg(long)]
    bless: bool,
    /// Collect the forms from LLVM again (minutes, the first time) instead of reading the stored ones
    #[arg(long)]
    collect: bool,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<(), String> {
    ptx_census::run(options.bless, options.collect)
}
