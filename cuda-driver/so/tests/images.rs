//! Device images made by CUDA's own tools, run by a program of the driver's interface.

mod common;

use std::{fs, path::Path, process::Command};

use common::{Folder, PTX, RAN, cuda_tool, run, succeed, text};

/// Loads and runs an image in one of the ways of `run.c`.
fn run_image(folder: &Folder, image: &Path, way: &str) -> String {
    text(&run(folder.command(folder.path().join("run")).arg(image).arg(way)))
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.program(&["-lcuda"]);
    folder
}

/// The PTX with other names for its kernel and variable.
fn other_ptx() -> String {
    PTX.replace("fill", "other").replace("table", "second")
}

fn nvlink(folder: &Folder, name: &str, objects: &[&Path]) -> std::path::PathBuf {
    let image = folder.path().join(name);
    succeed(cuda_tool("nvlink").args(["-arch", "sm_90", "-o"]).arg(&image).args(objects));
    image
}

#[test]
fn a_cubin_with_line_information_runs_from_its_ptx() {
    let folder = folder();
    let image = folder.cubin("lines.cubin", PTX, &["-lineinfo"]);
    for way in ["data", "ex", "fatbin", "file"] {
        assert_eq!(run_image(&folder, &image, way), RAN, "{way}");
    }
    let object = folder.cubin("lines.o", PTX, &["-lineinfo", "-c"]);
    assert_eq!(run_image(&folder, &nvlink(&folder, "linked.cubin", &[&object]), "data"), RAN);
}

#[test]
fn a_debug_build_runs_from_its_ptx() {
    let folder = folder();
    for level in ["-O0", "-O2"] {
        let ptx = folder.path().join("debug.s");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/fill.c");
        let mut clang = Command::new("clang-22");
        clang.args([
            "--target=nvptx64-nvidia-cuda",
            "-march=sm_90",
            "--cuda-feature=+ptx80",
            "-nogpulib",
            "-g",
            level,
            "-S",
            "-o",
        ]);
        succeed(clang.arg(&ptx).arg(source));
        let ptx = fs::read_to_string(ptx).expect("clang wrote it");
        assert!(ptx.contains(".section"), "debug information is there");
        let image = folder.cubin("debug.cubin", &ptx, if level == "-O0" { &["-g"] } else { &["-lineinfo"] });
        assert_eq!(run_image(&folder, &image, "data"), RAN, "{level}");
    }
}

#[test]
fn a_cubin_without_ptx_is_refused_with_the_cure() {
    let folder = folder();
    let plain = folder.cubin("plain.cubin", PTX, &[]);
    let output = run_image(&folder, &plain, "data");
    assert!(output.contains(": 209\n") && output.contains("-gline-tables-only"), "{output}");
    // Nothing is loaded from a file for another machine either.
    let output = run_image(&folder, &folder.path().join("run"), "file");
    assert!(output.contains(": 200\n") && output.contains("an ELF file for machine 62"), "{output}");
}

#[test]
fn a_kernel_whose_ptx_is_missing_is_named() {
    let folder = folder();
    let fill = folder.cubin("fill.o", PTX, &["-c"]);
    let other = folder.cubin("other.o", &other_ptx(), &["-c", "-lineinfo"]);
    let output = run_image(&folder, &nvlink(&folder, "partial.cubin", &[&fill, &other]), "data");
    assert!(output.contains("cuModuleGetFunction") && output.contains(": 209\n"), "{output}");
    assert!(output.contains("machine code of kernel fill without its PTX"), "{output}");
}

#[test]
fn machine_code_for_another_device_is_refused() {
    let folder = folder();
    let image = folder.cubin("old.cubin", PTX, &["--gpu-name", "sm_80", "-lineinfo"]);
    let output = run_image(&folder, &image, "data");
    assert!(output.contains(": 209\n") && output.contains("machine code for sm_80"), "{output}");
    let mut command = folder.command(folder.path().join("run"));
    assert_eq!(text(&run(command.env("WARPFOLD_MACHINE", "a100").arg(&image).arg("data"))), RAN);
}

#[test]
fn fat_binaries_run_in_every_compression() {
    let folder = folder();
    let ptx = folder.file("image.ptx", PTX);
    // Long enough that machine code is worth compressing too.
    let cubin = folder.cubin("image.cubin", PTX, &["-lineinfo"]);
    let ptx = format!("--image3=kind=ptx,sm=80,file={}", ptx.display());
    let cubin = format!("--image3=kind=elf,sm=90,file={}", cubin.display());
    for mode in ["none", "speed", "size", "balance"] {
        for (name, entries) in [("ptx", vec![&ptx]), ("elf", vec![&cubin]), ("both", vec![&cubin, &ptx])] {
            let image = folder.path().join(format!("{mode}-{name}.fatbin"));
            let mut fatbinary = cuda_tool("fatbinary");
            fatbinary.args(["-64", "--compress-all", &format!("--compress-mode={mode}")]);
            succeed(fatbinary.arg(format!("--create={}", image.display())).args(entries));
            for way in ["data", "fatbin", "wrapper", "file"] {
                assert_eq!(run_image(&folder, &image, way), RAN, "{mode} {name} {way}");
            }
        }
    }
    // The modes differ in what they write, or nothing was tested.
    let read = |name: &str| fs::read(folder.path().join(name)).expect("it was made");
    assert!(
        read("speed-ptx.fatbin") != read("size-ptx.fatbin")
            && read("none-ptx.fatbin") != read("size-ptx.fatbin")
    );
}

#[test]
fn a_fat_binary_for_later_devices_is_refused() {
    let folder = folder();
    let ptx = folder.file("image.ptx", PTX);
    let image = folder.path().join("later.fatbin");
    let entry = format!("--image3=kind=ptx,sm=120,file={}", ptx.display());
    succeed(cuda_tool("fatbinary").arg("-64").arg(format!("--create={}", image.display())).arg(entry));
    let output = run_image(&folder, &image, "data");
    assert!(output.contains(": 209\n") && output.contains("it holds PTX for sm_120"), "{output}");
}
