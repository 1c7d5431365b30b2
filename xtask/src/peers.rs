//! Builds the programs of `cargo xtask bench peers` from `benches/peers`: this project's pragmas, and its peers. What a
//! peer needs is fetched by name and version; a peer that cannot be had is named and left out.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use toolchain::{OffloadBuild, OptLevel, Tools, prepended};

use crate::{
    readme::workspace_root,
    sass::{self, output},
    so, thirdparty,
};

/// The programs of OpenMP, which need LLVM's host runtime.
pub const OPENMP_PROGRAMS: [&str; 3] = ["pragmas-c", "pragmas-fortran", "llvm-19"];

/// All programs.
pub const PROGRAMS: [&str; 7] = [
    OPENMP_PROGRAMS[0],
    OPENMP_PROGRAMS[1],
    OPENMP_PROGRAMS[2],
    "cub",
    "cub-gpu-to-gpu",
    "cuda-nvcc",
    "cuda-clang",
];

/// CUB's headers: pip's requirement.
const CCCL: &str = "nvidia-cuda-cccl==13.3.5.0.6 \
    --hash=sha256:d5230098fa2df5021e1a00c0c4eee41797671a91119d31e892463e5ccf3ee326\n";

/// A header of NVIDIA's that clang includes and these programs do not need; it is in a wheel of its own.
const UNUSED_HEADER: &str = "curand_mtgp32_kernel.h";

/// Builds all programs into a folder, and returns it.
pub fn build(folder: &Path) -> Result<PathBuf, String> {
    fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    let tools = Tools::find().map_err(|error| error.to_string())?;
    let built = Peers {
        sources: workspace_root().join("benches/peers"),
        cuda: tools.cuda_dir_that_keeps_ptx().map_err(|error| error.to_string())?,
        driver: so::build_and_install(None, false)?,
        tools: &tools,
        folder,
    };
    built.pragmas("pragmas-c", "pragmas.c")?;
    built.pragmas("pragmas-fortran", "pragmas.f90")?;
    let peers = [
        ("llvm-19", built.llvm_19()),
        ("cub", built.cub("cub", &[])),
        ("cub-gpu-to-gpu", built.cub("cub-gpu-to-gpu", &["-DGPU_TO_GPU"])),
        ("cuda-nvcc", built.nvcc("cuda-nvcc", "strided.cu", &[])),
        ("cuda-clang", built.clang()),
    ];
    for (name, built) in peers {
        if let Err(reason) = built {
            // One of an earlier build would be taken for it.
            let _ = fs::remove_file(folder.join(name));
            println!("{name} is left out: {}", reason.trim());
        }
    }
    Ok(folder.to_path_buf())
}

struct Peers<'a> {
    tools: &'a Tools,
    sources: PathBuf,
    /// NVIDIA's tools, with a ptxas that leaves the PTX in the cubin.
    cuda: PathBuf,
    /// The folder of a libcuda to link with.
    driver: PathBuf,
    folder: &'a Path,
}

