//! Prints programs as LLVM IR, for the host and for the device: the same functions in different modules.

use std::fmt::Write as _;

use crate::ast::{
    Access, Callee, Exchange, Expr, Function, Parameter, Passing, Program, Region, Scalar, Stmt, Ty,
};

/// Threads of a launch.
pub const THREADS: usize = 64;
/// Bytes of each thread's input.
pub const IN: usize = 64;
/// Bytes of each thread's output: the region `Out`, the exchanged words, and room up to the alignment.
pub const OUT: usize = 192;
/// Where the exchanged words lie in the output.
const EXCHANGE: usize = 128;
const CELLS: usize = 8;
/// Orders and scopes of the atomic operations of an exchange.
pub const ORDERS: [&str; 5] =
    ["monotonic", "acq_rel", "seq_cst", "syncscope(\"block\") monotonic", "syncscope(\"device\") release"];
/// How deep a function calls itself.
const DEPTH: u32 = 3;

/// The name of a program's kernel, from its index in the module.
pub fn kernel(place: usize) -> String {
    format!("p{place}_kernel")
}

/// A module for the host, with the table that `host.c` reads; `target` says how data is laid out.
pub fn host(programs: &[Program], target: &str) -> String {
    let types = "%exchange = type {i32, i32, i32, i32, i64}\n%program = type {i32, i32, ptr, ptr}\n";
    let mut out = format!("{target}\n{types}");
    out += &functions(programs);
    let mut rows = Vec::new();
    for (p, program) in programs.iter().enumerate() {
        let phases: Vec<String> = (0..program.phases).map(|n| format!("ptr @p{p}_f{n}")).collect();
        let exchanges: Vec<String> = program
            .exchanges
            .iter()
            .map(|exchange| {
                let (numbers, initial) = host_exchange(*exchange);
                let [kind, a, b, c] = numbers;
                format!("%exchange {{i32 {kind}, i32 {a}, i32 {b}, i32 {c}, i64 {initial}}}")
            })
            .collect();
        let (np, ne) = (phases.len(), exchanges.len());
        let _ = writeln!(out, "@p{p}_phases = internal constant [{np} x ptr] [{}]", phases.join(", "));
        let _ = writeln!(
            out,
            "@p{p}_exchanges = internal constant [{ne} x %exchange] [{}]",
            exchanges.join(", ")
        );
        rows.push(format!("%program {{i32 {np}, i32 {ne}, ptr @p{p}_phases, ptr @p{p}_exchanges}}"));
    }
    let count = programs.len();
    let _ = writeln!(
        out,
        "@program_count = constant i32 {count}\n\
         @programs = constant [{count} x %program] [{}]",
        rows.join(", ")
    );
    out
}

/// Kind, operation or mode, width, and the initial value, as `host.c` has them.
fn host_exchange(exchange: Exchange) -> ([usize; 4], i64) {
    match exchange {
        Exchange::Shuffle { mode, width } => ([0, mode, width as usize, 0], 0),
        Exchange::Vote { mode } => ([1, mode, 0, 0], 0),
        Exchange::Match { all, bits } => ([2, all.into(), bits as usize, 0], 0),
        Exchange::Redux { op } => ([3, op, 0, 0], 0),
        Exchange::Shared { .. } => ([4, 0, 0, 0], 0),
        Exchange::Atomic { op, bits, initial, .. } => ([5, op, bits as usize, 0], initial as i64),
        Exchange::Swap { mode, bits, .. } => ([6, mode, bits as usize, 0], 0),
        Exchange::BarrierReduce { mode } => ([7, mode, 0, 0], 0),
    }
}

/// A module for the device: a kernel for each program.
pub fn device(programs: &[Program]) -> String {
    let mut out = String::from("target triple = \"nvptx64-nvidia-cuda\"\n");
    out += &functions(programs);
    out += "@shared = internal addrspace(3) global [64 x i64] poison, align 16\n";
    for (p, program) in programs.iter().enumerate() {
        let _ =
            writeln!(out, "@p{p}_cells = internal addrspace(1) global [64 x i64] zeroinitializer, align 16");
        let _ = writeln!(
            out,
            "define ptx_kernel void @{}(ptr addrspace(1) %inputs, ptr addrspace(1) %outputs) {{",
            kernel(p)
        );
        let mut w = Writer {
            program,
            place: p,
            function: 0,
            next: 0,
            label: "entry".into(),
            loops: vec![],
            entry: 0,
            out,
        };
        w.kernel();
        out = w.out;
        out += "}\n";
    }
    out
}

