//! What clang's reductions cost in machine code: registers, instructions, shuffles and barriers, so that growth
//! shows in review; and the same for LLVM 19's runtime, the last one that Debian has for NVIDIA GPUs. The figures
//! hang on the tools' versions, which stand beside them.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use toolchain::Tools;

use crate::thirdparty;

/// Where the figures are kept.
const FIGURES: &str = "docs/sass.tsv";

/// What `cargo xtask sass` does with the figures.
#[derive(clap::Args)]
pub struct Options {
    /// Write the figures down instead of comparing them
    #[arg(long)]
    bless: bool,
    /// Fetch clang-19 and its runtime with apt-get, unpack them into this folder, and measure them as well; their
    /// PTX stays there, NAME.ptx, for `cargo xtask bench openmp --peer`
    #[arg(long, value_name = "DIR")]
    peer: Option<PathBuf>,
}

/// Where the kernels' sources are.
const SOURCES: &str = "benches/openmp";

/// The kernel that LLVM 19's runtime may not come out of: warps that come late to the first loop of a kernel whose
/// chunks are taken find the table that thread 0 has made, and do not wait at the barrier where the others are.
const STUCK: &str = "dynamic";

/// What a unit of clang-19 must have before its runtime is linked: its passes call these functions afterwards, and
/// leave them undefined.
const KEPT: &str = "
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
    /// Where its runtime is.
    library: PathBuf,
    /// Shared libraries of its own, and further options.
    own: Option<(PathBuf, Vec<String>)>,
    cuda: &'a Path,
}

/// Prints the figures, and writes or compares them.
pub fn run(options: &Options) -> Result<(), String> {
    let tools = Tools::find().map_err(|error| error.to_string())?;
    let (clang, ptxas) = (tools.clang(), tools.ptxas());
    let (clang, ptxas) = (clang.map_err(|e| e.to_string())?, ptxas.map_err(|e| e.to_string())?);
    let cuda = tools.cuda_dir().map_err(|error| error.to_string())?;
    let ours = Compiler {
        name: String::from("ours"),
        clang: clang.path.clone(),
        library: device_library::openmp_library(&tools).map_err(|error| error.to_string())?,
        own: None,
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
        for (mode, lto) in [("default", false), ("LTO", true)] {
            let (figures, _) = figures(&ours, &source, lto)?;
            let _ = writeln!(table, "{name}\tours\t{mode}\t{figures}");
        }
        match &peer {
            Some(peer) => {
                let (figures, ptx) = figures(peer, &format!("{source}{KEPT}"), false)?;
                let _ = writeln!(table, "{name}\t{}\tdefault\t{figures}", peer.name);
                if name != STUCK
                    && let Some(folder) = &options.peer
                {
                    let path = folder.join(&name).with_extension("ptx");
                    fs::write(&path, ptx)
                        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
                }
            }
            // The peer does not change: what was measured stays.
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
        false => Err(format!("{FIGURES} says otherwise:\n{kept}`cargo xtask sass --bless` writes it anew")),
    }
}

/// clang-19 and its runtime out of Debian's packages, unpacked below `folder`.
fn llvm_19<'a>(folder: &Path, clang: &Path, cuda: &'a Path) -> Result<Compiler<'a>, String> {
    let home = thirdparty::clang_19(folder)?;
    let root = folder.join("root");
    // omp.h, which Debian has in another package for each version; it is the same for what is compiled here.
    let headers = clang.parent().and_then(Path::parent).map(|llvm| llvm.join("lib/clang/22/include"));
    let headers = headers.unwrap_or_default().to_string_lossy().into_owned();
    Ok(Compiler {
        name: String::from("LLVM 19's"),
        clang: home.join("bin/clang-19"),
        library: home.join("lib"),
        own: Some((
            root.join("usr/lib/x86_64-linux-gnu"),
            vec![
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

/// A kernel's figures, as the table has them, and its PTX.
fn figures(compiler: &Compiler, source: &str, lto: bool) -> Result<(String, String), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = format!("{source}int main(void) {{ return 0; }}\n");
    fs::write(folder.path().join("f.c"), source).map_err(|error| error.to_string())?;
    let mut command = Command::new(&compiler.clang);
    command
        .current_dir(folder.path())
        .env("LIBRARY_PATH", &compiler.library)
        .args(["-O2", "-fopenmp", "--offload-arch=sm_90", "f.c", "-save-temps", "-o"])
        .arg(if lto { "f" } else { "f.o" })
        .args(if lto { &["-foffload-lto"][..] } else { &["-c"] })
        .arg(format!("--cuda-path={}", compiler.cuda.display()));
    if let Some((libraries, options)) = &compiler.own {
        command.env("LD_LIBRARY_PATH", libraries).args(options);
    }
    let compile = output(&mut command)?;
    // Of the unit `f-openmp-nvptx64-….s`, of the whole program `f.nvptx64.sm_90.s`.
    let is_ptx = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.contains(if lto { ".nvptx64." } else { "-nvptx64-" }) && name.ends_with(".s")
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
        return Err(format!("ptxas says nothing of the kernel:\n{uses}"));
    };
    let code = output(Command::new(compiler.cuda.join("bin/cuobjdump")).arg("-sass").arg(&cubin))?;
    // Of the kernel and what is made for it alone; the runtime's own functions are in a program once.
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

/// What a program says on both streams.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot run {name}: {error}"))?;
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    match output.status.success() {
        true => Ok(said),
        false => Err(format!("{name} ended with {}:\n{said}", output.status)),
    }
}
