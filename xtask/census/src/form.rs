//! Forms of PTX: an opcode with all its modifiers and the kinds of its operands. Reads forms from PTX text,
//! and writes a module that contains only one form.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A form with an example.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Form {
    /// What identifies it, such as `atom.global.add.u32 x, [x], x`: `x` is a number or a register, `p` a
    /// predicate, `s` a symbol.
    pub key: String,
    /// A statement, with registers numbered from 1 and a few standard names.
    pub example: String,
}

/// Prefixes of the registers' names that LLVM prints, and their types.
const REGISTERS: [(&str, &str); 8] = [
    ("%p", ".pred"),
    ("%rs", ".b16"),
    ("%r", ".b32"),
    ("%rd", ".b64"),
    ("%rq", ".b128"),
    ("%f", ".f32"),
    ("%fd", ".f64"),
    ("%h", ".b16"),
];
/// Directives between a kernel's parameters and its body.
const HINTS: [&str; 9] = [
    ".maxntid",
    ".reqntid",
    ".minnctapersm",
    ".maxnreg",
    ".maxclusterrank",
    ".reqnctapercluster",
    ".explicitcluster",
    ".blocksareclusters",
    ".noreturn",
];
/// The shortest list of consecutive registers that is abbreviated.
const SHORT: usize = 4;

/// All forms of a module as LLVM prints it.
pub fn forms(ptx: &str) -> BTreeSet<Form> {
    let mut found = BTreeSet::new();
    let mut lines = ptx.lines().map(|line| {
        let (code, comment) = line.split_once("//").unwrap_or((line, ""));
        // Braces of a function are at the start of the line, those of a call have a comment.
        let inner = code.starts_with(char::is_whitespace) && !comment.contains("callseq");
        (code.trim(), inner)
    });
    while let Some((line, inner)) = lines.next() {
        let mut text = line.to_owned();
        // A block with local registers, and a statement over several lines, become one line.
        let block = text.starts_with('{') && (text.len() > 1 || inner);
        let open = |text: &str| text.matches('{').count() > text.matches('}').count();
        let table = text.contains(".branchtargets") || text.contains(".callprototype");
        while block && open(&text) || table && !text.ends_with(';') {
            let Some((more, _)) = lines.next() else { break };
            text = format!("{text} {more}");
        }
        if table || text.is_empty() || text.ends_with(':') {
            continue;
        }
        if text.starts_with('.') {
            found.extend(directive(&text.split_whitespace().collect::<Vec<_>>().join(" ")));
        } else if text.starts_with('{') && text.len() > 1 {
            let local = declared(&text);
            for statement in text.trim_matches(['{', '}', ' ']).split(';').map(str::trim) {
                if statement.starts_with(|c: char| c.is_ascii_lowercase()) {
                    let example = normal(&text, &local);
                    let key = key(&normal(statement, &local), &local);
                    found.insert(Form { key, example });
                }
            }
        } else {
            for statement in text.split_inclusive(';').map(str::trim) {
                let bare = unguarded(statement);
                if statement.ends_with(';') && bare.starts_with(|c: char| c.is_ascii_lowercase()) {
                    let example = normal(bare, &[]);
                    found.insert(Form { key: key(&example, &[]), example });
                }
            }
        }
    }
    found
}

fn unguarded(statement: &str) -> &str {
    match statement.starts_with('@') {
        true => statement.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim()),
        false => statement,
    }
}

/// The registers that a block declares.
fn declared(block: &str) -> Vec<&str> {
    let declarations =
        block.split(';').filter_map(|part| part.trim_matches(['{', ' ', '\t']).strip_prefix(".reg "));
    declarations
        .flat_map(|d| {
            d.split(|c: char| c.is_whitespace() || c == ',')
                .filter(|name| !name.is_empty() && !name.starts_with('.'))
        })
        .collect()
}

