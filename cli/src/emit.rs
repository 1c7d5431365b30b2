//! `warpfold emit`: writes the runtime, its C header, reduction callbacks and kernels for other compilers.

use std::{
    fs,
    path::{Path, PathBuf},
};

use codegen_shim::{
    BATCH_FUNCTIONS, BatchedList, CALLBACKS, COLUMNS, ColumnSpec, KERNELS, KernelSpec, ReductionList,
    Specification, emit_batches, emit_callbacks, emit_columns, emit_kernels,
};
use output_files::FileError;
use toolchain::{Input, IrBuild, OptLevel, PtxBuild, Tools};

use crate::{device::architecture, device_runtime, error::Error, output};

/// Options of `warpfold emit`.
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    artifact: Artifact,
}

#[derive(clap::Subcommand)]
enum Artifact {
    /// The callbacks through which the device runtime combines a reduction list
    #[command(after_help = SPEC)]
    Callbacks(Callbacks),
    /// Kernels that reduce arrays with a reduction list
    #[command(after_help = SPEC)]
    Kernel(Kernel),
    /// Functions that reduce arrays whose length is known at run time, in batches
    #[command(after_help = SPEC)]
    Batches(Callbacks),
    /// A kernel that reduces the columns of matrices whose width is known at run time
    #[command(after_help = SPEC)]
    Columns(Columns),
    /// The device runtime as LLVM bitcode, to link with the output of the other commands
    Runtime(Runtime),
    /// The C header of the device runtime
    Header(Header),
}

/// The help text on reduction variables.
const SPEC: &str = "\
A variable is NAME=OP:TYPE[@SOURCE]:
  OP      sum product min max and or xor all any argmin argmax, or + * & | ^ && ||,
          or user(FILE:FUNCTION), void FUNCTION(T *into, const T *from) of a .c or .ll file:
          its identity is stored by void FUNCTION_identity(T *) of the file, or given as
          user(FILE:FUNCTION=VALUE,VALUE…) with one value for each scalar, or there is none
  TYPE    i8 to i128, u8 to u128, f16, bf16, f32, f64, complex<f32>, [TYPE;N], {TYPE,TYPE…}
  SOURCE  what a kernel reduces: ARRAY, the product ARRAY*ARRAY, or map(FILE:FUNCTION,ARRAY…)
          by void FUNCTION(T *out, const A *a, const B *b …) [default: array 0]
  ARRAY   its number from 0, or NUMBER:TYPE where its elements have another type than the variable
For example: s=sum:f64 'best=argmin:f32@1' 'dot=sum:f64@0*1' 'wide=sum:i64@2:i8'
             'h=max:[i16;3]@3' 'u=user(pair.c:combine):{f32,i32}@map(pair.c:pair,0,1)'";

#[derive(clap::Args)]
struct Callbacks {
    /// The reduction variables, each as NAME=OP:TYPE
    #[arg(required = true, value_name = "SPEC")]
    variables: Vec<String>,
    #[command(flatten)]
    output_options: OutputOptions,
}

#[derive(clap::Args)]
struct Kernel {
    /// The reduction variables, each as `NAME=OP:TYPE[@SOURCE]`
    #[arg(required = true, value_name = "SPEC")]
    variables: Vec<String>,
    /// Threads of the largest block that the kernels can be launched with
    #[arg(long, value_name = "N", default_value_t = host_rt::BLOCK_THREADS)]
    block_threads: u32,
    /// Groups of elements in flight per thread [default: 4, less where registers are short]
    #[arg(long, value_name = "N")]
    unroll: Option<u32>,
    #[command(flatten)]
    output_options: OutputOptions,
}

#[derive(clap::Args)]
struct Columns {
    /// The reduction variables of each column, each as `NAME=OP:TYPE[@SOURCE]`
    #[arg(required = true, value_name = "SPEC")]
    variables: Vec<String>,
    /// Threads of the largest block that the kernel can be launched with
    #[arg(long, value_name = "N", default_value_t = host_rt::BLOCK_THREADS)]
    block_threads: u32,
    #[command(flatten)]
    output_options: OutputOptions,
}

