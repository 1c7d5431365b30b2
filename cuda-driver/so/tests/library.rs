//! The library as programs see it: its symbols, and both ways to find them.

mod common;

use std::{collections::BTreeSet, fs};

use common::{Folder, PTX, RAN, library, run, succeed, text};
use cuda_driver::EntryPoint;
use object::{Object, ObjectSymbol, elf, read::elf::ElfFile64};

#[test]
fn every_entry_point_a_marker_and_the_start_of_a_tool_are_exported() {
    let bytes = fs::read(library()).expect("cargo built the library");
    let file = ElfFile64::<object::LittleEndian>::parse(&*bytes).expect("it is an ELF file");
    let exported: BTreeSet<&str> = file
        .dynamic_symbols()
        .filter(|s| s.is_definition())
        .map(|s| s.name().expect("names are text"))
        .collect();
    let marker = "warpfold_emulated_driver";
    let entries = EntryPoint::ALL.iter().map(|entry| entry.name());
    // OpenMP's host runtime looks the last one up.
    let listed: BTreeSet<&str> = entries.chain([marker, "ompt_start_tool"]).collect();
    assert_eq!(exported, listed);

    let dynamic = file.elf_dynamic_table().expect("it has a dynamic section");
    let name = dynamic.iter().find(|entry| entry.tag == elf::DT_SONAME).expect("it has a name");
    assert_eq!(dynamic.string(name), Ok(&b"libcuda.so.1"[..]));
}

#[test]
fn a_linked_program_runs_also_after_main() {
    let folder = Folder::new();
    let program = folder.program(&["-lcuda"]);
    let image = folder.file("image.ptx", PTX);
    for way in ["data", "ex", "fatbin", "file"] {
        let output = succeed(folder.command(&program).arg(&image).arg(way));
        assert_eq!(text(&output), RAN, "{way}");
    }
    // This library ignores WARPFOLD_DEVICE.
    let output = succeed(folder.command(&program).env("WARPFOLD_DEVICE", "cuda").arg(&image).arg("data"));
    assert_eq!(text(&output), RAN);
}

#[test]
fn a_program_may_open_the_library_by_either_name() {
    let folder = Folder::new();
    let image = folder.file("image.ptx", PTX);
    for name in ["libcuda.so", "libcuda.so.1"] {
        let program = folder.program(&[&format!("-DOPEN=\"{name}\"")]);
        let output = succeed(folder.command(&program).arg(&image).arg("data"));
        assert_eq!(text(&output), RAN, "{name}");
    }
}

#[test]
fn calls_of_missing_entry_points_are_logged_by_name() {
    let folder = Folder::new();
    let program = folder.program(&["-lcuda"]);
    let image = folder.file("image.ptx", PTX);
    let output = succeed(folder.command(&program).env("WARPFOLD_LOG", "1").arg(&image).arg("data"));
    for name in ["cuParamSetf", "the table of functions"] {
        assert!(text(&output).contains(&format!("this driver does not have {name}")), "{}", text(&output));
    }
}

#[test]
fn wrong_settings_are_reported() {
    let folder = Folder::new();
    let program = folder.program(&["-lcuda"]);
    let image = folder.file("image.ptx", PTX);
    let output = run(folder.command(&program).env("WARPFOLD_MACHINE", "abacus").arg(&image).arg("data"));
    assert!(text(&output).starts_with("cuInit(0): 3\n"), "{}", text(&output));
    assert!(
        text(&output).contains("warpfold: WARPFOLD_MACHINE: unknown machine 'abacus'"),
        "{}",
        text(&output)
    );
}

/// LLVM's libomptarget finds all 59 names and reads some forty attributes.
#[test]
fn llvm_finds_the_device() {
    let folder = Folder::new();
    let mut program = folder.command("llvm-offload-device-info-22");
    let output = match program.output() {
        Ok(output) => text(&output),
        Err(error) => return println!("not tested: {program:?}: {error} (Debian: liboffload-22-dev)"),
    };
    assert!(output.contains("Platform Backend: CUDA\nName: H200 (emulated)"), "{output}");
}

/// The workspace's own driver table looks for a GPU, and does not take this library for one.
#[test]
fn the_emulated_driver_is_not_a_gpu() {
    const CHILD: &str = "IS_CHILD";
    if std::env::var_os(CHILD).is_some() {
        assert_eq!(cuda_driver::init(cuda_driver::Select::Auto), Ok(cuda_driver::DriverKind::Emulator));
        println!("declined: {}", cuda_driver::declined().expect("a library was found"));
        return;
    }
    let folder = Folder::new();
    let mut again = folder.command(std::env::current_exe().expect("the test knows itself"));
    let output =
        succeed(again.args(["--exact", "the_emulated_driver_is_not_a_gpu", "--nocapture"]).env(CHILD, "1"));
    assert!(text(&output).contains("libcuda.so.1: it is the emulated driver"), "{}", text(&output));
}

/// A program that asks for functions of NVIDIA's driver as NVIDIA's runtime library does.
const UNDOCUMENTED: &str = r#"
#include <stdio.h>
int cuInit(unsigned flags);
int cuGetExportTable(const void **table, const void *id);
int main(void) {
  static const unsigned char id[16] = {0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a,
                                       0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9};
  const void *table = id;
  printf("%d\n", cuInit(0));
  return cuGetExportTable(&table, id);
}
"#;

#[test]
fn a_program_with_nvidias_runtime_library_is_ended_before_it_crashes() {
    let folder = Folder::new();
    let (source, program) = (folder.file("undocumented.c", UNDOCUMENTED), folder.path().join("undocumented"));
    let mut clang = std::process::Command::new("clang-22");
    succeed(clang.arg("-o").arg(&program).arg(source).arg("-L").arg(folder.path()).arg("-lcuda"));
    let output = run(&mut folder.command(&program));
    // What the program has printed into a pipe is kept.
    assert_eq!((output.status.code(), &*output.stdout), (Some(125), &b"0\n"[..]), "{}", text(&output));
    let message = "warpfold: this program contains NVIDIA's CUDA runtime library (libcudart_static)";
    assert!(text(&output).contains(message), "{}", text(&output));
}