/// The form of a variable's declaration, a kernel's hint, an alias or a pragma; none for other directives.
fn directive(line: &str) -> Option<Form> {
    let word = line.split([' ', '\t', ';']).next().unwrap_or_default();
    if HINTS.contains(&word) {
        let numbers = line.matches(',').count() + usize::from(line.contains(' '));
        let key = format!("{word} {}", vec!["x"; numbers].join(", ")).trim().to_owned();
        return Some(Form { key, example: line.to_owned() });
    }
    if word == ".pragma" {
        return Some(Form { key: line.trim_end_matches(';').to_owned(), example: line.to_owned() });
    }
    if word == ".alias" {
        return Some(Form { key: String::from(".alias s, s"), example: String::from(".alias g, f;") });
    }
    let is_variable = [".global", ".const", ".shared", ".local"].iter().any(|space| line.contains(space));
    if !is_variable || !line.ends_with(';') || line.contains(".func") || line.contains(".entry") {
        return None;
    }
    let (left, value) =
        line.trim_end_matches(';').split_once('=').map_or((line, None), |(l, v)| (l, Some(v.trim())));
    let words = left.trim_end_matches([';', ' ']).split_whitespace();
    let mut key: Vec<&str> = words.filter(|w| w.starts_with('.')).collect();
    let array = left.split_once('[').map(|(_, size)| if size.starts_with(']') { "s[]" } else { "s[x]" });
    key.push(array.unwrap_or("s"));
    let kind = value.map(|value| match value {
        _ if value.contains('(') && value.contains("0x") => "= masked addresses",
        _ if value.contains("generic(") => "= generic addresses",
        _ if value.trim_matches(['{', ' ']).starts_with(|c: char| c.is_ascii_alphabetic()) => "= addresses",
        _ if value.starts_with('{') => "= {x}",
        _ => "= x",
    });
    key.extend(kind);
    Some(Form { key: key.join(" "), example: line.to_owned() })
}

/// The tokens of a statement: names with their prefixes and modifiers, numbers, and single characters.
fn tokens(statement: &str) -> Vec<&str> {
    let named = |c: char| c.is_ascii_alphanumeric() || "_$.%:".contains(c);
    let (mut tokens, mut rest) = (Vec::new(), statement);
    while let Some(first) = rest.chars().next() {
        let length = if named(first) || first == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            1 + rest[1..].find(|c| !named(c)).unwrap_or(rest.len() - 1)
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..length]);
        rest = &rest[length..];
    }
    tokens
}

/// The prefix and the number of a register as LLVM names it.
fn register(token: &str) -> Option<(&'static str, usize)> {
    // The stack pointers are ordinary registers.
    match token {
        "%SP" => return Some(("%rd", usize::MAX)),
        "%SPL" => return Some(("%rd", usize::MAX - 1)),
        _ => {}
    }
    let digits = token.find(|c: char| c.is_ascii_digit())?;
    let number = token[digits..].parse().ok()?;
    REGISTERS.iter().find(|(prefix, _)| *prefix == &token[..digits]).map(|(prefix, _)| (*prefix, number))
}

fn is_number(token: &str) -> bool {
    token.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit())
}

/// The statement with registers renumbered in order of appearance, and one name for all symbols of a kind.
fn normal(statement: &str, local: &[&str]) -> String {
    let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut numbers: BTreeMap<&str, BTreeMap<usize, usize>> = BTreeMap::new();
    let mut text = String::new();
    let opcode_end = statement.find(' ').unwrap_or(statement.len());
    let is_call = statement.starts_with("call");
    let (mut at, mut arguments) = (0, 0);
    for token in tokens(&statement) {
        let start = at;
        at += token.len();
        let single = !token.starts_with(|c: char| c.is_ascii_alphabetic() || "_$%".contains(c));
        if token == "(" {
            arguments += 1;
        }
        if start < opcode_end && !statement.starts_with('{') || single || token.starts_with('.') {
            text.push_str(token);
        } else if let Some((prefix, number)) = register(token) {
            let seen = numbers.entry(prefix).or_default();
            let next = seen.len() + 1;
            let _ = write!(text, "{prefix}{}", seen.entry(number).or_insert(next));
        } else if token.starts_with('%') || local.contains(&token) || ["WARP_SZ", "_"].contains(&token) {
            text.push_str(token);
        } else if statement.starts_with('{') && token.contains('.') && !token.contains("_param_") {
            text.push_str(token); // an opcode in a block
        } else if token.starts_with("$L_brx") {
            text.push_str("$T");
        } else if token.starts_with("$L") {
            text.push_str("$L");
        } else if token.contains("_param_") {
            text.push_str("f_param_0");
        } else if token.starts_with("prototype_") {
            text.push_str("prototype");
        } else if ["func_retval0", "retval0"].contains(&token)
            || token.starts_with("param") && arguments < 2 + usize::from(is_call)
        {
            text.push_str(token);
        } else {
            text.push_str(if is_call { "f" } else { "s" });
        }
    }
    shortened(&text)
}

