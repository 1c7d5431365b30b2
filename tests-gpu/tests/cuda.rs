//! CUDA programs (`tests-gpu/cuda`), compiled by nvcc and by clang, with this project's runtime library and the emulated
//! driver: in order, under a seed, and with all checks.
//!
//! Each program checks itself. Comments in its first lines say what is special:
//!
//! | comment | meaning |
//! |---|---|
//! | `// options: WORDS` | options of nvcc; clang gets those that it has |
//! | `// compilers: nvcc` | clang cannot compile it |
//! | `// prints: LINE` | its output; by default one line that starts with its name |
//! | `// reports` | the driver reports something, as it should |
//! | `// nightly` | it takes long to compile |
//!
//! Every other program is compiled by nvcc and the rest by clang; the nightly tier takes both. `CUDA_PROGRAMS=NAME,NAME`
//! takes these.

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use tests_gpu::offload::{self, RunResult};
use toolchain::{Error, Tools};

/// Changed when programs in the cache are to be compiled again.
const BUILD: &str = "CUDA programs, 1";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compiler {
    Nvcc,
    Clang,
}

struct Program {
    name: String,
    /// The files that are compiled, with their texts.
    files: Vec<(PathBuf, String)>,
    /// The headers that they include.
    headers: Vec<String>,
}

