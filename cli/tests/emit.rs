//! `warpfold emit`: output and errors.

use std::{
    fs,
    process::{Command, Output},
};

fn emit(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpfold"));
    command.arg("emit").args(arguments).output().expect("the program runs")
}

fn text(arguments: &[&str]) -> String {
    let output = emit(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

const PAIR: &str = "typedef struct { float value; int index; } Pair;
void better(Pair *into, const Pair *from) { if (from->value < into->value) *into = *from; }
void pair(Pair *out, const float *value, const int *index) { out->value = *value; out->index = *index; }
";

#[test]
fn callbacks_and_kernels_are_llvm_ir() {
    let callbacks = text(&["callbacks", "s=sum:f64", "t=min:[i8;3]"]);
    assert!(callbacks.starts_with("; s: f64 sum of array 0\n; t: [i8;3] min of array 0\n"), "{callbacks}");
    assert!(callbacks.contains("define void @warpfold_inter_warp_copy("), "{callbacks}");
    let kernel = text(&["kernel", "dot=sum:f64@0*1", "best=argmax:f64@1", "--unroll", "2"]);
    assert!(kernel.contains("define ptx_kernel void @warpfold_reduce("), "{kernel}");
}

#[test]
fn output_contains_the_users_functions() {
    let folder = folder();
    let source = folder.path().join("pair.c");
    fs::write(&source, PAIR).expect("written");
    let source = source.to_str().expect("a path");
    let variable = format!("u=user({source}:better):{{f32,i32}}@map({source}:pair,0:f32,1:i32)");
    let ir = text(&["kernel", &variable]);
    assert!(ir.contains("define internal void @warpfold_user_better_"), "{ir}");
    assert!(ir.contains("define ptx_kernel void @warpfold_reduce("), "{ir}");
    let file = folder.path().join("kernel.ptx");
    let written = file.to_str().expect("a path");
    assert_eq!(text(&["kernel", &variable, "--ptx", "--sm", "80", "-O", "3", "-o", written]), "");
    let ptx = fs::read_to_string(&file).expect("written");
    assert!(ptx.contains(".target sm_80") && ptx.contains(".entry warpfold_reduce("), "{ptx}");
    let callbacks = text(&["callbacks", &format!("u=user({source}:better=inf,-1):{{f32,i32}}"), "--ptx"]);
    assert!(callbacks.contains(".func warpfold_shuffle_and_reduce("), "{callbacks}");
}

#[test]
fn batches_and_columns_are_linked_with_the_runtime() {
    let batches = text(&["batches", "bins=sum:u32"]);
    assert!(batches.contains("define i32 @warpfold_block_reduce_batches(ptr %list, i64 %n)"), "{batches}");
    let batches = text(&["batches", "bins=sum:u32", "--ptx"]);
    assert!(
        batches.contains(".func  (.param .b64 func_retval0) warpfold_batches_workspace_bytes("),
        "{batches}"
    );
    let columns = text(&["columns", "mean=sum:f64@0:f32", "best=argmin:f32", "--ptx", "-O", "0"]);
    assert!(columns.contains(".entry warpfold_reduce_columns("), "{columns}");
}

#[test]
fn the_runtime_is_bitcode() {
    let file = folder();
    let path = file.path().join("runtime.bc");
    text(&["runtime", "-o", path.to_str().expect("a path")]);
    assert_eq!(fs::read(&path).expect("written")[..2], *b"BC");
}

#[test]
fn errors_name_the_variable_and_the_reason() {
    let folder = folder();
    let source = folder.path().join("f.c");
    fs::write(&source, "void f(int *a) {}").expect("written");
    let source = source.to_str().expect("a path");
    for (variable, words) in [
        ("s=and:f32", &["`s`", "`and` is not defined for f32", "sum, product"][..]),
        ("s=sum:f32@0:f64", &["`s` has type f32", "array 0 has elements of type f64"]),
        (&format!("s=user({source}:f):i32"), &["`s`", "`f` has type `void (ptr)`", "void (ptr, ptr)"]),
        (&format!("s=user({source}:g):i32"), &["`s`", "does not define `g`"]),
    ] {
        let output = emit(&["kernel", variable]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && output.stdout.is_empty(), "{variable}");
        assert!(words.iter().all(|word| error.contains(word)), "{variable}: {error}");
    }
}

#[test]
fn the_header_goes_to_standard_output_or_a_file() {
    let printed = emit(&["header"]);
    assert!(printed.status.success(), "{printed:?}");
    let text = String::from_utf8(printed.stdout).expect("text");
    assert!(text.contains("int32_t __warpfold_block_reduce(void *list, "), "{text}");

    let folder = folder();
    let file = folder.path().join("warpfold.h");
    let written = emit(&["header", "-o", file.to_str().expect("a plain path")]);
    assert!(written.status.success() && written.stdout.is_empty(), "{written:?}");
    assert_eq!(fs::read_to_string(&file).expect("the file"), text);

    let nowhere = folder.path().join("missing").join("warpfold.h");
    let failed = emit(&["header", "-o", nowhere.to_str().expect("a plain path")]);
    let message = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert!(!failed.status.success() && message.contains("cannot write"), "{message}");
}
