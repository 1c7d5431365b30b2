//! What clang's reductions cost in machine code: registers, instructions, shuffles and barriers, so that growth
//! shows in review. The figures hang on the tools' versions, which stand beside them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use toolchain::Tools;

/// Where the figures are kept.
const FIGURES: &str = "docs/sass.tsv";

/// What `cargo xtask sass` does with the figures.
#[derive(clap::Args)]
pub struct Options {
    /// Write the figures down instead of comparing them
    #[arg(long)]
    bless: bool,
}

/// Loops whose reductions are looked at.
const PROGRAMS: [(&str, &str); 3] = [
    (
        "double",
        "double f(const double *a, long n) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a[0 : n])
  for (long i = 0; i < n; i++) s += a[i];
  return s;
}
",
    ),
    (
        "double and float",
        "void f(const double *a, const float *b, long n, double *x, float *y) {
  double s = 0;
  float t = 0;
#pragma omp target teams distribute parallel for reduction(+ : s, t) map(to : a[0 : n], b[0 : n])
  for (long i = 0; i < n; i++) { s += a[i]; t += b[i]; }
  *x = s;
  *y = t;
}
",
    ),
    (
        "int, in a team",
        "int f(const int *a, int n) {
  int s = 0;
#pragma omp target parallel for reduction(+ : s) map(to : a[0 : n])
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
",
    ),
];

/// Prints the figures, and writes or compares them.
pub fn run(options: &Options) -> Result<(), String> {
    let tools = Tools::find().map_err(|error| error.to_string())?;
    let (clang, ptxas) = (tools.clang(), tools.ptxas());
    let (clang, ptxas) = (clang.map_err(|e| e.to_string())?, ptxas.map_err(|e| e.to_string())?);
    let mut table = format!(
        "# clang {} -O2, sm_90, ptxas {}\nreduction\tregisters\tinstructions\tshuffles\tbarriers\tstack\n",
        clang.version, ptxas.version
    );
    for (name, source) in PROGRAMS {
        table += &format!("{name}\t{}\n", figures(&tools, source)?);
    }
    print!("{table}");
    let path = Path::new(FIGURES);
    if options.bless {
        return fs::write(path, table).map_err(|error| format!("cannot write {FIGURES}: {error}"));
    }
    let kept = fs::read_to_string(path).map_err(|error| format!("cannot read {FIGURES}: {error}"))?;
    match kept == table {
        true => Ok(()),
        false => Err(format!("{FIGURES} says otherwise:\n{kept}`cargo xtask sass --bless` writes it anew")),
    }
}

fn figures(tools: &Tools, source: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let library = codegen_shim::openmp_library(tools).map_err(|error| error.to_string())?;
    let cuda = tools.cuda_dir().map_err(|error| error.to_string())?;
    let clang = tools.clang().map_err(|error| error.to_string())?;
    fs::write(folder.path().join("f.c"), source).map_err(|error| error.to_string())?;
    // The name would be part of the kernel's, and so of the table.
    let compile = output(
        Command::new(&clang.path)
            .current_dir(folder.path())
            .env("LIBRARY_PATH", library)
            .args(["-O2", "-fopenmp", "--offload-arch=sm_90", "-c", "f.c", "-save-temps"])
            .arg(format!("--cuda-path={}", cuda.display())),
    )?;
    let is_ptx = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.contains("nvptx64") && name.ends_with(".s")
    };
    let files = fs::read_dir(folder.path()).map_err(|error| error.to_string())?.flatten();
    let ptx =
        files.map(|entry| entry.path()).find(is_ptx).ok_or(format!("clang leaves no PTX\n{compile}"))?;
    let cubin = folder.path().join("f.cubin");
    let uses =
        output(Command::new(cuda.join("bin/ptxas")).args(["-v", "-arch=sm_90", "-o"]).arg(&cubin).arg(ptx))?;
    let kernel = uses.lines().skip_while(|line| !line.contains("__omp_offloading")).collect::<Vec<_>>();
    let number_before = |what: &str| {
        let line = kernel.iter().find(|line| line.contains(what))?;
        line.split(what).next()?.split_whitespace().next_back()?.parse::<u32>().ok()
    };
    let (registers, stack) = (number_before(" registers"), number_before(" bytes stack frame"));
    let (Some(registers), Some(stack)) = (registers, stack) else {
        return Err(format!("ptxas says nothing of the kernel:\n{uses}"));
    };
    let code = output(Command::new(cuda.join("bin/cuobjdump")).arg("-sass").arg(&cubin))?;
    // `/*0010*/   IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;   /* … */`
    let instructions: Vec<&str> = code
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("/*")?.split_once("*/"))
        .filter(|(address, _)| address.len() == 4 && u32::from_str_radix(address, 16).is_ok())
        .map(|(_, text)| text.trim_start())
        .collect();
    let count = |what: &str| instructions.iter().filter(|text| text.contains(what)).count();
    Ok(format!("{registers}\t{}\t{}\t{}\t{stack}", instructions.len(), count("SHFL."), count("BAR.")))
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
