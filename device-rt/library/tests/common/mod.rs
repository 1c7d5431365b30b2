//! The device runtime built once for each test program, and the instructions of a kernel's PTX.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::path::PathBuf;
use std::sync::OnceLock;

use device_library::{OPENMP_SOURCES, RUNTIME};
use device_rt::abi::{Interface, names};
use toolchain::{DeviceCrate, Input, OptLevel, PtxBuild, Tools};

/// Hand-written callbacks and kernels for the sum of one i32.
pub const I32_SUM: &str = include_str!("callbacks_i32_sum.ll");

/// The tools; without them a test fails and reports what is missing.
pub fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| Tools::find().unwrap_or_else(|error| panic!("{error}")))
}

/// The bitcode of the reductions.
pub fn reductions() -> PathBuf {
    device_library::runtime_bitcode(tools()).unwrap_or_else(|error| panic!("{error}"))
}

/// PTX of a crate of kernels written in Rust: `source` after the attributes of every such crate.
pub fn rust_ptx(source: &str, kernels: &[&str], sm: u32, opt: OptLevel) -> String {
    let source = format!("#![no_std]\n#![feature(abi_ptx)]\n{source}");
    let sources = [("src/lib.rs", source.as_str())];
    let krate = DeviceCrate {
        name: "kernels",
        sources: &sources,
        exports: kernels,
        dependencies: &[RUNTIME],
        ..RUNTIME
    };
    let module = tools().device_module(&krate).unwrap_or_else(|error| panic!("{error}"));
    let build = PtxBuild { modules: &[Input::Bitcode(&module)], keep: kernels, sm, opt };
    tools().ptx(&build).unwrap_or_else(|error| panic!("{error}"))
}

/// The bitcode of the OpenMP library.
pub fn openmp() -> PathBuf {
    let krate = DeviceCrate { sources: OPENMP_SOURCES, exports: &names(&ALL_INTERFACES), ..RUNTIME };
    tools().device_bitcode(&krate).unwrap_or_else(|error| panic!("{error}"))
}

/// Those of the OpenMP library.
pub const ALL_INTERFACES: [Interface; 3] = [Interface::Kernels, Interface::Compilers, Interface::Programs];

/// PTX of `ir` and the runtime.
pub fn ptx(ir: &str, keep: &[&str], sm: u32, opt: OptLevel) -> String {
    let modules = [Input::Ir(ir), Input::Bitcode(&reductions())];
    tools().ptx(&PtxBuild { modules: &modules, keep, sm, opt }).unwrap_or_else(|error| panic!("{error}"))
}

/// The instructions of one function: lines that are not directives, labels or braces.
pub fn instructions<'a>(ptx: &'a str, function: &str) -> Vec<&'a str> {
    let start = ptx.find(&format!(" {function}(")).unwrap_or_else(|| panic!("no {function} in\n{ptx}"));
    let body = &ptx[start..];
    let body = &body[body.find("\n{").expect("a body")..body.find("\n}").expect("an end")];
    body.lines().map(str::trim).filter(|line| is_instruction(line)).collect()
}

fn is_instruction(line: &str) -> bool {
    line.ends_with(';') && !line.starts_with('.') && !line.starts_with("//")
}

/// How many of the instructions have the given opcode, guarded by a predicate or not.
pub fn count(instructions: &[&str], opcode: &str) -> usize {
    let plain = |line: &str| match line.starts_with('@') {
        true => line.split_whitespace().nth(1).unwrap_or_default().to_string(),
        false => line.to_string(),
    };
    instructions.iter().filter(|line| plain(line).starts_with(opcode)).count()
}

/// `@v = weak protected addrspace(3) global [4 x i8] undef, align 8` is `v`, `[4 x i8] addrspace(3)`.
pub fn variable(line: &str) -> (String, String) {
    let (name, rest) = line.split_once(" = ").expect("a definition");
    let space = rest.split_whitespace().find(|word| word.starts_with("addrspace(")).unwrap_or("addrspace(0)");
    let start = rest.find('[').expect("an array");
    let end = start + rest[start..].find(']').expect("its end");
    (name[1..].to_string(), format!("{} {space}", &rest[start..=end]))
}

/// `define noundef range(i32 0, 2) i32 @f(ptr noundef %a, i16 signext %b) …` is `f`, `i32 (ptr, i16)`.
pub fn signature(line: &str) -> (String, String) {
    let (head, rest) = line.split_once('@').expect("a name");
    let (name, rest) = rest.split_once('(').expect("parameters");
    // `{ float, float }` is one type of several words.
    let returns = match head.trim_end().ends_with('}') {
        true => head[head.rfind('{').expect("a pair")..].trim_end(),
        false => head.split_whitespace().next_back().expect("a type"),
    };
    // Attributes of parameters have parentheses and commas too: `initializes((0, 4))`.
    let mut depth = 0;
    let end = rest.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth < 0
    });
    let parameters = rest[..end.expect("an end")].split(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == -1 && c == ','
    });
    let types: Vec<&str> = parameters.filter_map(|one| one.split_whitespace().next()).collect();
    (name.to_string(), format!("{returns} ({})", types.join(", ")))
}
