//! Measures the machine code of clang's reductions (registers, instructions, shuffles, barriers), so that
//! growth shows in review; also with LLVM 19's runtime, the last one that Debian has for NVIDIA GPUs. The
//! figures depend on the tools' versions, which are recorded with them.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use toolchain::{DeviceCode, Tools};

use crate::thirdparty;

/// The file of the figures.
const FIGURES: &str = "docs/sass.tsv";

/// Options of `cargo xtask sass`.
#[derive(clap::Args)]
pub struct Options {
    /// Write docs/sass.tsv instead of comparing the figures with it
    #[arg(long)]
    bless: bool,
    /// Also measure clang-19 and its runtime: apt-get downloads them into this folder, where NAME.ptx is
    /// written for `cargo xtask bench openmp --peer`
    #[arg(long, value_name = "DIR")]
    peer: Option<PathBuf>,
}

/// The folder of the kernels' sources.
const SOURCES: &str = "benches/openmp";

/// The kernel that may hang with LLVM 19's runtime: warps that reach the first dynamically scheduled loop of
/// a kernel late find the table that thread 0 has made, and skip the barrier at which the others wait.
const HANGS: &str = "dynamic";

/// Added to a unit for clang-19, whose passes insert calls of these functions after its runtime is linked,
/// and would leave them undefined.
pub const KEEP_FUNCTIONS: &str = "
#pragma omp begin declare target
void __kmpc_barrier_simple_generic(void *, int);
void __kmpc_barrier_simple_spmd(void *, int);
int __kmpc_get_hardware_num_threads_in_block(void);
int __kmpc_get_hardware_thread_id_in_block(void);
__attribute__((used)) void kept(void) {
  __kmpc_barrier_simple_generic(0, 0);
  __kmpc_barrier_simple_spmd(0, __kmpc_get_hardware_num_threads_in_block() + __kmpc_get_hardware_thread_id_in_block());
}
#pragma omp end declare target
";

/// The kernels' names and sources, in order.
pub fn sources() -> Result<Vec<(String, String)>, String> {
    let cannot = |error| format!("cannot read {SOURCES}: {error}");
    let mut files: Vec<PathBuf> =
        fs::read_dir(SOURCES).map_err(cannot)?.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "c"));
    files.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, fs::read_to_string(&path).map_err(cannot)?))
    };
    files.into_iter().map(read).collect()
}

/// A clang and a device runtime for it.
struct Compiler<'a> {
    name: String,
    clang: PathBuf,
    /// The folder of its runtime.
    library: PathBuf,
    /// clang's configuration files for a program and for a file.
    configs: Option<[PathBuf; 2]>,
    /// The folder of its shared libraries, and further options.
    extra: Option<(PathBuf, Vec<String>)>,
    cuda: &'a Path,
}

/// Prints the figures, and writes or compares them.
pub fn run(options: &Options) -> Result<(), String> {
    let tools = Tools::find().map_err(|error| error.to_string())?;
    let (clang, ptxas) = (tools.clang(), tools.ptxas());
    let (clang, ptxas) = (clang.map_err(|e| e.to_string())?, ptxas.map_err(|e| e.to_string())?);
    let cuda = tools.cuda_dir().map_err(|error| error.to_string())?;
    let config = |code| tools.clang_config(code).map_err(|error| error.to_string());
    let ours = Compiler {
        name: String::from("ours"),
        clang: clang.path.clone(),
        library: device_library::openmp_library(&tools).map_err(|error| error.to_string())?,
        configs: Some([config(DeviceCode::Program)?, config(DeviceCode::File)?]),
        extra: None,
        cuda: &cuda,
    };
    let mut table = format!(
        "# clang {} -O2, sm_90, ptxas {}\n\
         kernel\truntime\tmode\tregisters\tinstructions\tshuffles\tbarriers\tstack\n",
        clang.version, ptxas.version
    );
    let path = Path::new(FIGURES);
    let kept = fs::read_to_string(path).map_err(|error| format!("cannot read {FIGURES}: {error}"))?;
    let peer = options.peer.as_deref().map(|folder| llvm_19(folder, &clang.path, &cuda)).transpose()?;
    for (name, source) in sources()? {
        for (mode, whole) in [("file", false), ("program", true)] {
            let (figures, _) = figures(&ours, &source, whole)?;
            let _ = writeln!(table, "{name}\tours\t{mode}\t{figures}");
        }
        match &peer {
            Some(peer) => {
                let (figures, ptx) = figures(peer, &format!("{source}{KEEP_FUNCTIONS}"), false)?;
                let _ = writeln!(table, "{name}\t{}\tfile\t{figures}", peer.name);
                if name != HANGS
                    && let Some(folder) = &options.peer
                {
                    let path = folder.join(&name).with_extension("ptx");
                    fs::write(&path, ptx)
                        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
                }
            }
            // The peer does not change: its recorded figures stay.
            None => {
                let line = kept.lines().find(|line| line.starts_with(&format!("{name}\tLLVM")));
                table.extend(line.map(|line| format!("{line}\n")));
            }
        }
    }
    print!("{table}");
    if options.bless {
        return fs::write(path, table).map_err(|error| format!("cannot write {FIGURES}: {error}"));
    }
    match kept == table {
        true => Ok(()),
        false => Err(format!("{FIGURES} differs:\n{kept}`cargo xtask sass --bless` rewrites it")),
    }
}