#[derive(clap::Args)]
struct Runtime {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(clap::Args)]
struct Header {
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Options of the output.
#[derive(clap::Args)]
struct OutputOptions {
    /// Write PTX instead of LLVM IR; kernels are linked with the device runtime
    #[arg(long)]
    ptx: bool,
    /// The architecture of the PTX, such as sm_90, or a GPU, such as h200
    #[arg(long, value_name = "MODEL", default_value = "sm_90", requires = "ptx", value_parser = architecture)]
    sm: u32,
    /// The optimisation level of the PTX: 0, 1, 2 or 3
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", requires = "ptx", value_parser = level)]
    opt: OptLevel,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn level(text: &str) -> Result<OptLevel, String> {
    match text {
        "0" => Ok(OptLevel::O0),
        "1" => Ok(OptLevel::O1),
        "2" => Ok(OptLevel::O2),
        "3" => Ok(OptLevel::O3),
        _ => Err("0, 1, 2 or 3".into()),
    }
}

/// Runs the command.
pub fn run(options: &Options) -> Result<(), Error> {
    let (variables, output) = match &options.artifact {
        Artifact::Callbacks(Callbacks { variables, output_options })
        | Artifact::Batches(Callbacks { variables, output_options })
        | Artifact::Kernel(Kernel { variables, output_options, .. })
        | Artifact::Columns(Columns { variables, output_options, .. }) => {
            (&**variables, &output_options.output)
        }
        Artifact::Runtime(_) | Artifact::Header(_) => (&[][..], &None),
    };
    let read: Vec<PathBuf> = variables.iter().flat_map(|variable| sources(variable)).collect();
    output_files::check_distinct(output.as_deref(), read.iter().map(PathBuf::as_path))?;
    match &options.artifact {
        Artifact::Callbacks(Callbacks { variables, output_options }) => {
            let list = ReductionList::new(Specification::parse(variables, &Tools::find)?.variables)?;
            output_options.write(emit_callbacks(&list), &list.modules(), CALLBACKS, false)
        }
        Artifact::Kernel(Kernel { variables, block_threads, unroll, output_options }) => {
            let Specification { variables, arrays } = Specification::parse(variables, &Tools::find)?;
            let mut spec = KernelSpec::new(ReductionList::new(variables)?, arrays, *block_threads)?;
            if let Some(unroll) = unroll {
                spec = spec.with_unroll(*unroll)?;
            }
            output_options.write(emit_kernels(&spec), &spec.list().modules(), &KERNELS, true)
        }
        Artifact::Batches(Callbacks { variables, output_options }) => {
            let batches = BatchedList::new(Specification::parse(variables, &Tools::find)?.variables)?;
            output_options.write(emit_batches(&batches), &batches.modules(), BATCH_FUNCTIONS, true)
        }
        Artifact::Columns(Columns { variables, block_threads, output_options }) => {
            let Specification { variables, arrays } = Specification::parse(variables, &Tools::find)?;
            let spec = ColumnSpec::new(variables, arrays, *block_threads)?;
            output_options.write(emit_columns(&spec), &spec.batches().modules(), &[COLUMNS], true)
        }
        Artifact::Runtime(Runtime { output: file }) => {
            let bitcode = device_runtime::bitcode(&Tools::find()?)?;
            let bytes = fs::read(&bitcode).map_err(|source| FileError::Read { path: bitcode, source })?;
            output::replace(file, &bytes)
        }
        Artifact::Header(Header { output }) => write(output.as_deref(), &device_library::c_header()),
    }
}

/// The files with functions that a variable names.
fn sources(variable: &str) -> Vec<PathBuf> {
    let functions = ["user(", "map("].into_iter().flat_map(|word| variable.split(word).skip(1));
    let file = |text: &str| {
        let function = text.split([',', ')', '=']).next().unwrap_or_default();
        function.rsplit_once(':').map(|(file, _)| PathBuf::from(file))
    };
    functions.filter_map(file).collect()
}

impl OutputOptions {
    /// Writes the emitted module with the user's functions that it calls.
    fn write(&self, emitted: String, user: &[&str], keep: &[&str], runtime: bool) -> Result<(), Error> {
        let mut modules = vec![Input::Ir(&emitted)];
        modules.extend(user.iter().copied().map(Input::Ir));
        let text = if self.ptx {
            let tools = Tools::find()?;
            let bitcode = if runtime { Some(device_runtime::bitcode(&tools)?) } else { None };
            modules.extend(bitcode.as_deref().map(Input::Bitcode));
            tools.ptx(&PtxBuild { modules: &modules, keep, sm: self.sm, opt: self.opt })?
        } else if user.is_empty() {
            emitted
        } else {
            // The user's functions are called only inside.
            let list = format!("-internalize-public-api-list={}", keep.join(","));
            Tools::find()?.ir(&IrBuild { modules: &modules, passes: "internalize", options: &[&list] })?
        };
        write(self.output.as_deref(), &text)
    }
}

/// Writes a text to a file, or to standard output.
fn write(path: Option<&Path>, text: &str) -> Result<(), Error> {
    match path {
        Some(path) => output::replace(path, text.as_bytes()),
        None => output::text(text),
    }
}
