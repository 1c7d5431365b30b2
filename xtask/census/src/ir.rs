//! Probes: pieces of IR that make the back end print all PTX forms that it can.
//!
//! Each [`Probe`] is the text of one or more definitions. Its function is called `@probe` and gets a number
//! when probes are put into one module.

use super::llvm::Intrinsic;

/// A piece of IR that is compiled.
#[derive(Clone)]
pub struct Probe {
    /// Its text.
    pub text: String,
    /// The intrinsic and its types; empty for plain IR. An older architecture accepts or rejects a group as a
    /// whole.
    pub group: String,
}

const INTEGERS: [&str; 6] = ["i1", "i8", "i16", "i32", "i64", "i128"];
const FLOATS: [&str; 4] = ["half", "bfloat", "float", "double"];
const INTEGER_VECTORS: [&str; 6] =
    ["<2 x i8>", "<4 x i8>", "<2 x i16>", "<2 x i32>", "<4 x i32>", "<2 x i64>"];
const FLOAT_VECTORS: [&str; 7] =
    ["<2 x half>", "<4 x half>", "<2 x bfloat>", "<2 x float>", "<4 x float>", "<8 x float>", "<2 x double>"];
const SPACES: [u32; 5] = [0, 1, 3, 4, 5];
const ORDERS: [&str; 5] = ["monotonic", "acquire", "release", "acq_rel", "seq_cst"];
const SCOPES: [&str; 4] = ["", "syncscope(\"block\")", "syncscope(\"cluster\")", "syncscope(\"device\")"];
/// Flushes subnormal numbers to zero: `.ftz`.
const FLUSH: &str = "\"denormal-fp-math\"=\"preserve-sign,preserve-sign\"";

const INTEGER_OPERATIONS: &str = "add sub mul udiv sdiv urem srem shl lshr ashr and or xor";
const INTEGER_COMPARISONS: &str = "eq ne ugt uge ult ule sgt sge slt sle";
const FLOAT_COMPARISONS: &str = "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno";
const CASTS: &str =
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp bitcast ptrtoint inttoptr addrspacecast";
const INTEGER_INTRINSICS: [(usize, &str); 3] = [
    (1, "ctpop bitreverse bswap vector.reduce.add vector.reduce.umax vector.reduce.xor"),
    (2, "smax smin umax umin sadd.sat uadd.sat ssub.sat usub.sat sshl.sat ushl.sat"),
    (3, "fshl fshr"),
];
const FLOAT_INTRINSICS: [(usize, &str); 3] = [
    (
        1,
        "sqrt fabs floor ceil trunc rint nearbyint round roundeven canonicalize vector.reduce.fmax \
         vector.reduce.fminimum",
    ),
    (2, "minnum maxnum minimum maximum minimumnum maximumnum copysign"),
    (3, "fma fmuladd"),
];
/// Approximated if flags allow it, otherwise rejected; of vectors, element by element.
const APPROXIMATE: &str = "exp2 exp log2 log sin cos tanh pow";
const ATOMIC_INTEGERS: &str =
    "xchg add sub and nand or xor max min umax umin uinc_wrap udec_wrap usub_cond usub_sat";
const ATOMIC_FLOATS: &str = "xchg fadd fsub fmax fmin fmaximum fminimum";

/// Calls of an intrinsic, with every combination of small constant arguments if there are not too many.
pub fn calls(intrinsic: &Intrinsic) -> Vec<Probe> {
    let values = |ty: &str| if ty == "i1" { 0..2 } else { 0..17 };
    let positions: Vec<usize> = (0..intrinsic.arguments.len()).filter(|&at| intrinsic.constant[at]).collect();
    let kinds = |at: usize| values(&intrinsic.arguments[at]).len();
    let combinations: usize = positions.iter().map(|&at| kinds(at)).product();
    let mut choices: Vec<Vec<usize>> = Vec::new();
    if combinations <= 1200 {
        for number in 0..combinations {
            let mut rest = number;
            choices.push(
                positions
                    .iter()
                    .map(|&at| {
                        let value = rest % kinds(at);
                        rest /= kinds(at);
                        value
                    })
                    .collect(),
            );
        }
    } else {
        // Vary one argument at a time; the others have one of three base values.
        for base in 0..3 {
            for (index, &at) in positions.iter().enumerate() {
                for value in 0..kinds(at) {
                    let mut choice: Vec<usize> =
                        positions.iter().map(|&at| base.min(kinds(at) - 1)).collect();
                    choice[index] = value;
                    choices.push(choice);
                }
            }
        }
    }
    choices.iter().map(|choice| call(intrinsic, &positions, choice)).collect()
}

