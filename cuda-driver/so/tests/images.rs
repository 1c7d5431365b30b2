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
fn a_cubin_without_ptx_is_rejected_with_a_hint() {
    let folder = folder();
    let plain = folder.cubin("plain.cubin", PTX, &[]);
    let output = run_image(&folder, &plain, "data");
    assert!(output.contains(": 209\n") && output.contains("-gline-tables-only"), "{output}");
    // Nothing is loaded from a file for another machine either.
    let output = run_image(&folder, &folder.path().join("run"), "file");
    assert!(output.contains(": 200\n") && output.contains("an ELF file for machine 62"), "{output}");
}

/// Appends a section to an object file, which `nvlink` keeps: data, names and section headers go to the end,
/// so that nothing moves.
fn add_section(object: &Path, name: &str, data: &[u8]) {
    let mut file = fs::read(object).expect("it was made");
    let number = |file: &[u8], at: usize, bytes: usize| {
        file[at..at + bytes].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    };
    let (headers, count, names) = (number(&file, 40, 8), number(&file, 60, 2), number(&file, 62, 2));
    let mut table = file[headers..headers + count * 64].to_vec();
    let names_header = names * 64;
    let old = number(&table, names_header + 24, 8);
    let mut all_names = file[old..old + number(&table, names_header + 32, 8)].to_vec();
    let name_at = all_names.len() as u32;
    all_names.extend(name.bytes().chain([0]));

    file.resize(file.len().next_multiple_of(8), 0);
    let span = [file.len() as u64, all_names.len() as u64].map(u64::to_le_bytes).concat();
    table[names_header + 24..names_header + 40].copy_from_slice(&span);
    file.extend(all_names);
    table.extend([name_at, 1].map(u32::to_le_bytes).concat());
    table.extend([0, 0, file.len() as u64, data.len() as u64, 0, 1, 0].map(u64::to_le_bytes).concat());
    file.extend(data);
    file.resize(file.len().next_multiple_of(8), 0);
    let start = file.len() as u64;
    file[40..48].copy_from_slice(&start.to_le_bytes());
    file[60..62].copy_from_slice(&(count as u16 + 1).to_le_bytes());
    file.extend(table);
    fs::write(object, file).expect("files can be written");
}

/// A wrapper around `ptxas` may keep the PTX in a section of its own.
#[test]
fn ptx_in_a_section_of_another_name_is_found() {
    let folder = folder();
    let whole = folder.cubin("whole.o", PTX, &["-c"]);
    add_section(&whole, ".kept.ptx", &[PTX.as_bytes(), b"\0"].concat());
    assert_eq!(run_image(&folder, &nvlink(&folder, "whole.cubin", &[&whole]), "data"), RAN);
}

#[test]
fn a_kernel_whose_ptx_is_missing_is_named() {
    let folder = folder();
    let fill = folder.cubin("fill.o", PTX, &["-c"]);
    let other = folder.cubin("other.o", &other_ptx(), &["-c", "-lineinfo"]);
    let output = run_image(&folder, &nvlink(&folder, "partial.cubin", &[&fill, &other]), "data");
    assert!(output.contains("cuModuleGetFunction") && output.contains(": 209\n"), "{output}");
    assert!(output.contains("machine code of `fill` without its PTX"), "{output}");
}

#[test]
fn a_linked_image_of_two_units_is_linked_again() {
    let folder = folder();
    let fill = folder.cubin("fill.o", PTX, &["-c", "-lineinfo"]);
    let other = folder.cubin("other.o", &other_ptx(), &["-c", "-lineinfo"]);
    for (name, objects) in [("one.cubin", [&*fill, &*other]), ("two.cubin", [&*other, &*fill])] {
        let image = nvlink(&folder, name, &objects);
        assert_eq!(run_image(&folder, &image, "data"), RAN, "{name}");
    }
}

#[test]
fn machine_code_for_another_device_is_rejected() {
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
    // Long enough that machine code is compressed too.
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
fn a_fat_binary_for_later_devices_is_rejected() {
    let folder = folder();
    let ptx = folder.file("image.ptx", PTX);
    let image = folder.path().join("later.fatbin");
    let entry = format!("--image3=kind=ptx,sm=120,file={}", ptx.display());
    succeed(cuda_tool("fatbinary").arg("-64").arg(format!("--create={}", image.display())).arg(entry));
    let output = run_image(&folder, &image, "data");
    assert!(output.contains(": 209\n") && output.contains("it holds PTX for sm_120"), "{output}");
}