fn functions(programs: &[Program]) -> String {
    let mut out = String::new();
    for (p, program) in programs.iter().enumerate() {
        let words: Vec<String> =
            program.constants.iter().map(|word| format!("i64 {}", *word as i64)).collect();
        let _ = writeln!(
            out,
            "@p{p}_constants = internal constant [{} x i64] [{}], align 64",
            words.len(),
            words.join(", ")
        );
        if !program.table.is_empty() {
            let entries: Vec<String> = program.table.iter().map(|f| format!("ptr @p{p}_f{f}")).collect();
            let _ = writeln!(
                out,
                "@p{p}_table = internal constant [{} x ptr] [{}]",
                entries.len(),
                entries.join(", ")
            );
        }
        for function in 0..program.functions.len() {
            let mut w = Writer {
                program,
                place: p,
                function,
                next: 0,
                label: "entry".into(),
                loops: vec![],
                entry: 0,
                out,
            };
            w.define();
            out = w.out;
        }
    }
    out
}

/// The type of several values: one by itself, more as a struct.
fn packed(types: &[Ty]) -> String {
    match types {
        [] => "void".into(),
        [one] => one.name(),
        many => format!("{{{}}}", many.iter().map(|ty| ty.name()).collect::<Vec<_>>().join(", ")),
    }
}

fn parameter_type(parameter: &Parameter) -> String {
    match parameter.passing {
        Passing::Direct => packed(&parameter.fields),
        Passing::ByValue => format!("ptr byval({}) align 32", packed(&parameter.fields)),
    }
}

/// A number as an operand, by its bits.
fn literal(scalar: Scalar, bits: u128) -> String {
    let width = scalar.bits();
    let bits = if width == 128 { bits } else { bits & ((1 << width) - 1) };
    match scalar {
        Scalar::Int(1) => if bits == 1 { "true" } else { "false" }.into(),
        Scalar::Int(_) => bits.to_string(),
        Scalar::Half => format!("0xH{bits:04X}"),
        Scalar::Bfloat => format!("0xR{bits:04X}"),
        // LLVM writes a float as the double of the same value.
        Scalar::Float => format!("0x{:016X}", f64::from(f32::from_bits(bits as u32)).to_bits()),
        Scalar::Double => format!("0x{bits:016X}"),
    }
}

fn splat(ty: Ty, bits: u128) -> String {
    constant(ty, &vec![bits; ty.lanes as usize])
}

fn constant(ty: Ty, lanes: &[u128]) -> String {
    match lanes {
        [one] => literal(ty.scalar, *one),
        many => {
            let lanes: Vec<String> = many
                .iter()
                .map(|bits| format!("{} {}", ty.scalar.name(), literal(ty.scalar, *bits)))
                .collect();
            format!("<{}>", lanes.join(", "))
        }
    }
}

/// Writes one function.
struct Writer<'a> {
    program: &'a Program,
    place: usize,
    function: usize,
    next: usize,
    /// The label of the current block, for phis.
    label: String,
    /// Where `continue` and `break` go, innermost last.
    loops: Vec<(String, String)>,
    /// Where in `out` further allocas go: memory that is allocated elsewhere is not freed in a loop.
    entry: usize,
    out: String,
}

