//! A builder of LLVM IR text: typed values, unique names, blocks with phis and one terminator.
//!
//! It keeps names unique, operand types consistent and declarations complete. It does not verify the module;
//! the tests run LLVM's tools on it, which do.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::{self, Display, Write};

/// The data layout of LLVM 22's nvptx64 target.
pub(crate) const LAYOUT_LINE: &str =
    "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"";

/// The target.
pub(crate) const TRIPLE_LINE: &str = "target triple = \"nvptx64-nvidia-cuda\"";

/// An LLVM type, as text.
pub(crate) type Ty = Cow<'static, str>;

/// A typed operand: a constant, a parameter, a global or the result of an instruction.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    ty: Ty,
    text: Ty,
}

impl Value {
    /// A constant, a global or a function of type `ty`.
    pub(crate) fn new(ty: impl Into<Ty>, text: impl Into<Ty>) -> Self {
        Self { ty: ty.into(), text: text.into() }
    }

    pub(crate) fn i16(value: i16) -> Self {
        Self::new("i16", value.to_string())
    }

    pub(crate) fn i32(value: u32) -> Self {
        // Signed: LLVM rejects decimal constants outside of the type's signed range.
        Self::new("i32", value.cast_signed().to_string())
    }

    pub(crate) fn i64(value: u64) -> Self {
        Self::new("i64", value.cast_signed().to_string())
    }

    pub(crate) fn function(name: &str) -> Self {
        Self::new("ptr", format!("@{name}"))
    }

    pub(crate) fn ty(&self) -> &str {
        &self.ty
    }
}

/// The operand with its type, as most instructions take it.
impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.ty, self.text)
    }
}

/// A basic block of the function under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block(usize);

/// A phi whose incoming values may still be added.
#[derive(Clone, Debug)]
pub(crate) struct Phi {
    block: Block,
    index: usize,
    /// The value it defines.
    pub(crate) value: Value,
}

#[derive(Debug)]
struct PhiText {
    value: Value,
    incoming: Vec<(Value, Block)>,
}

#[derive(Debug)]
struct BlockText {
    label: String,
    phis: Vec<PhiText>,
    instructions: String,
    terminated: bool,
}

/// A function under construction; instructions go to the block entered last.
#[derive(Debug)]
pub(crate) struct Function {
    comment: &'static str,
    header: String,
    params: Vec<String>,
    attributes: String,
    blocks: Vec<BlockText>,
    /// The blocks in the order in which they were entered, which is how they are written.
    order: Vec<Block>,
    current: usize,
    names: HashMap<String, u32>,
    declarations: BTreeSet<String>,
    /// The function's `alloca`s, by name: the pointer and the instruction's text.
    scratch: BTreeMap<String, (Value, String)>,
}

impl Function {
    /// Starts `define {qualifiers} void @{name}() {attributes}` in a block named `entry`.
    ///
    /// `comment` becomes comment lines above it.
    pub(crate) fn new(comment: &'static str, qualifiers: &str, name: &str, attributes: &str) -> Self {
        let space = if qualifiers.is_empty() { "" } else { " " };
        let mut function = Self {
            comment,
            header: format!("define {qualifiers}{space}void @{name}"),
            params: Vec::new(),
            attributes: attributes.to_owned(),
            blocks: Vec::new(),
            order: Vec::new(),
            current: 0,
            names: HashMap::new(),
            declarations: BTreeSet::new(),
            scratch: BTreeMap::new(),
        };
        let entry = function.block("entry");
        function.enter(entry);
        function
    }

    /// Sets the type of the return value; `void` otherwise.
    pub(crate) fn returns(&mut self, ty: &str) {
        self.header = self.header.replacen("void @", &format!("{ty} @"), 1);
    }

    /// Adds a parameter.
    pub(crate) fn param(&mut self, ty: &'static str, name: &str) -> Value {
        self.param_with(ty, "", name)
    }

    /// Adds a parameter with attributes.
    pub(crate) fn param_with(&mut self, ty: &'static str, attributes: &str, name: &str) -> Value {
        let value = Value::new(ty, format!("%{}", self.unique(name)));
        let space = if attributes.is_empty() { "" } else { " " };
        self.params.push(format!("{ty}{space}{attributes} {}", value.text));
        value
    }

    /// A new block. [`enter`](Self::enter) makes it the one that instructions go to.
    pub(crate) fn block(&mut self, hint: &str) -> Block {
        let label = self.unique(hint);
        self.blocks.push(BlockText {
            label,
            phis: Vec::new(),
            instructions: String::new(),
            terminated: false,
        });
        Block(self.blocks.len() - 1)
    }