fn call(intrinsic: &Intrinsic, positions: &[usize], choice: &[usize]) -> Probe {
    let argument = |(at, ty): (usize, &String)| match positions.iter().position(|position| *position == at) {
        Some(index) if ty == "i1" => format!("i1 {}", choice[index] == 1),
        Some(index) => format!("{ty} {}", choice[index]),
        None => format!("{ty} %a{at}"),
    };
    let arguments: Vec<_> = intrinsic.arguments.iter().enumerate().map(argument).collect();
    let parameters: Vec<_> = (arguments.iter().filter(|a| a.contains('%'))).map(String::as_str).collect();
    let value = format!("call {} @{}({})", intrinsic.result, intrinsic.name, arguments.join(", "));
    let mut probe = function(&intrinsic.result, &parameters.join(", "), &value, "");
    probe.group = format!("{} {}", intrinsic.name, intrinsic.arguments.join(", "));
    probe
}

fn plain_probe(text: String) -> Probe {
    Probe { text, group: String::new() }
}

/// A function that returns `value`.
fn function(result: &str, parameters: &str, value: &str, attributes: &str) -> Probe {
    let body = match result {
        "void" => format!("  {value}\n  ret void"),
        _ => format!("  %r = {value}\n  ret {result} %r"),
    };
    plain_probe(format!("define {result} @probe({parameters}) {attributes} {{\n{body}\n}}\n"))
}

/// Plain IR: every instruction over every type, memory in every space and order, and whole modules.
pub fn plain() -> Vec<Probe> {
    let mut probes = arithmetic();
    probes.extend(conversions());
    probes.extend(memory());
    probes.extend(atomics());
    probes.extend(MODULES.iter().map(|text| plain_probe((*text).to_owned())));
    probes
}

fn integers() -> impl Iterator<Item = &'static str> {
    INTEGERS.into_iter().chain(INTEGER_VECTORS)
}

fn floats() -> impl Iterator<Item = &'static str> {
    FLOATS.into_iter().chain(FLOAT_VECTORS)
}

/// The type of a comparison's result.
fn truth(ty: &str) -> String {
    match ty.split_once(" x ") {
        Some((count, _)) => format!("{count} x i1>"),
        None => String::from("i1"),
    }
}

