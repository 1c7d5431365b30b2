//! NVIDIA's assembler accepts the PTX of the cases' kernels.

use std::path::Path;
use std::process::Command;

use host_rt::OptLevel;
use tests_gpu::{block, fixture::Source, grid, layout::LAYOUTS, warp};
use toolchain::Tools;

fn accepted(tools: &Tools, source: &Source) {
    for sm in [80, 90] {
        for opt in [OptLevel::O0, OptLevel::O2] {
            let ptx = source.ptx(tools, sm, opt);
            tools.ptxas_check(&ptx, sm).unwrap_or_else(|error| panic!("sm_{sm}, {opt:?}: {error}"));
        }
    }
}

#[test]
fn kernels_of_the_cases() {
    let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
    accepted(&tools, &warp::SOURCE);
    for layout in LAYOUTS {
        let (list, fields) = (layout.list(), layout.fields());
        accepted(&tools, &block::source(&list, &[&fields]));
        accepted(&tools, &grid::source(&list, &[&fields]));
    }
}

/// ptxas accepts the PTX of the emulator's tests, except for targets that it no longer supports.
#[test]
fn forms_of_the_emulators_tests() {
    let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
    let ptxas = match tools.ptxas() {
        Ok(ptxas) => ptxas.path,
        Err(error) => return eprintln!("skipped: {error}"),
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ptx-emulator/tests/ptx");
    let mut checked = 0;
    for entry in std::fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("readable").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with("isa_") || name == "isa_sm60.ptx" {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("readable");
        let target = text.lines().find_map(|line| line.strip_prefix(".target ")).expect("a target");
        let mut command = Command::new(&ptxas);
        command.arg(format!("-arch={target}")).args(["-o", "/dev/null"]).arg(&path);
        let output = command.output().expect("ptxas runs");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        checked += 1;
    }
    assert!(checked > 0, "no file was checked");
}