    /// Makes `block` the one that instructions go to; each block is entered once.
    pub(crate) fn enter(&mut self, block: Block) {
        debug_assert!(!self.order.contains(&block), "block {} entered twice", self.blocks[block.0].label);
        self.order.push(block);
        self.current = block.0;
    }

    /// The block that instructions go to.
    pub(crate) fn current(&self) -> Block {
        Block(self.current)
    }

    /// An instruction with a result of type `ty`; `text` follows the `=`.
    pub(crate) fn inst(&mut self, hint: &str, ty: impl Into<Ty>, text: impl Display) -> Value {
        let value = Value::new(ty, format!("%{}", self.unique(hint)));
        self.line(format_args!("{} = {text}", value.text));
        value
    }

    /// An instruction of the form `{name} {type} {left}, {right}` whose result has the operands' type.
    pub(crate) fn binary(&mut self, hint: &str, name: &str, left: &Value, right: &Value) -> Value {
        debug_assert_eq!(left.ty, right.ty, "operands of {name}");
        self.inst(hint, left.ty.clone(), format_args!("{name} {left}, {}", right.text))
    }

    pub(crate) fn icmp(&mut self, hint: &str, predicate: &str, left: &Value, right: &Value) -> Value {
        debug_assert_eq!(left.ty, right.ty, "operands of icmp {predicate}");
        self.inst(hint, "i1", format_args!("icmp {predicate} {left}, {}", right.text))
    }

    pub(crate) fn fcmp(&mut self, hint: &str, predicate: &str, left: &Value, right: &Value) -> Value {
        debug_assert_eq!(left.ty, right.ty, "operands of fcmp {predicate}");
        self.inst(hint, "i1", format_args!("fcmp {predicate} {left}, {}", right.text))
    }

    pub(crate) fn select(&mut self, hint: &str, condition: &Value, yes: &Value, no: &Value) -> Value {
        debug_assert_eq!(yes.ty, no.ty, "arms of select");
        self.inst(hint, yes.ty.clone(), format_args!("select {condition}, {yes}, {no}"))
    }

    /// A cast instruction; none if the value has type `ty` already.
    pub(crate) fn cast(&mut self, hint: &str, name: &str, value: &Value, ty: impl Into<Ty>) -> Value {
        let ty = ty.into();
        if value.ty == ty {
            return value.clone();
        }
        self.inst(hint, ty.clone(), format_args!("{name} {value} to {ty}"))
    }

    /// Uninitialised local memory; the same memory for the same name. The `alloca` is in the entry block,
    /// where LLVM can promote it to registers.
    pub(crate) fn scratch(&mut self, name: &str, ty: &str, align: u32) -> Value {
        if let Some((value, _)) = self.scratch.get(name) {
            return value.clone();
        }
        let value = Value::new("ptr", format!("%{}", self.unique(name)));
        let text = format!("  {} = alloca {ty}, align {align}\n", value.text);
        self.scratch.insert(name.to_owned(), (value.clone(), text));
        value
    }

    pub(crate) fn load(&mut self, hint: &str, ty: impl Into<Ty>, from: &Value, align: u32) -> Value {
        let ty = ty.into();
        self.inst(hint, ty.clone(), format_args!("load {ty}, {from}, align {align}"))
    }

    /// A load that carries `!invariant.load`.
    pub(crate) fn load_marked(
        &mut self,
        hint: &str,
        ty: impl Into<Ty>,
        from: &Value,
        align: u32,
        invariant: Node,
    ) -> Value {
        let ty = ty.into();
        let load = format!("load {ty}, {from}, align {align}, !invariant.load !{}", invariant.0);
        self.inst(hint, ty, load)
    }

    pub(crate) fn store(&mut self, value: &Value, to: &Value, align: u32) {
        self.line(format_args!("store {value}, {to}, align {align}"));
    }

    /// A call of a function of this module.
    pub(crate) fn call(&mut self, name: &str, arguments: &[&Value]) {
        let arguments = list(arguments.iter());
        self.line(format_args!("call void @{name}({arguments})"));
    }