impl Peers<'_> {
    /// A program of the pragmas, as `warpfold cc` and `warpfold fc` make it.
    fn pragmas(&self, name: &str, source: &str) -> Result<(), String> {
        let text =
            fs::read_to_string(self.sources.join(source)).map_err(|error| format!("{source}: {error}"))?;
        let build =
            OffloadBuild { units: &[(source, &text)], sm: 90, opt: OptLevel::O2, lto: true, options: &[] };
        let library = device_library::openmp_library(self.tools).map_err(|error| error.to_string())?;
        let program = self.tools.offload_program(&build, &library).map_err(|error| error.to_string())?;
        fs::copy(&program, self.folder.join(name)).map_err(|error| format!("cannot copy {name}: {error}"))?;
        Ok(())
    }

    fn nvcc(&self, name: &str, source: &str, options: &[String]) -> Result<(), String> {
        let mut nvcc = Command::new(self.cuda.join("bin/nvcc"));
        nvcc.args(["-O3", "-std=c++17", "-arch=sm_90", "-lineinfo", "-cudart=none"]).args(options);
        nvcc.arg(self.sources.join(source)).arg(self.sources.join("runtime.c"));
        nvcc.arg("-o").arg(self.folder.join(name)).arg("-L").arg(&self.driver).arg("-lcuda");
        output(&mut nvcc).map(drop)
    }

    fn cub(&self, name: &str, options: &[&str]) -> Result<(), String> {
        let headers = self.folder.join("cccl");
        let include = headers.join("nvidia/cu13/include/cccl");
        if !include.join("cub").exists() {
            let list = self.folder.join("cccl.txt");
            fs::write(&list, CCCL).map_err(|error| format!("cannot write {}: {error}", list.display()))?;
            let mut pip = Command::new("python3");
            pip.args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--no-deps",
                "--require-hashes",
                "--only-binary",
                ":all:",
            ]);
            output(pip.arg("--target").arg(&headers).arg("-r").arg(&list))?;
        }
        let options = options.iter().map(|option| (*option).to_owned());
        let options: Vec<String> = options.chain([format!("-I{}", include.display())]).collect();
        self.nvcc(name, "cub.cu", &options)
    }

    /// The loops by clang, and the host's part by the same.
    fn clang(&self) -> Result<(), String> {
        let clang = self.tools.clang().map_err(|error| error.to_string())?.path;
        let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = |name: &str| scratch.path().join(name);
        fs::write(path(UNUSED_HEADER), "").map_err(|error| error.to_string())?;
        let device =
            ["-O3", "-std=c++17", "-gline-tables-only", "--cuda-gpu-arch=sm_90", "-Wno-unknown-cuda-version"];
        let mut kernels = Command::new(&clang);
        kernels
            .args(device)
            .arg("-I")
            .arg(scratch.path())
            .arg(format!("--cuda-path={}", self.cuda.display()));
        kernels
            .args(["-x", "cuda", "-c"])
            .arg(self.sources.join("strided.cu"))
            .arg("-o")
            .arg(path("kernels.o"));
        output(&mut kernels)?;
        let mut host = Command::new(&clang);
        host.arg("-O2")
            .arg("-I")
            .arg(self.cuda.join("include"))
            .arg("-c")
            .arg(self.sources.join("runtime.c"));
        output(host.arg("-o").arg(path("runtime.o")))?;
        let mut link = Command::new(&clang);
        link.arg(path("kernels.o"))
            .arg(path("runtime.o"))
            .arg("-L")
            .arg(&self.driver)
            .args(["-lcuda", "-lstdc++", "-lm"]);
        output(link.arg("-o").arg(self.folder.join("cuda-clang"))).map(drop)
    }

    /// Device code by clang 19 with LLVM 19's runtime, in a program of clang 22: LLVM 19's host runtime does not take the
    /// cubins of this ptxas, and both have the same kernels' names for the same file.
    fn llvm_19(&self) -> Result<(), String> {
        let packages = self.folder.join("clang-19");
        fs::create_dir_all(&packages).map_err(|error| error.to_string())?;
        let home = thirdparty::clang_19(&packages)?;
        let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = |name: &str| scratch.path().join(name);
        fs::write(path("keep.h"), format!("#ifdef __NVPTX__{}#endif\n", sass::KEEP_FUNCTIONS))
            .map_err(|error| error.to_string())?;
        let clang = self.tools.clang().map_err(|error| error.to_string())?.path;
        let llvm = clang.canonicalize().ok().and_then(|path| Some(path.parent()?.parent()?.to_path_buf()));
        let llvm = llvm.ok_or("clang's folder is not known")?;
        let (source, cuda) = (self.sources.join("pragmas.c"), format!("--cuda-path={}", self.cuda.display()));
        let libraries = packages.join("root/usr/lib/x86_64-linux-gnu");
        let runtime = home.join("lib/libomptarget-nvptx-sm_90.bc");
        let mut device = Command::new(home.join("bin/clang-19"));
        device
            .env(
                "LD_LIBRARY_PATH",
                prepended("LD_LIBRARY_PATH", &libraries).map_err(|error| error.to_string())?,
            )
            .args([
                "-O2",
                "-fopenmp",
                "--offload-arch=sm_90",
                "--offload-device-only",
                "-Wno-unknown-cuda-version",
                &cuda,
            ])
            .arg(format!("--libomptarget-nvptx-bc-path={}", runtime.display()))
            .arg("-idirafter")
            .arg(llvm.join("lib/clang/22/include"))
            .arg("-include")
            .arg(path("keep.h"));
        output(device.arg("-c").arg(&source).arg("-o").arg(path("device.cubin")))?;
        let image = format!(
            "--image=file={},triple=nvptx64-nvidia-cuda,arch=sm_90,kind=openmp",
            path("device.cubin").display()
        );
        output(
            Command::new(llvm.join("bin/clang-offload-packager")).arg("-o").arg(path("images")).arg(image),
        )?;
        let mut host = Command::new(&clang);
        host.args([
            "-O2",
            "-fopenmp",
            "-fopenmp-targets=nvptx64-nvidia-cuda",
            "--offload-host-only",
            "-Xclang",
        ])
        .arg(format!("-fembed-offload-object={}", path("images").display()));
        output(host.arg("-c").arg(&source).arg("-o").arg(path("host.o")))?;
        let mut link = Command::new(&clang);
        link.args(["-fopenmp", "--offload-arch=sm_90", "-nogpulib", &cuda]).arg(path("host.o"));
        output(link.arg("-o").arg(self.folder.join("llvm-19"))).map(drop)
    }
}