impl Writer<'_> {
    fn current(&self) -> &Function {
        &self.program.functions[self.function]
    }

    fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    fn line(&mut self, text: &str) {
        self.out += "  ";
        self.out += text;
        self.out.push('\n');
    }

    /// An instruction with a result.
    fn value(&mut self, text: &str) -> String {
        let name = format!("%v{}", self.fresh());
        self.line(&format!("{name} = {text}"));
        name
    }

    fn new_label(&mut self) -> String {
        format!("b{}", self.fresh())
    }

    /// Begins a block.
    fn block(&mut self, label: &str) {
        let _ = writeln!(self.out, "{label}:");
        self.label = label.into();
    }

    fn jump(&mut self, label: &str) {
        self.line(&format!("br label %{label}"));
    }

    fn fork(&mut self, condition: &str, yes: &str, no: &str) {
        self.line(&format!("br i1 {condition}, label %{yes}, label %{no}"));
    }

    fn define(&mut self) {
        let p = self.place;
        let function = self.current().clone();
        let mut parameters: Vec<String> =
            ["ptr %in", "ptr %out", "i32 %thread", "i32 %depth"].map(String::from).into();
        for (n, parameter) in function.parameters.iter().enumerate() {
            parameters.push(format!("{} %a{n}", parameter_type(parameter)));
        }
        let _ = writeln!(
            self.out,
            "define internal {} @p{p}_f{}({}) {}{{\nentry:",
            packed(&function.results),
            self.function,
            parameters.join(", "),
            if function.inline { "" } else { "noinline " }
        );
        self.entry = self.out.len();
        for (n, ty) in function.locals.iter().enumerate() {
            self.line(&format!("%l{n} = alloca {}", ty.name()));
        }
        self.line("%private = alloca [64 x i8], align 64");
        self.line(
            "call void @llvm.memcpy.p0.p0.i64(ptr align 64 %private, ptr align 64 %in, i64 64, i1 false)",
        );
        let mut local = 0;
        for (n, parameter) in function.parameters.iter().enumerate() {
            let struct_type = packed(&parameter.fields);
            for (f, ty) in parameter.fields.iter().enumerate() {
                let value = match parameter.passing {
                    Passing::ByValue => {
                        let at = match parameter.fields.len() {
                            1 => format!("%a{n}"),
                            _ => {
                                self.value(&format!("getelementptr {struct_type}, ptr %a{n}, i32 0, i32 {f}"))
                            }
                        };
                        self.value(&format!("load {}, ptr {at}", ty.name()))
                    }
                    Passing::Direct if parameter.fields.len() == 1 => format!("%a{n}"),
                    Passing::Direct => self.value(&format!("extractvalue {struct_type} %a{n}, {f}")),
                };
                self.line(&format!("store {} {value}, ptr %l{local}", ty.name()));
                local += 1;
            }
        }
        for (n, ty) in function.locals.iter().enumerate().skip(local) {
            self.line(&format!("store {} {}, ptr %l{n}", ty.name(), splat(*ty, 0)));
        }
        self.statements(&function.body);
        // The last statement of a function with results returns; this one is for phases and for the reducer.
        let zeros: Vec<Expr> = function.results.iter().map(|ty| Expr::zero(*ty)).collect();
        self.give_back(&zeros);
        self.out += "}\n";
    }

    fn give_back(&mut self, values: &[Expr]) {
        let types = self.current().results.clone();
        let values: Vec<String> = values.iter().map(|value| self.expr(value)).collect();
        match &values[..] {
            [] => self.line("ret void"),
            [one] => self.line(&format!("ret {} {one}", types[0].name())),
            many => {
                let struct_value = self.pack(&types, many);
                self.line(&format!("ret {} {struct_value}", packed(&types)));
            }
        }
    }

    /// A struct of values.
    fn pack(&mut self, types: &[Ty], values: &[String]) -> String {
        let struct_type = packed(types);
        let mut whole = String::from("poison");
        for (n, (ty, value)) in types.iter().zip(values).enumerate() {
            whole = self.value(&format!("insertvalue {struct_type} {whole}, {} {value}, {n}", ty.name()));
        }
        whole
    }

    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Set(local, e) => {
                let value = self.expr(e);
                self.line(&format!("store {} {value}, ptr %l{local}", e.ty().name()));
            }
            Stmt::Store(region, access, index, e) => {
                let value = self.expr(e);
                let value = self.canonical(e.ty(), value);
                let address = self.address(*region, index, e.ty());
                let (before, after) = access_words(*access, e.ty());
                self.line(&format!("store {before}{} {value}, ptr {address}{after}", e.ty().name()));
            }
            Stmt::If(condition, yes, no) => {
                let condition = self.expr(condition);
                let (a, b, end) = (self.new_label(), self.new_label(), self.new_label());
                self.fork(&condition, &a, &b);
                for (label, body) in [(a, yes), (b, no)] {
                    self.block(&label);
                    self.statements(body);
                    self.jump(&end);
                }
                self.block(&end);
            }
            Stmt::Loop(local, count, body) => {
                let count = self.expr(count);
                let count = self.value(&format!("and i32 {count}, 7"));
                let (head, inside, latch, exit) =
                    (self.new_label(), self.new_label(), self.new_label(), self.new_label());
                let before = self.label.clone();
                let (n, next) = (format!("%v{}", self.fresh()), format!("%v{}", self.fresh()));
                self.jump(&head);
                self.block(&head);
                self.line(&format!("{n} = phi i32 [0, %{before}], [{next}, %{latch}]"));
                let more = self.value(&format!("icmp ult i32 {n}, {count}"));
                self.fork(&more, &inside, &exit);
                self.block(&inside);
                self.line(&format!("store i32 {n}, ptr %l{local}"));
                self.loops.push((latch.clone(), exit.clone()));
                self.statements(body);
                self.loops.pop();
                self.jump(&latch);
                self.block(&latch);
                self.line(&format!("{next} = add i32 {n}, 1"));
                self.jump(&head);
                self.block(&exit);
            }
            Stmt::Switch(e, cases) => {
                let value = self.expr(e);
                let value = self.value(&format!("and i32 {value}, 7"));
                let labels: Vec<String> = cases.iter().map(|_| self.new_label()).collect();
                let end = self.new_label();
                let listed: Vec<String> =
                    labels.iter().enumerate().map(|(n, label)| format!("i32 {n}, label %{label}")).collect();
                let default = labels.last().unwrap_or(&end);
                self.line(&format!("switch i32 {value}, label %{default} [{}]", listed.join(" ")));
                for (label, body) in labels.iter().zip(cases) {
                    self.block(label);
                    self.statements(body);
                    self.jump(&end);
                }
                self.block(&end);
            }
            Stmt::Break(condition) | Stmt::Continue(condition) => {
                let condition = self.expr(condition);
                let Some((latch, exit)) = self.loops.last().cloned() else { return };
                let to = if matches!(statement, Stmt::Break(_)) { exit } else { latch };
                let on = self.new_label();
                self.fork(&condition, &to, &on);
                self.block(&on);
            }
            Stmt::Return(values) => {
                self.give_back(values);
                // What follows is unreachable.
                let dead = self.new_label();
                self.block(&dead);
            }
            Stmt::Copy { to, from, bytes } => {
                let name = if to.0 == from.0 { "memmove" } else { "memcpy" };
                let (to, from) = (self.offset(*to), self.offset(*from));
                self.line(&format!(
                    "call void @llvm.{name}.p0.p0.i64(ptr {to}, ptr {from}, i64 {bytes}, i1 false)"
                ));
            }
            Stmt::Fill { to, value, bytes } => {
                let value = self.expr(value);
                let to = self.offset(*to);
                self.line(&format!(
                    "call void @llvm.memset.p0.i64(ptr {to}, i8 {value}, i64 {bytes}, i1 false)"
                ));
            }
        }
    }

    fn base(&mut self, region: Region) -> String {
        match region {
            Region::In => "%in".into(),
            Region::Out => "%out".into(),
            Region::Private => "%private".into(),
            Region::Table => format!("@p{}_constants", self.place),
            Region::Exchange => self.value(&format!("getelementptr i8, ptr %out, i64 {EXCHANGE}")),
        }
    }

    fn offset(&mut self, (region, at): (Region, u32)) -> String {
        let base = self.base(region);
        self.value(&format!("getelementptr i8, ptr {base}, i64 {at}"))
    }

    /// The address of the element that an i32 names, modulo the elements there are.
    fn address(&mut self, region: Region, index: &Expr, ty: Ty) -> String {
        let index = self.expr(index);
        let base = self.base(region);
        let elements = region.bytes() / (ty.bits() / 8);
        let index = self.value(&format!("and i32 {index}, {}", elements - 1));
        let index = self.value(&format!("zext i32 {index} to i64"));
        self.value(&format!("getelementptr {}, ptr {base}, i64 {index}", ty.name()))
    }

    /// The value with one and the same NaN for all: payloads and signs of results are not specified.
    fn canonical(&mut self, ty: Ty, value: String) -> String {
        if ty.scalar.is_int() {
            return value;
        }
        let as_int = ty.of(Scalar::Int(ty.scalar.bits()));
        let bits = self.value(&format!("bitcast {} {value} to {}", ty.name(), as_int.name()));
        let bits = self.canonical_bits(ty, bits);
        self.value(&format!("bitcast {} {bits} to {}", as_int.name(), ty.name()))
    }

    /// As [`Writer::canonical`], of the bits as integers. Done on integers, so that nothing is assumed about
    /// what instructions do to NaNs.
    fn canonical_bits(&mut self, ty: Ty, bits: String) -> String {
        let int = ty.of(Scalar::Int(ty.scalar.bits()));
        let (infinity, quiet) = (ty.scalar.infinity(), 1 << (ty.scalar.fraction_bits() - 1));
        let (name, truth) = (int.name(), ty.of(Scalar::Int(1)).name());
        let sign_off = splat(int, (1_u128 << (ty.scalar.bits() - 1)) - 1);
        let size = self.value(&format!("and {name} {bits}, {sign_off}"));
        let nan = self.value(&format!("icmp ugt {name} {size}, {}", splat(int, infinity)));
        self.value(&format!("select {truth} {nan}, {name} {}, {name} {bits}", splat(int, infinity | quiet)))
    }

    fn call(&mut self, name: &str, ty: &str, arguments: &[String]) -> String {
        self.value(&format!("call {ty} @{name}({})", arguments.join(", ")))
    }

    fn expr(&mut self, e: &Expr) -> String {
        let ty = e.ty();
        let name = ty.name();
        match e {
            Expr::Const(ty, lanes) => constant(*ty, lanes),
            Expr::Local(n, _) => self.value(&format!("load {name}, ptr %l{n}")),
            Expr::Thread => "%thread".into(),
            Expr::Unary(op, a) => {
                let a = self.expr(a);
                match *op {
                    "neg" => self.value(&format!("sub {name} {}, {a}", splat(ty, 0))),
                    "not" => self.value(&format!("xor {name} {a}, {}", splat(ty, u128::MAX))),
                    "fneg" => self.value(&format!("fneg {name} {a}")),
                    "ctlz" | "cttz" | "abs" => self.call(
                        &format!("llvm.{op}.{}", ty.suffix()),
                        &name,
                        &[format!("{name} {a}"), "i1 false".into()],
                    ),
                    _ => self.call(&format!("llvm.{op}.{}", ty.suffix()), &name, &[format!("{name} {a}")]),
                }
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.binary(op, ty, a, b)
            }
            Expr::Ternary(op, a, b, c) => {
                let arguments = [a, b, c].map(|e| format!("{name} {}", self.expr(e)));
                self.call(&format!("llvm.{op}.{}", ty.suffix()), &name, &arguments)
            }
            Expr::Compare(predicate, a, b) => {
                let of = a.ty();
                let (a, b) = (self.expr(a), self.expr(b));
                let word = if of.scalar.is_int() { "icmp" } else { "fcmp" };
                self.value(&format!("{word} {predicate} {} {a}, {b}", of.name()))
            }
            Expr::ThreeWay(op, a, b, _) => {
                let of = a.ty();
                let arguments = [a, b].map(|e| format!("{} {}", of.name(), self.expr(e)));
                self.call(&format!("llvm.{op}.{}.{}", ty.suffix(), of.suffix()), &name, &arguments)
            }
            Expr::Class(mask, a) => {
                let of = a.ty();
                let a = format!("{} {}", of.name(), self.expr(a));
                self.call(&format!("llvm.is.fpclass.{}", of.suffix()), &name, &[a, format!("i32 {mask}")])
            }
            Expr::Select(c, a, b) => {
                let condition = c.ty().name();
                let (c, a, b) = (self.expr(c), self.expr(a), self.expr(b));
                self.value(&format!("select {condition} {c}, {name} {a}, {name} {b}"))
            }
            Expr::Branch(c, a, b) => {
                let condition = self.expr(c);
                let (yes, no, end) = (self.new_label(), self.new_label(), self.new_label());
                self.fork(&condition, &yes, &no);
                let mut arms = Vec::new();
                for (label, e) in [(yes, a), (no, b)] {
                    self.block(&label);
                    let value = self.expr(e);
                    arms.push(format!("[{value}, %{}]", self.label));
                    self.jump(&end);
                }
                self.block(&end);
                self.value(&format!("phi {name} {}", arms.join(", ")))
            }
            Expr::Cast(op, a, _) => {
                let of = a.ty();
                let a = self.expr(a);
                match *op {
                    "fptosi" | "fptoui" => self.call(
                        &format!("llvm.{op}.sat.{}.{}", ty.suffix(), of.suffix()),
                        &name,
                        &[format!("{} {a}", of.name())],
                    ),
                    _ => self.value(&format!("{op} {} {a} to {name}", of.name())),
                }
            }
            Expr::Bits(a, _) => {
                let of = a.ty();
                let a = self.expr(a);
                let a = self.canonical(of, a);
                let int = ty.of(Scalar::Int(ty.scalar.bits()));
                let mut bits = a;
                if of != int {
                    bits = self.value(&format!("bitcast {} {bits} to {}", of.name(), int.name()));
                }
                if ty == int {
                    return bits;
                }
                let bits = self.canonical_bits(ty, bits);
                self.value(&format!("bitcast {} {bits} to {name}", int.name()))
            }
            Expr::Extract(a, index) => {
                let of = a.ty();
                let (a, index) = (self.expr(a), self.expr(index));
                let index = self.lane(of, index);
                self.value(&format!("extractelement {} {a}, i32 {index}", of.name()))
            }
            Expr::Insert(a, index, b) => {
                let (a, index, b) = (self.expr(a), self.expr(index), self.expr(b));
                let index = self.lane(ty, index);
                self.value(&format!("insertelement {name} {a}, {} {b}, i32 {index}", ty.element().name()))
            }
            Expr::Shuffle(a, b, lanes) => {
                let (a, b) = (self.expr(a), self.expr(b));
                let lanes: Vec<String> = lanes.iter().map(|lane| format!("i32 {lane}")).collect();
                let lanes = format!("<{} x i32> <{}>", lanes.len(), lanes.join(", "));
                self.value(&format!("shufflevector {name} {a}, {name} {b}, {lanes}"))
            }
            Expr::Reduce(op, a) => {
                let of = a.ty();
                let a = format!("{} {}", of.name(), self.expr(a));
                self.call(&format!("llvm.vector.reduce.{op}.{}", of.suffix()), &name, &[a])
            }
            Expr::Load(region, access, index, _) => {
                let address = self.address(*region, index, ty);
                let (before, after) = access_words(*access, ty);
                let value = self.value(&format!("load {before}{name}, ptr {address}{after}"));
                self.canonical(ty, value)
            }
            Expr::Call { callee, arguments, field, .. } => self.call_function(callee, arguments, *field, ty),
        }
    }

    /// A lane's number, modulo the lanes.
    fn lane(&mut self, ty: Ty, index: String) -> String {
        self.value(&format!("and i32 {index}, {}", ty.lanes - 1))
    }

    fn binary(&mut self, op: &str, ty: Ty, a: String, b: String) -> String {
        let name = ty.name();
        let truth = ty.of(Scalar::Int(1)).name();
        let intrinsic = |op: &str| format!("llvm.{op}.{}", ty.suffix());
        match op {
            "shl" | "lshr" | "ashr" | "sshl.sat" | "ushl.sat" => {
                let amount = self.value(&format!("urem {name} {b}, {}", splat(ty, ty.scalar.bits().into())));
                if op.ends_with("sat") {
                    return self.call(
                        &intrinsic(op),
                        &name,
                        &[format!("{name} {a}"), format!("{name} {amount}")],
                    );
                }
                self.value(&format!("{op} {name} {a}, {amount}"))
            }
            "udiv" | "urem" | "sdiv" | "srem" => {
                // No zero, and no -1 where the smallest number could be divided by it.
                let bad = if op.starts_with('u') {
                    self.value(&format!("icmp eq {name} {b}, {}", splat(ty, 0)))
                } else {
                    let up = self.value(&format!("add {name} {b}, {}", splat(ty, 1)));
                    self.value(&format!("icmp ult {name} {up}, {}", splat(ty, 2)))
                };
                // One is a divisor of two bits too, where three is -1.
                let divisor =
                    self.value(&format!("select {truth} {bad}, {name} {}, {name} {b}", splat(ty, 1)));
                self.value(&format!("{op} {name} {a}, {divisor}"))
            }
            "minnum" | "maxnum" => {
                // Which zero is the result is not specified: make it the positive one.
                let r = self.call(&intrinsic(op), &name, &[format!("{name} {a}"), format!("{name} {b}")]);
                self.value(&format!("fadd {name} {r}, {}", splat(ty, 0)))
            }
            "copysign" => {
                let b = self.canonical(ty, b);
                self.call(&intrinsic(op), &name, &[format!("{name} {a}"), format!("{name} {b}")])
            }
            "sadd" | "uadd" | "ssub" | "usub" | "smul" | "umul" => {
                let both = format!("{{{name}, {truth}}}");
                let r = self.call(
                    &intrinsic(&format!("{op}.with.overflow")),
                    &both,
                    &[format!("{name} {a}"), format!("{name} {b}")],
                );
                let value = self.value(&format!("extractvalue {both} {r}, 0"));
                let flag = self.value(&format!("extractvalue {both} {r}, 1"));
                self.value(&format!("select {truth} {flag}, {name} {b}, {name} {value}"))
            }
            "smin" | "smax" | "umin" | "umax" | "minimum" | "maximum" | "sadd.sat" | "uadd.sat"
            | "ssub.sat" | "usub.sat" => {
                self.call(&intrinsic(op), &name, &[format!("{name} {a}"), format!("{name} {b}")])
            }
            _ => self.value(&format!("{op} {name} {a}, {b}")),
        }
    }

    fn call_function(&mut self, callee: &Callee, arguments: &[Expr], field: usize, ty: Ty) -> String {
        let p = self.place;
        let (target, number) = match callee {
            Callee::Direct(f) => (format!("@p{p}_f{f}"), *f),
            Callee::Itself => (format!("@p{p}_f{}", self.function), self.function),
            Callee::Indirect(index) => {
                let index = self.expr(index);
                let index = self.value(&format!("and i32 {index}, {}", self.program.table.len() - 1));
                let index = self.value(&format!("zext i32 {index} to i64"));
                let at = self.value(&format!("getelementptr ptr, ptr @p{p}_table, i64 {index}"));
                (self.value(&format!("load ptr, ptr {at}")), self.program.table[0])
            }
        };
        let signature = &self.program.functions[number];
        // Only recursive calls increase the depth; other functions start at 0.
        let itself = matches!(callee, Callee::Itself);
        let mut join = None;
        let mut depth = String::from("0");
        if itself {
            let more = self.value(&format!("icmp ult i32 %depth, {DEPTH}"));
            let (yes, end) = (self.new_label(), self.new_label());
            let before = self.label.clone();
            self.fork(&more, &yes, &end);
            self.block(&yes);
            depth = self.value("add i32 %depth, 1");
            join = Some((before, end));
        }
        let mut values = arguments.iter();
        let mut list: Vec<String> =
            vec!["ptr %in".into(), "ptr %out".into(), "i32 %thread".into(), format!("i32 {depth}")];
        for parameter in &signature.parameters {
            let fields: Vec<String> =
                values.by_ref().take(parameter.fields.len()).map(|value| self.expr(value)).collect();
            let whole = match &fields[..] {
                [one] => one.clone(),
                many => self.pack(&parameter.fields, many),
            };
            let whole = match parameter.passing {
                Passing::Direct => whole,
                Passing::ByValue => {
                    let at = format!("%v{}", self.fresh());
                    let alloca = format!("  {at} = alloca {}, align 32\n", packed(&parameter.fields));
                    self.out.insert_str(self.entry, &alloca);
                    self.line(&format!("store {} {whole}, ptr {at}", packed(&parameter.fields)));
                    at
                }
            };
            list.push(format!("{} {whole}", parameter_type(parameter)));
        }
        let results = packed(&signature.results);
        let mut value = self.value(&format!("call {results} {target}({})", list.join(", ")));
        if signature.results.len() > 1 {
            value = self.value(&format!("extractvalue {results} {value}, {field}"));
        }
        if let Some((before, end)) = join {
            let last = self.label.clone();
            self.jump(&end);
            self.block(&end);
            value =
                self.value(&format!("phi {} [{}, %{before}], [{value}, %{last}]", ty.name(), splat(ty, 0)));
        }
        value
    }

    /// The kernel's body: phases, and the exchanges between them.
    fn kernel(&mut self) {
        let p = self.place;
        self.line("%thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()");
        self.line("%wide = zext i32 %thread to i64");
        for (name, bytes) in [("in", IN), ("out", OUT)] {
            let offset = self.value(&format!("mul i64 %wide, {bytes}"));
            let at = self.value(&format!("getelementptr i8, ptr addrspace(1) %{name}puts, i64 {offset}"));
            self.line(&format!("%{name} = addrspacecast ptr addrspace(1) {at} to ptr"));
        }
        self.line(&format!("%value = getelementptr i8, ptr %out, i64 {EXCHANGE}"));
        self.line(&format!("%selector = getelementptr i8, ptr %out, i64 {}", EXCHANGE + 8));
        for n in 0..self.program.phases {
            self.line(&format!("call void @p{p}_f{n}(ptr %in, ptr %out, i32 %thread, i32 0)"));
            if let Some(exchange) = self.program.exchanges.get(n) {
                let value = self.value("load i64, ptr %value");
                let selector = self.value("load i64, ptr %selector");
                let result = self.exchange(*exchange, value, selector);
                self.line(&format!("store i64 {result}, ptr %value"));
            }
        }
        self.line("ret void");
    }

    fn barrier(&mut self, kind: usize) {
        self.line(match kind % 4 {
            0 => "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
            1 => "call void @llvm.nvvm.barrier.cta.sync.all(i32 3)",
            2 => "call void @llvm.nvvm.barrier.cta.sync.count(i32 2, i32 64)",
            _ => "call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 15, i32 64)",
        });
    }

    /// The device's side of an exchange; `host.c` has its meaning.
    fn exchange(&mut self, exchange: Exchange, value: String, selector: String) -> String {
        match exchange {
            Exchange::Shuffle { mode, width } => {
                let word = self.value(&format!("trunc i64 {value} to i32"));
                let lane = self.value(&format!("trunc i64 {selector} to i32"));
                let clamp = (32 - width) << 8 | if mode == 2 { 0 } else { 31 };
                let r = self.call(
                    &format!("llvm.nvvm.shfl.sync.{}.i32p", ["idx", "bfly", "up", "down"][mode]),
                    "{i32, i1}",
                    &["i32 -1".into(), format!("i32 {word}"), format!("i32 {lane}"), format!("i32 {clamp}")],
                );
                self.word_and_flag(&r)
            }
            Exchange::Vote { mode } => {
                let bit = self.value(&format!("trunc i64 {value} to i1"));
                let (name, ty) = [("ballot", "i32"), ("any", "i1"), ("all", "i1"), ("uni", "i1")][mode];
                let arguments = ["i32 -1".into(), format!("i1 {bit}")];
                let r = self.call(&format!("llvm.nvvm.vote.{name}.sync"), ty, &arguments);
                self.value(&format!("zext {ty} {r} to i64"))
            }
            Exchange::Match { all, bits } => {
                let key = if bits == 32 {
                    let word = self.value(&format!("trunc i64 {value} to i32"));
                    self.value(&format!("and i32 {word}, 3"))
                } else {
                    self.value(&format!("and i64 {value}, {}", 0x3_0000_0001_u64))
                };
                let arguments = ["i32 -1".into(), format!("i{bits} {key}")];
                if all {
                    let r = self.call(&format!("llvm.nvvm.match.all.sync.i{bits}p"), "{i32, i1}", &arguments);
                    return self.word_and_flag(&r);
                }
                let r = self.call(&format!("llvm.nvvm.match.any.sync.i{bits}"), "i32", &arguments);
                self.value(&format!("zext i32 {r} to i64"))
            }
            Exchange::Redux { op } => {
                let word = self.value(&format!("trunc i64 {value} to i32"));
                let name = ["add", "min", "umin", "max", "umax", "and", "or", "xor"][op];
                let arguments = [format!("i32 {word}"), "i32 -1".into()];
                let r = self.call(&format!("llvm.nvvm.redux.sync.{name}"), "i32", &arguments);
                self.value(&format!("zext i32 {r} to i64"))
            }
            Exchange::Shared { sync } => {
                let mine = self.value("getelementptr i64, ptr addrspace(3) @shared, i32 %thread");
                self.line(&format!("store i64 {value}, ptr addrspace(3) {mine}"));
                self.barrier(sync);
                let other = self.value("mul i32 %thread, 5");
                let other = self.value(&format!("add i32 {other}, 3"));
                let other = self.value(&format!("and i32 {other}, 63"));
                let other = self.value(&format!("getelementptr i64, ptr addrspace(3) @shared, i32 {other}"));
                let r = self.value(&format!("load i64, ptr addrspace(3) {other}"));
                self.barrier(sync / 4);
                r
            }
            Exchange::Atomic { op, bits, shared, order, initial } => {
                let (space, cells) = self.cells(shared);
                let ty = Ty::int(bits).name();
                // Threads 0 to 7 set the cells; the others write what nobody reads.
                let cell = self.value(&format!("getelementptr i64, {space} {cells}, i64 %wide"));
                let first = literal(Scalar::Int(bits), initial.into());
                self.line(&format!("store {ty} {first}, {space} {cell}, align 8"));
                self.barrier(0);
                let which = self.value(&format!("and i64 {selector}, {}", CELLS - 1));
                let at = self.value(&format!("getelementptr i64, {space} {cells}, i64 {which}"));
                let name = ["add", "min", "umin", "max", "umax", "and", "or", "xor", "uinc_wrap"][op];
                let operand = if op == 8 { first } else { self.narrow(&value, bits) };
                let order = ORDERS[order];
                self.value(&format!("atomicrmw {name} {space} {at}, {ty} {operand} {order}, align 8"));
                self.barrier(1);
                let which = self.value(&format!("and i64 %wide, {}", CELLS - 1));
                let at = self.value(&format!("getelementptr i64, {space} {cells}, i64 {which}"));
                let r = self.value(&format!("load {ty}, {space} {at}, align 8"));
                let r = self.widen(r, bits);
                self.barrier(2);
                r
            }
            Exchange::Swap { mode, bits, shared } => {
                let (space, cells) = self.cells(shared);
                let ty = Ty::int(bits).name();
                let cell = self.value(&format!("getelementptr i64, {space} {cells}, i64 %wide"));
                let (new, old) = (self.narrow(&value, bits), self.narrow(&selector, bits));
                self.line(&format!("store {ty} {old}, {space} {cell}, align 8"));
                let was = if mode == 0 {
                    self.value(&format!("atomicrmw xchg {space} {cell}, {ty} {new} acq_rel, align 8"))
                } else {
                    let bit = self.value(&format!("and {ty} {new}, 1"));
                    let expected = self.value(&format!("xor {ty} {old}, {bit}"));
                    let both = self.value(&format!(
                        "cmpxchg {space} {cell}, {ty} {expected}, {ty} {new} acq_rel monotonic, align 8"
                    ));
                    self.value(&format!("extractvalue {{{ty}, i1}} {both}, 0"))
                };
                let is = self.value(&format!("load {ty}, {space} {cell}, align 8"));
                let (was, is) = (self.widen(was, bits), self.widen(is, bits));
                let is = self.value(&format!("mul i64 {is}, 3"));
                self.barrier(0);
                self.value(&format!("xor i64 {was}, {is}"))
            }
            Exchange::BarrierReduce { mode } => {
                let bit = self.value(&format!("trunc i64 {value} to i1"));
                let (name, ty) = [("popc", "i32"), ("and", "i1"), ("or", "i1")][mode];
                let r = self.call(
                    &format!("llvm.nvvm.barrier.cta.red.{name}.aligned.all"),
                    ty,
                    &["i32 0".into(), format!("i1 {bit}")],
                );
                self.value(&format!("zext {ty} {r} to i64"))
            }
        }
    }

    /// The pointer type and the name of the cells.
    fn cells(&self, shared: bool) -> (String, String) {
        match shared {
            true => ("ptr addrspace(3)".into(), "@shared".into()),
            false => ("ptr addrspace(1)".into(), format!("@p{}_cells", self.place)),
        }
    }

    fn narrow(&mut self, value: &str, bits: u32) -> String {
        match bits {
            64 => value.into(),
            _ => self.value(&format!("trunc i64 {value} to i{bits}")),
        }
    }

    fn widen(&mut self, value: String, bits: u32) -> String {
        match bits {
            64 => value,
            _ => self.value(&format!("zext i{bits} {value} to i64")),
        }
    }

    /// `{i32, i1}` as one i64.
    fn word_and_flag(&mut self, pair: &str) -> String {
        let word = self.value(&format!("extractvalue {{i32, i1}} {pair}, 0"));
        let flag = self.value(&format!("extractvalue {{i32, i1}} {pair}, 1"));
        let (word, flag) =
            (self.value(&format!("zext i32 {word} to i64")), self.value(&format!("zext i1 {flag} to i64")));
        let high = self.value(&format!("shl i64 {flag}, 32"));
        self.value(&format!("or i64 {word}, {high}"))
    }
}

/// What stands before the type and behind the address.
fn access_words(access: Access, ty: Ty) -> (&'static str, String) {
    let bytes = ty.bits() / 8;
    match access {
        Access::Plain => ("", format!(", align {bytes}")),
        Access::Unaligned => ("", ", align 1".into()),
        Access::Volatile => ("volatile ", format!(", align {bytes}")),
        Access::Atomic(order) => ("atomic ", format!(" {order}, align {bytes}")),
    }
}