    /// A call of an intrinsic or a function of another module, which it declares.
    pub(crate) fn call_extern(
        &mut self,
        hint: &str,
        attributes: &str,
        ty: impl Into<Ty>,
        name: &str,
        arguments: &[&Value],
    ) -> Value {
        let ty = ty.into();
        let types = list(arguments.iter().map(|value| value.ty()));
        let space = if attributes.is_empty() { "" } else { " " };
        self.declarations.insert(format!("declare {ty} @{name}({types}){space}{attributes}"));
        let call = format!("call {ty} @{name}({})", list(arguments.iter()));
        if ty == "void" {
            self.line(format_args!("{call}"));
            Value::new(ty, "")
        } else {
            self.inst(hint, ty, call)
        }
    }

    /// A phi of the current block.
    pub(crate) fn phi(&mut self, hint: &str, ty: &str) -> Phi {
        let value = Value::new(ty.to_owned(), format!("%{}", self.unique(hint)));
        let phis = &mut self.blocks[self.current].phis;
        phis.push(PhiText { value: value.clone(), incoming: Vec::new() });
        Phi { block: Block(self.current), index: phis.len() - 1, value }
    }

    /// Adds the phi's value when control comes from `block`.
    pub(crate) fn incoming(&mut self, phi: &Phi, value: &Value, block: Block) {
        debug_assert_eq!(phi.value.ty, value.ty, "incoming value of {}", phi.value.text);
        self.blocks[phi.block.0].phis[phi.index].incoming.push((value.clone(), block));
    }

    pub(crate) fn br(&mut self, to: Block) {
        self.terminate(format!("br label %{}", self.blocks[to.0].label));
    }

    /// The branch that closes a loop, with the loop's metadata.
    pub(crate) fn br_back(&mut self, to: Block, metadata: Node) {
        self.terminate(format!("br label %{}, !llvm.loop !{}", self.blocks[to.0].label, metadata.0));
    }

    pub(crate) fn cond_br(&mut self, condition: &Value, yes: Block, no: Block) {
        let (yes, no) = (&self.blocks[yes.0].label, &self.blocks[no.0].label);
        self.terminate(format!("br {condition}, label %{yes}, label %{no}"));
    }

    /// A branch that is rarely taken; `weights` is [`Module::rarely`].
    pub(crate) fn rare_br(&mut self, condition: &Value, rare: Block, usual: Block, weights: Node) {
        let (rare, usual) = (&self.blocks[rare.0].label, &self.blocks[usual.0].label);
        self.terminate(format!("br {condition}, label %{rare}, label %{usual}, !prof !{}", weights.0));
    }

    pub(crate) fn ret(&mut self) {
        self.terminate("ret void".to_owned());
    }

    pub(crate) fn ret_value(&mut self, value: &Value) {
        self.terminate(format!("ret {value}"));
    }

    fn terminate(&mut self, text: String) {
        self.line(format_args!("{text}"));
        self.blocks[self.current].terminated = true;
    }

    fn line(&mut self, text: fmt::Arguments<'_>) {
        let block = &mut self.blocks[self.current];
        debug_assert!(!block.terminated, "`{text}` after the terminator of block {}", block.label);
        let _ = writeln!(block.instructions, "  {text}");
    }

    /// A name derived from `hint`, unique in the function.
    fn unique(&mut self, hint: &str) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' };
        let mut base: String = hint.chars().map(plain).collect();
        // LLVM reserves names of digits for unnamed values.
        if base.starts_with(|c: char| c.is_ascii_digit()) {
            base.insert(0, '_');
        }
        let mut name = base.clone();
        while self.names.contains_key(&name) {
            let count = self.names.entry(base.clone()).or_default();
            *count += 1;
            name = format!("{base}.{count}");
        }
        self.names.insert(name.clone(), 0);
        name
    }

    fn write(&self, out: &mut String) {
        for line in self.comment.lines() {
            let _ = writeln!(out, "; {line}");
        }
        let _ = writeln!(out, "{}({}) {} {{", self.header, self.params.join(", "), self.attributes);
        debug_assert_eq!(self.order.len(), self.blocks.len(), "blocks of {} never entered", self.header);
        for (index, block) in self.order.iter().map(|block| &self.blocks[block.0]).enumerate() {
            debug_assert!(block.terminated, "block {} has no terminator", block.label);
            if index > 0 {
                out.push('\n');
            }
            let _ = writeln!(out, "{}:", block.label);
            for PhiText { value, incoming } in &block.phis {
                let edge = |(value, block): &(Value, Block)| {
                    format!("[ {}, %{} ]", value.text, self.blocks[block.0].label)
                };
                let incoming = list(incoming.iter().map(edge));
                let _ = writeln!(out, "  {} = phi {} {incoming}", value.text, value.ty);
            }
            if index == 0 {
                out.extend(self.scratch.values().map(|(_, text)| text.as_str()));
            }
            out.push_str(&block.instructions);
        }
        out.push_str("}\n");
    }
}