/// `{%r1, %r2, %r3, %r4}` as `{%r1-%r4}`.
fn shortened(text: &str) -> String {
    in_braces(text, |list| {
        let all: Vec<Option<_>> = list.split(", ").map(register).collect();
        let (Some(Some((prefix, first))), Some(Some((_, last)))) = (all.first(), all.last()) else {
            return list.to_owned();
        };
        let in_order = all.iter().zip(*first..).all(|(one, number)| *one == Some((*prefix, number)));
        match in_order && all.len() >= SHORT {
            true => format!("{prefix}{first}-{prefix}{last}"),
            false => list.to_owned(),
        }
    })
}

/// Undoes [`shortened`].
fn lengthened(text: &str) -> String {
    in_braces(text, |list| {
        let ends = list.split_once('-').map(|(first, last)| (register(first), register(last)));
        let Some((Some((prefix, first)), Some((_, last)))) = ends else { return list.to_owned() };
        (first..=last).map(|n| format!("{prefix}{n}")).collect::<Vec<_>>().join(", ")
    })
}

/// The text with `change` applied to the contents of each innermost pair of braces.
fn in_braces(text: &str, change: impl Fn(&str) -> String) -> String {
    let parts = text.split_inclusive(['{', '}']).map(|part| match part.strip_suffix('}') {
        Some(list) => format!("{}}}", change(list)),
        None => part.to_owned(),
    });
    parts.collect()
}

/// Opcode and kinds of operands of a normalised statement.
fn key(statement: &str, local: &[&str]) -> String {
    let statement = lengthened(statement.trim_end_matches(';'));
    let Some((opcode, operands)) = statement.split_once(' ') else { return statement };
    let mut kinds = String::new();
    for token in tokens(operands) {
        match token {
            _ if register(token).is_some_and(|(prefix, _)| prefix == "%p") => kinds.push('p'),
            _ if register(token).is_some() || is_number(token) || local.contains(&token) => kinds.push('x'),
            _ if token.starts_with('%') => kinds.push_str(token),
            "+" | "_" => kinds.push_str(token),
            _ if token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '$' || c == '_') => {
                kinds.push('s')
            }
            _ => kinds.push_str(token),
        }
    }
    // Offsets do not matter, nor the exact number of many operands of one kind.
    let kinds = kinds.replace("x+x]", "x]").replace("s+x]", "s]").replace("x+-x]", "x]");
    let parts: Vec<&str> = kinds.split(", ").collect();
    let short = parts.chunk_by(|a, b| a == b).flat_map(|run| match run.len() > SHORT && run[0] == "x" {
        true => vec![format!("x*{}", run.len())],
        false => run.iter().map(|part| (*part).to_owned()).collect(),
    });
    let short: Vec<String> = short.collect();
    format!("{opcode} {}", short.join(", "))
}

