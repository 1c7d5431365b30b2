//! CUDA programs: compiled by `warpfold c++` and nvcc, and run without a GPU.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use common::{command, folder, made, make, text, warpfold};

const VECTOR_ADD: &str = r#"
#include <cstdio>
#include <cuda_runtime.h>

template <class T> __global__ void add(const T *a, const T *b, T *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  float a[n], b[n], c[n], *on_device[3];
  for (int i = 0; i < n; i++) {
    a[i] = i;
    b[i] = 2 * i;
  }
  for (float *&address : on_device)
    if (cudaMalloc(&address, sizeof a))
      return 1;
  cudaMemcpy(on_device[0], a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(on_device[1], b, sizeof b, cudaMemcpyHostToDevice);
  add<float><<<(n + 127) / 128, 128>>>(on_device[0], on_device[1], on_device[2], n);
  cudaError_t error = cudaMemcpy(c, on_device[2], sizeof c, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float x : c)
    sum += x;
  std::printf("%s: %.0f\n", cudaGetErrorString(error), sum);
}
"#;

/// What it prints.
const SUM: &str = "no error: 1498500\n";

/// A kernel with a data race and an access past the end, at line 5.
const FAULTY: &str = r#"
template <class T> __global__ void sum(T *total, const T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    *total += x[i];
}
int main() {
  float *x, *total;
  cudaMalloc(&x, 100 * sizeof *x);
  cudaMalloc(&total, sizeof *total);
  cudaMemset(x, 0, 100 * sizeof *x);
  cudaMemset(total, 0, sizeof *total);
  sum<float><<<4, 32>>>(total, x, 100);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
"#;

/// A file that calls another one's kernel, without CUDA's syntax.
const HOST: &str = r#"
#include <cuda_runtime.h>
#include <cstdio>
void fill(float *p, int n);
int main() {
  float *p, last;
  cudaMalloc(&p, 64 * sizeof *p);
  fill(p, 64);
  cudaMemcpy(&last, p + 63, sizeof last, cudaMemcpyDeviceToHost);
  std::printf("%g\n", last);
}
"#;

const KERNEL: &str = r#"
__global__ void kernel(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = 2 * i;
}
void fill(float *p, int n) { kernel<<<2, 32>>>(p, n); }
"#;

/// Whether CUDA's compiler and headers are there; says what is not.
fn has_cuda() -> bool {
    let output = warpfold(Path::new("."), &["config", "--cuda-toolkit-dir"]);
    if !output.status.success() {
        println!("not tested: {}", text(&output.stderr));
    }
    output.status.success()
}

/// What the program `./program` of a folder prints, which must succeed.
fn run(folder: &Path) -> String {
    let output = warpfold(folder, &["run", "--require-launch", "./program"]);
    assert!(output.status.success(), "{output:?}");
    text(&output.stdout)
}

/// Runs a shell with a variable `W`, the program; it must succeed.
fn shell(folder: &Path, script: &str) {
    let mut shell = Command::new("bash");
    shell
        .args(["-euo", "pipefail", "-c", script])
        .current_dir(folder)
        .env("W", env!("CARGO_BIN_EXE_warpfold"));
    let output = shell.output().expect("bash");
    assert!(output.status.success(), "{script}: {}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn clang_and_nvcc_make_programs_that_run() {
    if !has_cuda() {
        return;
    }
    for command in [
        &["c++", "add.cu", "-o", "program"][..],
        &["c++", "-O2", "-g", "add.cu", "-o", "program"],
        &["cc", "-O2", "add.cu", "-o", "program"],
        &["c++", "-Werror", "-x", "cuda", "add.inc", "-o", "program"],
        &["nvcc", "add.cu", "-o", "program"],
        &["nvcc", "-G", "-gencode", "arch=compute_80,code=sm_90", "add.cu", "-o", "program"],
        &["nvcc", "-cudart", "static", "-arch", "sm_80", "add.cu", "-o", "program"],
    ] {
        let (folder, _) = made(&[("add.cu", VECTOR_ADD), ("add.inc", VECTOR_ADD)], command);
        assert_eq!(run(folder.path()), SUM, "{command:?}");
    }
}

/// nvcc's own defaults link the static library, which is ours in this folder.
#[test]
fn nvcc_of_the_toolkit_needs_no_options() {
    if !has_cuda() {
        return;
    }
    let folder = folder(&[("add.cu", VECTOR_ADD)]);
    for script in [
        "$($W config --cuda-toolkit-dir)/bin/nvcc add.cu -o program",
        "$($W config --cuda-dir)/bin/nvcc -cudart shared -L$($W config --driver-dir) add.cu -o program",
        "CUDA=$($W config --cuda-toolkit-dir)
         clang++-22 add.cu --cuda-path=$CUDA --offload-arch=sm_90 --cuda-include-ptx=all -Wno-unknown-cuda-version \
            -L$CUDA/lib -lcudart -o program",
    ] {
        shell(folder.path(), script);
        assert_eq!(run(folder.path()), SUM, "{script}");
        // What `warpfold run` sets for it.
        shell(folder.path(), "LD_LIBRARY_PATH=$($W config --driver-dir) ./program | grep 1498500");
    }
}

#[test]
fn files_are_compiled_separately_and_linked_in_any_mixture() {
    if !has_cuda() {
        return;
    }
    let files = [("host.cpp", HOST), ("kernel.cu", KERNEL)];
    for script in [
        "$W c++ host.cpp kernel.cu -o program",
        "$W c++ -c kernel.cu && $W c++ -c host.cpp && $W c++ kernel.o host.o -o program",
        "$W c++ -c kernel.cu && $W c++ host.cpp kernel.o -o program",
        "$W nvcc -c kernel.cu && $W c++ -c host.cpp && $W c++ host.o kernel.o -o program",
        "$W nvcc -c kernel.cu host.cpp && $W nvcc kernel.o host.o -o program",
        "$W c++ -c kernel.cu && CUDA=$($W config --cuda-toolkit-dir)
         g++ -I$CUDA/include host.cpp kernel.o -L$CUDA/lib -lcudart_static -o program",
    ] {
        let folder = folder(&files);
        shell(folder.path(), script);
        assert_eq!(run(folder.path()), "126\n", "{script}");
    }
}

#[test]
fn device_code_of_several_files_is_linked() {
    if !has_cuda() {
        return;
    }
    let twice = "__device__ float twice(int x) { return 2 * x; }";
    let kernel =
        KERNEL.replace("2 * i", "twice(i)").replace("__global__", "__device__ float twice(int);\n__global__");
    let files = [("host.cpp", HOST), ("twice.cu", twice), ("kernel.cu", &*kernel)];
    for script in [
        "$W c++ -fgpu-rdc twice.cu kernel.cu host.cpp -o program",
        "for f in twice kernel; do $W c++ -fgpu-rdc -c $f.cu; done; $W c++ -c host.cpp
         $W c++ -fgpu-rdc twice.o kernel.o host.o -o program",
        "$W nvcc -rdc=true twice.cu kernel.cu host.cpp -o program",
    ] {
        let folder = folder(&files);
        shell(folder.path(), script);
        assert_eq!(run(folder.path()), "126\n", "{script}");
    }
}

#[test]
fn a_report_names_the_line_and_the_kernel_of_the_source() {
    if !has_cuda() {
        return;
    }
    for compiler in [&["c++"][..], &["c++", "-O2"], &["nvcc"]] {
        let (folder, _) = made(&[("sum.cu", FAULTY)], &[compiler, &["sum.cu", "-o", "program"]].concat());
        let output = warpfold(folder.path(), &["run", "--check", "./program"]);
        let report = text(&output.stderr);
        assert_eq!(output.status.code(), Some(125), "{report}");
        for part in ["sum.cu:5:", "data race", "0 bytes past the end of the 400 bytes", "kernel sum<float>"] {
            assert!(report.contains(part), "{compiler:?}: {part}: {report}");
        }
    }
}

#[test]
fn errors_of_compilers_pass_through() {
    if !has_cuda() {
        return;
    }
    let folder = folder(&[("wrong.cu", "\n__global__ void k() { missing(); }\n"), ("empty.cu", "")]);
    for (compiler, status, place) in [("c++", 1, "wrong.cu:2:23"), ("nvcc", 2, "wrong.cu(2)")] {
        let output = warpfold(folder.path(), &[compiler, "-c", "wrong.cu"]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{compiler}: {message}");
        assert!(message.contains(place) && message.contains("missing"), "{message}");
        // Nothing else is said of a file that is right.
        let output = warpfold(folder.path(), &[compiler, "-c", "empty.cu"]);
        assert!(output.status.success() && output.stderr.is_empty(), "{compiler}: {output:?}");
    }
    let output = warpfold(folder.path(), &["c++", "--emulator", "-c", "empty.cu"]);
    assert!(text(&output.stderr).contains("--emulator is for OpenMP"), "{output:?}");
}

#[test]
fn commands_are_shown_and_help_is_that_of_both() {
    if !has_cuda() {
        return;
    }
    let folder = folder(&[]);
    let shown = |arguments: &[&str]| {
        let output = warpfold(folder.path(), arguments);
        assert!(output.status.success(), "{output:?}");
        text(&output.stdout)
    };
    let clang = shown(&["c++", "--show", "a.cu", "--sm=a100"]);
    assert!(clang.contains("--offload-arch=sm_80") && clang.contains("-lcudart"), "{clang}");
    assert!(!clang.contains("-fopenmp") && !clang.contains("sm_90"), "{clang}");
    let nvcc = shown(&["nvcc", "a.cu", "-Xptxas", "-v", "--show"]);
    assert!(nvcc.contains("-cudart shared -lineinfo -arch=sm_90 a.cu -Xptxas -v\n"), "{nvcc}");
    let help = shown(&["nvcc", "--help"]);
    assert!(help.contains("--show") && help.contains("bin/nvcc --help"), "{help}");
}

#[test]
fn missing_tools_are_named_with_a_hint() {
    let folder = folder(&[("add.cu", VECTOR_ADD)]);
    for compiler in ["nvcc", "c++"] {
        let output = command(folder.path(), &[compiler, "add.cu"]).env("WARPFOLD_PTXAS", "none").output();
        let output = output.expect("it starts");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(
            message.contains("nvcc with CUDA's headers") && message.contains("`warpfold setup`"),
            "{message}"
        );
    }
}

/// NVIDIA's own runtime library, in the program or before ours.
#[test]
fn programs_with_nvidias_runtime_library_are_told_what_to_do() {
    if !has_cuda() {
        return;
    }
    let folder = folder(&[("add.cu", VECTOR_ADD)]);
    shell(folder.path(), "$($W config --cuda-dir)/bin/nvcc -cudart static add.cu -o program");
    let output = warpfold(folder.path(), &["run", "./program"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(125), "{message}");
    for part in ["(libcudart_static)", "-cudart shared", "`warpfold nvcc`"] {
        assert_eq!(message.matches(part).count(), 1, "{part}: {message}");
    }

    make(folder.path(), &["nvcc", "add.cu", "-o", "program"]);
    let cuda = text(&warpfold(folder.path(), &["config", "--cuda-dir"]).stdout);
    let theirs = Path::new(cuda.trim()).join("lib");
    if !theirs.join("libcudart.so.13").is_file() {
        return println!("not tested: {} has no libcudart.so.13", theirs.display());
    }
    let driver = text(&warpfold(folder.path(), &["config", "--driver-dir"]).stdout);
    let path = std::env::join_paths([&*theirs, Path::new(driver.trim())]).expect("a path");
    let output = Command::new("./program").current_dir(folder.path()).env("LD_LIBRARY_PATH", path).output();
    let message = text(&output.expect("it starts").stderr);
    assert!(message.contains("libcudart.so.13") && message.contains("--driver-dir"), "{message}");
    // `warpfold run` puts its own first.
    let mut command = command(folder.path(), &["run", "./program"]);
    let output = command.env("LD_LIBRARY_PATH", theirs).output().expect("it starts");
    assert_eq!(text(&output.stdout), SUM, "{output:?}");
}

#[test]
fn cmake_builds_programs_with_its_cuda_language() {
    if !has_cuda() {
        return;
    }
    if let Err(error) = Command::new("cmake").arg("--version").output() {
        return println!("not tested: cmake: {error}");
    }
    let list = "cmake_minimum_required(VERSION 3.18)\nproject(program LANGUAGES CXX CUDA)\n\
                add_executable(program host.cpp kernel.cu)\n\
                set_target_properties(program PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_SOURCE_DIR})\n\
                find_package(CUDAToolkit REQUIRED)\n";
    for library in ["", "target_link_libraries(program PRIVATE CUDA::cudart)\n"] {
        let folder = folder(&[("host.cpp", HOST), ("kernel.cu", KERNEL)]);
        let list = format!(
            "{list}{library}target_include_directories(program PRIVATE ${{CUDAToolkit_INCLUDE_DIRS}})\n"
        );
        fs::write(folder.path().join("CMakeLists.txt"), list).expect("a file");
        shell(
            folder.path(),
            "export CUDACXX=$($W config --cuda-toolkit-dir)/bin/nvcc
             cmake -B build -DCMAKE_CUDA_ARCHITECTURES=90 && cmake --build build",
        );
        assert_eq!(run(folder.path()), "126\n", "{library}");
    }
}

/// A Python with numba-cuda and cuda.core: that of `cargo xtask thirdparty numba`, or the one in `PATH`.
fn python() -> Option<PathBuf> {
    let installed =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/thirdparty/numba/environment/bin/python");
    let has_packages = |python: &PathBuf| {
        let output = Command::new(python).args(["-c", "import numba_cuda, cuda.core"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let found = [installed, "python3".into()].into_iter().find(has_packages);
    if found.is_none() {
        eprintln!(
            "skipped: no Python with numba-cuda and cuda.core (`cargo xtask thirdparty numba` installs them)"
        );
    }
    found
}

#[test]
fn kernels_of_numba_and_cuda_core_run() {
    let Some(python) = python() else { return };
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/python");
    for (example, output) in [
        ("numba_sum.py", "sum of squares: 333283335000, largest: 9999\n"),
        ("core_scale.py", "last: 499.5\n"),
    ] {
        let folder = folder(&[]);
        let mut run = command(folder.path(), &["run"]);
        let run = run.arg(&python).args(["-W", "ignore"]).arg(examples.join(example)).output();
        let run = run.expect("it starts");
        assert!(run.status.success(), "{example}: {}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(String::from_utf8_lossy(&run.stdout), output, "{example}");
    }
}