fn arithmetic() -> Vec<Probe> {
    let mut probes = Vec::new();
    let mut add = |result: &str, parameters: &str, value: &str, attributes: &str| {
        probes.push(function(result, parameters, value, attributes));
    };
    for ty in integers() {
        let single = format!("{ty} %a");
        let two = format!("{single}, {ty} %b");
        let three = format!("{two}, {ty} %c");
        for op in INTEGER_OPERATIONS.split(' ') {
            add(ty, &two, &format!("{op} {ty} %a, %b"), "");
            if !ty.starts_with('<') && ty != "i1" {
                add(ty, &two, &format!("{op} {ty} %a, 7"), "");
            }
        }
        for predicate in INTEGER_COMPARISONS.split(' ') {
            add(&truth(ty), &two, &format!("icmp {predicate} {ty} %a, %b"), "");
        }
        for (count, names) in INTEGER_INTRINSICS {
            for name in names.split_whitespace() {
                let parameters = [&single, &two, &three][count - 1];
                let result = if name.starts_with("vector") { element(ty) } else { ty };
                add(
                    result,
                    parameters,
                    &format!("call {result} @llvm.{name}.{}({parameters})", mangled(ty)),
                    "",
                );
            }
        }
        for name in ["ctlz", "cttz", "abs"] {
            let suffix = mangled(ty);
            add(ty, &two, &format!("call {ty} @llvm.{name}.{suffix}({ty} %a, i1 false)"), "");
            add(ty, &two, &format!("call {ty} @llvm.{name}.{suffix}({ty} %a, i1 true)"), "");
        }
        for name in ["sadd", "uadd", "ssub", "usub", "smul", "umul"] {
            let result = format!("{{ {ty}, {} }}", truth(ty));
            let suffix = mangled(ty);
            add(&result, &two, &format!("call {result} @llvm.{name}.with.overflow.{suffix}({two})"), "");
        }
        add(ty, &format!("{two}, i1 %c"), &format!("select i1 %c, {ty} %a, {ty} %b"), "");
        add(
            ty,
            &format!("{two}, {} %c", truth(ty)),
            &format!("select {} %c, {ty} %a, {ty} %b", truth(ty)),
            "",
        );
        add(ty, &format!("{ty} %a"), &format!("freeze {ty} %a"), "");
    }
    for ty in floats() {
        let single = format!("{ty} %a");
        let two = format!("{single}, {ty} %b");
        let three = format!("{two}, {ty} %c");
        let vector = ty.starts_with('<');
        for attributes in if vector { &[""][..] } else { &["", FLUSH] } {
            for flags in if vector { &["", "fast "][..] } else { &["", "fast ", "contract ", "afn "] } {
                add(ty, &two, &format!("fneg {flags}{ty} %a"), attributes);
                for op in ["fadd", "fsub", "fmul", "fdiv", "frem"] {
                    add(ty, &two, &format!("{op} {flags}{ty} %a, %b"), attributes);
                }
                for (count, names) in FLOAT_INTRINSICS {
                    for name in names.split_whitespace() {
                        let parameters = [&single, &two, &three][count - 1];
                        let result = if name.starts_with("vector") { element(ty) } else { ty };
                        let suffix = mangled(ty);
                        let call = format!("call {flags}{result} @llvm.{name}.{suffix}({parameters})");
                        add(result, parameters, &call, attributes);
                    }
                }
                for name in APPROXIMATE.split(' ').filter(|_| !vector) {
                    let parameters = if name == "pow" { &two } else { &single };
                    let call = format!("call {flags}{ty} @llvm.{name}.{}({parameters})", mangled(ty));
                    add(ty, parameters, &call, attributes);
                }
                add(ty, &two, &format!("fdiv {flags}{ty} {}, %b", one(ty)), attributes);
                let select = format!("select {flags}{} %c, {ty} %a, {ty} %b", truth(ty));
                add(ty, &format!("{two}, {} %c", truth(ty)), &select, attributes);
            }
            for predicate in FLOAT_COMPARISONS.split(' ') {
                add(&truth(ty), &two, &format!("fcmp {predicate} {ty} %a, %b"), attributes);
            }
            if vector {
                continue;
            }
            for name in ["powi", "ldexp"] {
                let suffix = mangled(ty);
                let call = format!("call {ty} @llvm.{name}.{suffix}.i32({ty} %a, i32 %n)");
                add(ty, &format!("{ty} %a, i32 %n"), &call, attributes);
            }
            for class in [3, 4, 144, 516, 1023] {
                let (suffix, result) = (mangled(ty), truth(ty));
                let call = format!("call {result} @llvm.is.fpclass.{suffix}({ty} %a, i32 {class})");
                add(&result, &format!("{ty} %a"), &call, attributes);
            }
            for rounding in ["tonearest", "dynamic"] {
                for name in ["fadd", "fsub", "fmul", "fdiv", "fma", "sqrt"] {
                    let parameters = match name {
                        "fma" => &three,
                        "sqrt" => &single,
                        _ => &two,
                    };
                    let suffix = mangled(ty);
                    let call = format!(
                        "call {ty} @llvm.experimental.constrained.{name}.{suffix}({parameters}, \
                         metadata !\"round.{rounding}\", metadata !\"fpexcept.ignore\") strictfp"
                    );
                    add(ty, parameters, &call, &format!("{attributes} strictfp"));
                }
            }
        }
    }
    probes
}