/// A module that contains only the example, and the example's line.
pub fn module(form: &Form, sm: &str, ptx: u32) -> (String, u32) {
    let example = lengthened(&form.example);
    let has = |name: &str| tokens(&example).contains(&name);
    let mut head = format!(".version {}.{}\n.target {sm}\n.address_size 64\n", ptx / 10, ptx % 10);
    let (mut body, mut tail) = (String::new(), String::new());
    let line = |text: &str| text.lines().count() as u32 + 1;
    if let Some(hint) = HINTS.iter().find(|hint| example.starts_with(**hint)) {
        let kind = if *hint == ".noreturn" { ".func" } else { ".entry" };
        let _ = writeln!(head, ".visible {kind} k()");
        if *hint == ".blocksareclusters" {
            head.push_str(".reqntid 32\n.reqnctapercluster 2\n");
        }
        return (format!("{head}{example}\n{{\n\tret;\n}}\n"), line(&head));
    }
    if example.starts_with(".alias") {
        head.push_str(".visible .func g();\n.visible .func f() { ret; }\n");
        return (format!("{head}{example}\n"), line(&head));
    }
    if example.starts_with('.') && !example.starts_with(".pragma") {
        let value = example.split_once('=').map_or("", |(_, value)| value);
        let names: BTreeSet<&str> = tokens(value)
            .into_iter()
            .filter(|p| p.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && *p != "generic")
            .collect();
        for name in names {
            let _ = writeln!(head, ".global .align 8 .b8 {name}[64];");
        }
        if example.starts_with(".local") {
            let _ = write!(head, ".func k()\n{{\n");
            return (format!("{head}{example}\n\tret;\n}}\n"), line(&head));
        }
        return (format!("{head}{example}\n"), line(&head));
    }
    if has("s") {
        let opcode = example.split(' ').next().unwrap_or_default();
        let space =
            ["shared", "const", "local"].into_iter().find(|space| opcode.contains(&format!(".{space}")));
        let declaration = format!(".{} .align 16 .b8 s[4096];\n", space.unwrap_or("global"));
        if space == Some("local") { body.push_str(&declaration) } else { head.push_str(&declaration) }
    }
    const BYTES: &str = ".param .align 16 .b8";
    let mut parameters = String::new();
    if example.starts_with("call") {
        let count = tokens(&example).iter().filter(|p| p.starts_with("param")).count();
        let result = if has("retval0") { format!("({BYTES} r[64]) ") } else { String::new() };
        let list: Vec<_> = (0..count).map(|n| format!("{BYTES} a{n}[64]")).collect();
        if has("f") {
            let _ = writeln!(head, ".func {result}f({}) {{ ret; }}", list.join(", "));
        }
        if has("prototype") {
            let list = vec![format!("{BYTES} _[64]"); count].join(", ");
            let result = if has("retval0") { format!("({BYTES} _[64])") } else { String::new() };
            let _ = writeln!(body, "prototype : .callprototype {result} _ ({list});");
        }
    }
    for name in tokens(&example) {
        if (name == "retval0" || name.starts_with("param")) && !parameters.contains(&format!(" {name}[")) {
            let _ = writeln!(parameters, "{BYTES} {name}[64];");
        }
    }
    body.push_str(&parameters);
    if has("func_retval0") {
        let _ = writeln!(head, ".func ({BYTES} func_retval0[4096]) k()");
    } else if has("f_param_0") {
        let _ = writeln!(head, ".visible .entry k({BYTES} f_param_0[4096])");
    } else {
        head.push_str(".func k()\n");
    }
    head.push_str("{\n");
    let mut highest: BTreeMap<&str, usize> = BTreeMap::new();
    for (prefix, number) in tokens(&example).into_iter().filter_map(register) {
        highest.entry(prefix).and_modify(|n| *n = number.max(*n)).or_insert(number);
    }
    for (prefix, number) in highest {
        let ty = REGISTERS.iter().find(|(p, _)| *p == prefix).map_or(".b32", |(_, ty)| ty);
        let _ = writeln!(head, "\t.reg {ty} {prefix}<{}>;", number + 1);
    }
    if has("$T") {
        body.push_str("$T: .branchtargets $L;\n");
    }
    if has("$L") || has("$T") {
        tail.push_str("$L:\n");
    }
    head.push_str(&body);
    (format!("{head}\t{example}\n{tail}\tret;\n}}\n"), line(&head))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Form {
        let all = forms(line);
        assert_eq!(all.len(), 1, "{all:?}");
        all.into_iter().next().unwrap()
    }

    #[test]
    fn statements_become_forms() {
        let form = one("\t@%p7 atom.global.add.u32 \t%r9, [%rd4+8], %r3;  // a comment");
        assert_eq!(form.key, "atom.global.add.u32 x, [x], x");
        assert_eq!(form.example, "atom.global.add.u32 %r1, [%rd1+8], %r2;");
        assert_eq!(one("\tmov.u32 \t%r2, %ctaid.x;").key, "mov.u32 x, %ctaid.x");
        assert_eq!(
            one("\tld.param.b64 \t%rd1, [probe_3_param_1];").example,
            "ld.param.b64 %rd1, [f_param_0];"
        );
        assert_eq!(
            one("\tshfl.sync.idx.b32 \t%r1|%p1, %r2, 3, 31, -1;").key,
            "shfl.sync.idx.b32 x|p, x, x, x, x"
        );
        assert_eq!(one("\tcall.uni (retval0), probe_1.f, (param0, param1);").key, "call.uni (s), s, (s, s)");
        assert_eq!(one("{ .reg .b16 tmp; mov.b32 {tmp, %rs3}, %r8; }").key, "mov.b32 {x, x}, x");
        let block =
            "\t{\n\t.reg .b128 a, d;\n\tmov.b128 a, {%rd2, %rd3};\n\tatom.exch.b128 d, [%rd1], a;\n\t}";
        let keys: Vec<_> = forms(block).into_iter().map(|form| form.key).collect();
        assert_eq!(keys, ["atom.exch.b128 x, [x], x", "mov.b128 x, {x, x}"]);
        assert_eq!(one(".visible .global .align 4 .u32 a = 5;").key, ".visible .global .align .u32 s = x");
        assert_eq!(one(".maxntid 128, 2, 1").key, ".maxntid x, x, x");
        assert!(forms("\t.reg .b32 \t%r<5>;\n$L__BB0_1:\n{\n}\n.visible .func f(\n").is_empty());
    }

    #[test]
    fn long_lists_are_shortened_and_restored() {
        let list = |n: usize| (1..=n).map(|i| format!("%r{i}")).collect::<Vec<_>>().join(", ");
        let text = format!("wmma.x {{{}}}, [%rd1], {{%r9, %r10}};", list(8));
        assert_eq!(shortened(&text), "wmma.x {%r1-%r8}, [%rd1], {%r9, %r10};");
        assert_eq!(lengthened(&shortened(&text)), text);
    }

    #[test]
    fn modules_load_and_name_the_line() {
        let lines = [
            "ld.param.b64 %rd1, [f_param_0];",
            "st.param.b32 [func_retval0], %r1;",
            "st.param.v2.b32 [param0+8], {%r1, %r2};",
            "call.uni (retval0), f, (param0, param1);",
            "call (retval0), %rd1, (param0), prototype;",
            "bra.uni $L;",
            "brx.idx %r1, $T;",
            "ld.shared.b32 %r1, [s+4];",
            "{ .reg .b16 tmp; mov.b32 {tmp, %rs1}, %r1; }",
            ".visible .global .align 8 .u64 a[2] = {other, generic(more)};",
            ".pragma \"nounroll\";",
        ];
        for example in lines {
            let (text, _) = module(&Form { key: String::new(), example: example.into() }, "sm_90", 80);
            if let Err(error) = ptx_emulator::Program::load("m", text.as_bytes()) {
                panic!("{error}\n{text}");
            }
        }
        let unknown = Form { key: String::new(), example: "nonsense.b32 %r1, %r2;".into() };
        let (text, line) = module(&unknown, "sm_90", 80);
        let error = ptx_emulator::Program::load("m", text.as_bytes()).unwrap_err();
        assert_eq!(error.line, line, "{text}");
    }
}