impl Program {
    /// The words of a special comment.
    fn comment(&self, key: &str) -> Option<&str> {
        let lines =
            self.files.iter().flat_map(|(_, text)| text.lines().take_while(|line| line.starts_with("//")));
        let mut values = lines.filter_map(|line| line.strip_prefix("// ")?.strip_prefix(key));
        values.find_map(|rest| if rest.is_empty() { Some("") } else { rest.strip_prefix(": ") })
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cuda")
}

/// Files of a folder with this extension, sorted.
fn files_of(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All programs: a file each, or the files of a folder.
fn programs() -> Vec<Program> {
    let root = folder();
    let name = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let common: Vec<String> = files_of(&root, "h").iter().map(|path| read(path)).collect();
    let of = |path: &Path, files: Vec<PathBuf>, headers: Vec<PathBuf>| Program {
        name: name(path),
        files: files.into_iter().map(|file| (file.clone(), read(&file))).collect(),
        headers: headers.iter().map(|header| read(header)).chain(common.iter().cloned()).collect(),
    };
    let mut programs: Vec<Program> =
        files_of(&root, "cu").into_iter().map(|file| of(&file, vec![file.clone()], Vec::new())).collect();
    for entry in fs::read_dir(&root).expect("the programs").flatten().filter(|entry| entry.path().is_dir()) {
        let path = entry.path();
        programs.push(of(&path, files_of(&path, "cu"), files_of(&path, "h")));
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    programs
}

/// A folder with the emulated driver and the runtime library that cargo built for this test.
fn libraries() -> PathBuf {
    let driver = offload::driver();
    let library = env::current_exe().expect("the test's path").with_file_name("libwarpfold_cudart.so");
    for name in ["libcudart.so", "libcudart.so.13"] {
        let link = driver.join(name);
        if fs::read_link(&link).ok().as_ref() != Some(&library) {
            // Another process may make the link at the same time.
            let fresh = tempfile::tempdir_in(&driver).expect("a folder");
            symlink(&library, fresh.path().join(name)).expect("a link");
            fs::rename(fresh.path().join(name), &link).expect("a link");
        }
    }
    driver
}

/// CUDA's folder, if it has what is needed to compile CUDA C++.
fn cuda(tools: &Tools) -> Result<PathBuf, String> {
    let folder = tools.cuda_dir().map_err(|error| error.to_string())?;
    for file in ["bin/nvcc", "include/cuda_runtime.h", "nvvm/bin/cicc"] {
        if !folder.join(file).is_file() {
            return Err(format!("{} has no {file}", folder.display()));
        }
    }
    Ok(folder)
}

/// Compiles a program, or finds it in the cache.
fn build(tools: &Tools, cuda: &Path, program: &Program, compiler: Compiler) -> Result<PathBuf, Error> {
    let options: Vec<&str> = program.comment("options").unwrap_or_default().split_whitespace().collect();
    let clang = tools.clang()?;
    let identity = match compiler {
        Compiler::Nvcc => tools.ptxas()?.identity().to_owned(),
        Compiler::Clang => clang.identity().to_owned(),
    };
    let compiler_name = format!("{compiler:?}");
    let mut inputs = vec![BUILD, &compiler_name, &identity, &program.name];
    inputs.extend(&options);
    inputs.extend(program.files.iter().map(|(_, text)| &text[..]));
    inputs.extend(program.headers.iter().map(String::as_str));
    let entry = tools.cache().keep("cuda-programs", &inputs, |target| {
        let mut command = match compiler {
            Compiler::Nvcc => {
                let mut command = Command::new(cuda.join("bin/nvcc"));
                command.args(["-arch=sm_90", "-lineinfo", "-cudart", "shared"]).args(&options);
                command
            }
            Compiler::Clang => {
                // clang's own header includes one of cuRAND's, which need not be installed.
                let made = fs::write(target.join("curand_mtgp32_kernel.h"), "");
                made.unwrap_or_else(|error| panic!("{}: {error}", target.display()));
                let mut command = Command::new(clang.path.with_file_name(clang_cpp(&clang.path)));
                command
                    .args(["-x", "cuda", "-O2", "-gline-tables-only", "-Wno-unknown-cuda-version"])
                    .args(["--cuda-gpu-arch=sm_90"])
                    .arg(format!("--cuda-path={}", cuda.display()))
                    .arg("-I")
                    .arg(target)
                    .arg("-isystem")
                    .arg(cuda.join("include/cccl"))
                    .args(options.iter().map(|option| match *option {
                        "-rdc=true" => "-fgpu-rdc",
                        other => other,
                    }));
                command
            }
        };
        command.args(program.files.iter().map(|(path, _)| path));
        if compiler == Compiler::Clang {
            command.args(["-x", "none"]);
        }
        command.arg("-L").arg(libraries()).args(["-lcudart", "-lcuda", "-o"]).arg(target.join("program"));
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(cuda.join("bin")).chain(env::split_paths(&path));
        command.env("PATH", env::join_paths(folders).expect("folders without colons"));
        let output = command.output().expect("the compiler starts");
        if output.status.success() {
            return Ok(());
        }
        let reason = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(Error::Input { name: format!("{} by {compiler:?}", program.name), reason })
    })?;
    Ok(entry.join("program"))
}

/// The name of the C++ compiler beside clang.
fn clang_cpp(clang: &Path) -> String {
    let name = clang.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.replacen("clang", "clang++", 1)
}

/// What is wrong with a run of a program; `None` if nothing is.
fn problem(program: &Program, result: &RunResult) -> Option<String> {
    let RunResult { status, out, err } = result;
    let line = out.strip_suffix('\n').filter(|line| !line.contains('\n'));
    let is_right = line.is_some_and(|line| match program.comment("prints") {
        Some(expected) => line == expected,
        None => line.starts_with(&format!("{}: ", program.name)),
    });
    let is_quiet = err.is_empty() || program.comment("reports").is_some();
    let success = status.is_some_and(|status| status.success());
    (!success || !is_right || !is_quiet).then(|| format!("{status:?}\n{out}{err}"))
}

#[test]
fn cuda_programs_compute_what_the_host_computes() {
    let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
    let (cuda, libraries) = match cuda(&tools) {
        Ok(cuda) => (cuda, libraries()),
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let nightly = env::var_os("WARPFOLD_NIGHTLY").is_some();
    let named = env::var("CUDA_PROGRAMS").unwrap_or_default();
    let mut failures = Vec::new();
    let mut runs = 0;
    for (number, program) in programs().iter().enumerate() {
        let compilers = match program.comment("compilers") {
            Some(_) => &[Compiler::Nvcc][..],
            None => &[Compiler::Nvcc, Compiler::Clang],
        };
        let is_wanted = match &named[..] {
            "" => nightly || program.comment("nightly").is_none(),
            names => names.split(',').any(|name| name == program.name),
        };
        let (first, count) =
            if nightly || !named.is_empty() { (0, 2) } else { (number % compilers.len(), 1) };
        for &compiler in compilers.iter().skip(first).take(if is_wanted { count } else { 0 }) {
            let file = match build(&tools, &cuda, program, compiler) {
                Ok(file) => file,
                Err(error) => {
                    failures.push(error.to_string());
                    continue;
                }
            };
            for environment in [&[][..], &[("WARPFOLD_SEED", "3")], &[("WARPFOLD_CHECK", "all")]] {
                let result =
                    offload::run_with(Some(&libraries), &file, environment, Duration::from_secs(300));
                runs += 1;
                if let Some(problem) = problem(program, &result) {
                    failures.push(format!("{} by {compiler:?}, {environment:?}: {problem}", program.name));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {runs} runs failed\n{}", failures.len(), failures.join("\n"));
    eprintln!("{runs} runs");
}

#[test]
fn programs_say_what_is_special() {
    let programs = programs();
    assert!(programs.len() >= 40, "{}", programs.len());
    let of = |name: &str| programs.iter().find(|program| program.name == name).expect(name);
    assert_eq!(of("separate").files.len(), 2);
    assert_eq!(of("separate").comment("options"), Some("-rdc=true"));
    assert_eq!(of("managed_variables").comment("compilers"), Some("nvcc"));
    assert_eq!((of("errors").comment("reports"), of("vector_add").comment("reports")), (Some(""), None));
}