/// clang-19 and its runtime from Debian's packages, unpacked below `folder`.
fn llvm_19<'a>(folder: &Path, clang: &Path, cuda: &'a Path) -> Result<Compiler<'a>, String> {
    // clang is called in another folder.
    let folder = std::path::absolute(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let home = thirdparty::clang_19(&folder)?;
    let root = folder.join("root");
    // For omp.h, which is in a separate Debian package for each version; clang 22's does for these kernels.
    let headers = clang.parent().and_then(Path::parent).map(|llvm| llvm.join("lib/clang/22/include"));
    let headers = headers.unwrap_or_default().to_string_lossy().into_owned();
    Ok(Compiler {
        name: String::from("LLVM 19's"),
        clang: home.join("bin/clang-19"),
        library: home.join("lib"),
        configs: None,
        extra: Some((
            root.join("usr/lib/x86_64-linux-gnu"),
            vec![
                // Its packager is in another package.
                String::from("--offload-device-only"),
                String::from("-Wno-unknown-cuda-version"),
                format!(
                    "--libomptarget-nvptx-bc-path={}",
                    home.join("lib/libomptarget-nvptx-sm_90.bc").display()
                ),
                String::from("-idirafter"),
                headers,
            ],
        )),
        cuda,
    })
}

/// A kernel's columns of the table, and its PTX.
fn figures(compiler: &Compiler, source: &str, whole: bool) -> Result<(String, String), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = format!("{source}int main(void) {{ return 0; }}\n");
    fs::write(folder.path().join("f.c"), source).map_err(|error| error.to_string())?;
    let mut command = Command::new(&compiler.clang);
    command
        .current_dir(folder.path())
        .env("LIBRARY_PATH", &compiler.library)
        .args(["-O2", "-fopenmp", "--offload-arch=sm_90", "f.c", "-save-temps", "-o"])
        .arg(if whole { "f" } else { "f.o" })
        .args(if whole { &["-foffload-lto"][..] } else { &["-c"] })
        .arg(format!("--cuda-path={}", compiler.cuda.display()));
    if let Some([program, file]) = &compiler.configs {
        command.arg(format!("--config={}", if whole { program } else { file }.display()));
    }
    if let Some((libraries, options)) = &compiler.extra {
        command.env("LD_LIBRARY_PATH", libraries).args(options);
    }
    let compile = output(&mut command)?;
    // The unit's PTX is `f-openmp-nvptx64-….s`, that of the whole program `f.nvptx64.sm_90.s`.
    let is_ptx = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.contains(if whole { ".nvptx64." } else { "-nvptx64-" }) && name.ends_with(".s")
    };
    let files = fs::read_dir(folder.path()).map_err(|error| error.to_string())?.flatten();
    let ptx =
        files.map(|entry| entry.path()).find(is_ptx).ok_or(format!("clang leaves no PTX\n{compile}"))?;
    let cubin = folder.path().join("f.cubin");
    let uses = output(
        Command::new(compiler.cuda.join("bin/ptxas"))
            .args(["-v", "-arch=sm_90", "-c", "-o"])
            .arg(&cubin)
            .arg(&ptx),
    )?;
    let kernel = uses.lines().skip_while(|line| !line.contains("__omp_offloading")).collect::<Vec<_>>();
    let number_before = |what: &str| {
        let line = kernel.iter().find(|line| line.contains(what))?;
        line.split(what).next()?.split_whitespace().next_back()?.parse::<u32>().ok()
    };
    let (registers, stack) = (number_before(" registers"), number_before(" bytes stack frame"));
    let (Some(registers), Some(stack)) = (registers, stack) else {
        return Err(format!("ptxas reports nothing about the kernel:\n{uses}"));
    };
    let code = output(Command::new(compiler.cuda.join("bin/cuobjdump")).arg("-sass").arg(&cubin))?;
    // Count the kernel and functions generated for it; the runtime's functions are in a program once.
    let mut of_kernel = false;
    let mut instructions = Vec::new();
    for line in code.lines() {
        if let Some(function) = line.trim().strip_prefix("Function : ") {
            of_kernel = function.starts_with("__omp_offloading");
        }
        // `/*0010*/   IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;   /* … */`
        let Some((address, text)) =
            line.trim_start().strip_prefix("/*").and_then(|rest| rest.split_once("*/"))
        else {
            continue;
        };
        if of_kernel && address.len() == 4 && u32::from_str_radix(address, 16).is_ok() {
            instructions.push(text);
        }
    }
    // `MEMBAR` is a fence.
    let count = |what: &str| instructions.iter().filter(|text| text.contains(what)).count();
    let text = fs::read_to_string(&ptx).map_err(|error| format!("cannot read clang's PTX: {error}"))?;
    let figures =
        format!("{registers}\t{}\t{}\t{}\t{stack}", instructions.len(), count(" SHFL."), count(" BAR."));
    Ok((figures, text))
}

/// A program's output on both streams.
pub fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot run {name}: {error}"))?;
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    match output.status.success() {
        true => Ok(said),
        false => Err(format!("{name} ended with {}:\n{said}", output.status)),
    }
}