fn element(ty: &str) -> &str {
    ty.split_once(" x ").map_or(ty, |(_, element)| element.trim_end_matches('>'))
}

/// A type as it is part of an intrinsic's name.
fn mangled(ty: &str) -> String {
    let scalar = |ty: &str| match ty {
        "half" => String::from("f16"),
        "bfloat" => String::from("bf16"),
        "float" => String::from("f32"),
        "double" => String::from("f64"),
        _ => ty.to_owned(),
    };
    match ty.trim_matches(['<', '>']).split_once(" x ") {
        Some((count, element)) => format!("v{count}{}", scalar(element)),
        None => scalar(ty),
    }
}

fn one(ty: &str) -> String {
    let scalar = if element(ty) == "bfloat" { "0xR3F80" } else { "1.0" };
    match ty.starts_with('<') {
        true => format!("splat ({} {scalar})", element(ty)),
        false => scalar.to_owned(),
    }
}

fn conversions() -> Vec<Probe> {
    let pointers = SPACES.map(pointer).into_iter();
    let plain = integers().chain(floats()).map(String::from);
    let types: Vec<String> = plain.chain(pointers).collect();
    let mut probes = Vec::new();
    for from in &types {
        for to in &types {
            for cast in CASTS.split(' ') {
                for attributes in ["", FLUSH] {
                    if attributes.is_empty() || element(from) == "float" || element(to) == "float" {
                        let value = format!("{cast} {from} %a to {to}");
                        probes.push(function(to, &format!("{from} %a"), &value, attributes));
                    }
                }
            }
            if from.starts_with('<') {
                continue;
            }
            for name in ["fptosi", "fptoui"] {
                let value =
                    format!("call {to} @llvm.{name}.sat.{}.{}({from} %a)", mangled(to), mangled(from));
                probes.push(function(to, &format!("{from} %a"), &value, ""));
            }
            for name in ["lrint", "llrint", "lround", "llround"] {
                let value = format!("call {to} @llvm.{name}.{}.{}({from} %a)", mangled(to), mangled(from));
                probes.push(function(to, &format!("{from} %a"), &value, ""));
            }
        }
    }
    probes
}

fn pointer(space: u32) -> String {
    match space {
        0 => String::from("ptr"),
        _ => format!("ptr addrspace({space})"),
    }
}