/// A metadata node of the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node(pub(crate) usize);

/// A module under construction.
#[derive(Debug, Default)]
pub(crate) struct Module {
    comments: String,
    globals: String,
    functions: Vec<Function>,
    nodes: Vec<String>,
}

impl Module {
    /// A comment line at the start of the module. Line ends in it are escaped.
    pub(crate) fn comment(&mut self, text: &str) {
        let _ = writeln!(self.comments, "; {}", text.escape_debug());
    }

    /// A line of text that defines a global or a named type.
    pub(crate) fn global(&mut self, text: impl Display) {
        let _ = writeln!(self.globals, "{text}");
    }

    /// A new metadata node.
    pub(crate) fn node(&mut self, text: impl Into<String>) -> Node {
        self.nodes.push(text.into());
        Node(self.nodes.len() - 1)
    }

    /// Metadata for one loop that LLVM must not unroll, because the emitter has chosen the factor.
    pub(crate) fn loop_as_written(&mut self) -> Node {
        let disable = self.node("!{!\"llvm.loop.unroll.disable\"}");
        let id = self.nodes.len();
        self.node(format!("distinct !{{!{id}, !{}}}", disable.0))
    }

    /// The weights of a branch that is rarely taken.
    pub(crate) fn rarely(&mut self) -> Node {
        self.node("!{!\"branch_weights\", i32 1, i32 2000}")
    }

    pub(crate) fn function(&mut self, function: Function) {
        self.functions.push(function);
    }

    /// The module's text.
    pub(crate) fn finish(self) -> String {
        let mut out = self.comments;
        // LLVM's parser expects the target first.
        let _ = writeln!(out, "{LAYOUT_LINE}\n{TRIPLE_LINE}\n");
        out.push_str(&self.globals);
        let mut declarations = BTreeSet::new();
        for function in &self.functions {
            out.push('\n');
            function.write(&mut out);
            declarations.extend(&function.declarations);
        }
        out.push('\n');
        for declaration in declarations {
            let _ = writeln!(out, "{declaration}");
        }
        if !self.nodes.is_empty() {
            out.push('\n');
        }
        for (id, node) in self.nodes.iter().enumerate() {
            let _ = writeln!(out, "!{id} = {node}");
        }
        out
    }
}

fn list(items: impl Iterator<Item = impl Display>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_plain() {
        let mut f = Function::new("", "", "f", "nounwind");
        let one = f.param("i32", "x");
        let hints = ["x", "x", "x.1", "7", "entry", "a b\n}", "é"];
        let names: Vec<_> = hints.map(|hint| f.binary(hint, "add", &one, &one).text).to_vec();
        assert_eq!(names, ["%x.1", "%x.2", "%x.1.1", "%_7", "%entry.1", "%a_b__", "%_"]);
    }

    #[test]
    fn declarations_come_from_calls_once() {
        let mut f = Function::new("", "", "f", "nounwind");
        let (one, two) = (Value::i32(1), Value::i16(-2));
        f.call_extern("", "convergent", "void", "g", &[&one, &two]);
        let result = f.call_extern("r", "convergent", "void", "g", &[&one, &two]);
        assert_eq!(result.ty(), "void");
        f.ret();
        let mut module = Module::default();
        module.comment("two\nlines");
        module.function(f);
        let text = module.finish();
        assert_eq!(text.matches("call void @g(i32 1, i16 -2)\n").count(), 2);
        assert_eq!(text.matches("declare void @g(i32, i16) convergent\n").count(), 1);
        assert!(text.starts_with("; two\\nlines\ntarget "), "{text}");
    }

    #[test]
    fn blocks_are_written_in_the_order_they_are_entered() {
        let mut f = Function::new("", "internal", "f", "nounwind");
        let [last, first] = ["last", "first"].map(|name| f.block(name));
        f.br(first);
        f.enter(first);
        f.br(last);
        f.enter(last);
        let phi = f.phi("p", "i32");
        f.incoming(&phi, &Value::i32(u32::MAX), first);
        f.ret();
        let mut module = Module::default();
        module.function(f);
        let text = module.finish();
        let body = "define internal void @f() nounwind {\nentry:\n  br label %first\n\nfirst:\n  br label %last\n\n\
                    last:\n  %p = phi i32 [ -1, %first ]\n  ret void\n}\n";
        assert!(text.contains(body), "{text}");
    }
}