fn memory() -> Vec<Probe> {
    let mut probes = Vec::new();
    let types: Vec<&str> =
        integers().chain(floats()).chain(["ptr", "<8 x i32>", "<4 x i64>", "[3 x i32]"]).collect();
    for space in SPACES {
        let p = pointer(space);
        for ty in &types {
            let mut load = |kind: &str, rest: &str, metadata: &str| {
                let value = format!("load {kind} {ty}, {p} %p {rest}, align 32{metadata}");
                probes.push(function(ty, &format!("{p} %p"), &value, ""));
            };
            let atomic = |order: &str, scope: &str| format!("{scope} {order}");
            load("", "", "");
            load("volatile", "", "");
            load("", "", ", !invariant.load !{}");
            load("", "", ", !nontemporal !{i32 1}");
            let scopes = if space < 4 { &SCOPES[..] } else { &[] };
            for scope in scopes {
                for order in ["unordered", "monotonic", "acquire", "seq_cst"] {
                    load("atomic", &atomic(order, scope), "");
                }
            }
            load("atomic volatile", "monotonic", "");
            load("atomic volatile", "acquire", "");
            let mut store = |kind: &str, rest: &str| {
                let value = format!("store {kind} {ty} %v, {p} %p {rest}, align 32");
                probes.push(function("void", &format!("{p} %p, {ty} %v"), &value, ""));
            };
            store("", "");
            store("volatile", "");
            for scope in scopes {
                for order in ["unordered", "monotonic", "release", "seq_cst"] {
                    store("atomic", &atomic(order, scope));
                }
            }
            store("atomic volatile", "monotonic");
            store("atomic volatile", "release");
            // Through a kernel's parameter, which points to global memory.
            probes.push(plain_probe(format!(
                "define ptx_kernel void @probe(ptr noalias readonly %p, ptr %q, {ty} %v) {{\n  \
                     %a = load {ty}, ptr %p\n  store {ty} %a, ptr %q\n  \
                     %r = getelementptr i8, ptr %q, i64 64\n  store {ty} %v, ptr %r\n  ret void\n}}\n"
            )));
        }
        for other in SPACES {
            let q = pointer(other);
            let parameters = format!("{p} %p, {q} %q, i64 %n");
            for length in ["17", "%n", "64"] {
                for name in ["memcpy", "memmove"] {
                    let suffix = format!("p{space}.p{other}");
                    let value = format!(
                        "call void @llvm.{name}.{suffix}.i64({p} %p, {q} %q, i64 {length}, i1 false)"
                    );
                    probes.push(function("void", &parameters, &value, ""));
                }
            }
        }
        let value = format!("call void @llvm.memset.p{space}.i64({p} %p, i8 3, i64 %n, i1 false)");
        probes.push(function("void", &format!("{p} %p, i64 %n"), &value, ""));
    }
    probes
}

fn atomics() -> Vec<Probe> {
    let mut probes = Vec::new();
    for space in [1, 0, 3] {
        let p = pointer(space);
        for (order, scope) in ORDERS.iter().flat_map(|order| SCOPES.map(|scope| (*order, scope))) {
            // Global memory has every order and scope for i32, i64 and float; the rest has a few.
            let few = order != "acquire" && order != "release" && ["", SCOPES[3]].contains(&scope);
            let mut modify = |op: &str, ty: &str| {
                let value = format!("atomicrmw {op} {p} %p, {ty} %v {scope} {order}");
                probes.push(function(ty, &format!("{p} %p, {ty} %v"), &value, ""));
                if order == "monotonic" {
                    // The result is not used.
                    let text =
                        format!("define void @probe({p} %p, {ty} %v) {{\n  %r = {value}\n  ret void\n}}\n");
                    probes.push(plain_probe(text));
                }
            };
            let wanted = |ty: &str| few || space == 1 && ["i32", "i64", "float"].contains(&ty);
            for ty in INTEGERS[1..].iter().filter(|ty| wanted(ty)) {
                ATOMIC_INTEGERS.split(' ').for_each(|op| modify(op, ty));
            }
            for ty in FLOATS.into_iter().chain(["<2 x half>", "<2 x bfloat>"]).filter(|ty| wanted(ty)) {
                ATOMIC_FLOATS.split(' ').for_each(|op| modify(op, ty));
            }
            for ty in INTEGERS[1..].iter().filter(|ty| wanted(ty)) {
                for failure in ["monotonic", "acquire", "seq_cst"] {
                    let value = format!("cmpxchg {p} %p, {ty} %v, {ty} %w {scope} {order} {failure}");
                    let result = format!("{{ {ty}, i1 }}");
                    probes.push(function(&result, &format!("{p} %p, {ty} %v, {ty} %w"), &value, ""));
                }
            }
        }
    }
    for order in &ORDERS[1..] {
        for scope in SCOPES.into_iter().chain(["syncscope(\"singlethread\")"]) {
            probes.push(function("void", "", &format!("fence {scope} {order}"), ""));
        }
    }
    probes
}

/// Modules with more than one instruction: calls, control flow, data.
const MODULES: &[&str] = &[
    include_str!("modules/calls.ll"),
    include_str!("modules/control.ll"),
    include_str!("modules/data.ll"),
    include_str!("modules/kernels.ll"),
];
