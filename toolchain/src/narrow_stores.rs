//! Stores of a part of a floating-point register, which NVIDIA's assemblers make wrong code of.
//!
//! PTX lets `st` store the low bits of a wider register, and LLVM 22 keeps floating-point numbers in registers of bits:
//! `add.rn.f64 %rd3, …; st.global.b32 [%rd1], %rd3;` stores the low half of a double. If the instruction that gives the
//! register its value is one of floating point, NVIDIA's ptxas stores the number converted to an integer instead: in all
//! memories up to 13.0 (as GPU drivers up to 580 do that compile PTX), and as an argument of a call (`st.param`) up to 13.5 at
//! least. Of a copy of the register the bits are stored.

use std::collections::HashSet;
use std::fmt::Write as _;

/// What ends a function.
const FUNCTION_END: &str = "\n}\n";

/// The bits of a register, by its name as LLVM gives it.
fn register_bits(name: &str) -> Option<u32> {
    let kind = name.strip_prefix('%')?.trim_end_matches(|c: char| c.is_ascii_digit());
    let bits = match kind {
        "rs" => 16,
        "r" => 32,
        "rd" => 64,
        _ => return None,
    };
    (name.len() > kind.len() + 1).then_some(bits)
}

/// The bits that a store of one value stores; `None` for other instructions.
fn stored_bits(opcode: &str) -> Option<u32> {
    let mut parts = opcode.split('.');
    if parts.next() != Some("st") {
        return None;
    }
    parts.next_back()?.strip_prefix(['b', 'u', 's'])?.parse().ok()
}

/// An instruction's opcode and operands. LLVM writes one to a line.
fn instruction(line: &str) -> Option<(&str, &str)> {
    let text = line.trim_start();
    let text = match text.strip_prefix('@') {
        Some(guarded) => guarded.split_once(char::is_whitespace)?.1.trim_start(),
        None => text,
    };
    let (opcode, operands) = text.split_once(char::is_whitespace)?;
    Some((opcode, operands.trim_start()))
}

/// Whether an instruction computes with floating-point numbers, or moves one as such.
fn is_of_floats(opcode: &str) -> bool {
    opcode.split('.').skip(1).any(|part| matches!(part, "f16" | "bf16" | "f32" | "f64"))
}

/// The register that a store stores a part of.
fn narrowed(line: &str) -> Option<&str> {
    let (opcode, operands) = instruction(line)?;
    let stored = stored_bits(opcode)?;
    let (_, value) = operands.rsplit_once(',')?;
    let value = value.trim_start().split(';').next()?;
    (register_bits(value)? > stored).then_some(value)
}

/// The registers that instructions of floating point of a function give their values.
fn floats(function: &str) -> HashSet<&str> {
    function
        .lines()
        .filter_map(instruction)
        .filter(|(opcode, _)| is_of_floats(opcode))
        .flat_map(|(_, operands)| {
            let end = if operands.starts_with('{') { operands.find('}') } else { operands.find(',') };
            operands[..end.unwrap_or(0)].split([',', '{', '|']).map(str::trim)
        })
        .collect()
}

/// PTX as LLVM prints it, in which no part of a floating-point register is stored. Lines keep their numbers.
pub fn without_narrow_stores(ptx: String) -> String {
    if !ptx.lines().any(|line| narrowed(line).is_some()) {
        return ptx;
    }
    let mut out = String::with_capacity(ptx.len());
    for function in ptx.split_inclusive(FUNCTION_END) {
        let floats = floats(function);
        for line in function.split_inclusive('\n') {
            match narrowed(line).filter(|value| floats.contains(value)) {
                None => out += line,
                Some(value) => {
                    let bits = register_bits(value).unwrap_or(64);
                    let (store, _) = line.rsplit_once(value).unwrap_or((line, ""));
                    let _ = writeln!(
                        out,
                        "\t{{ .reg .b{bits} %part; mov.b{bits} %part, {value}; {}%part; }}",
                        store.trim_start()
                    );
                }
            }
        }
    }
    out
}

/// What lines contain that [`AWK`] may change, for `grep -E`.
pub const CANDIDATES: &str = r"st\.[^ 	]*[bus](8|16|32)[ 	].*, *%rd?[0-9]+;";

/// The same as a program for awk, called with the file twice.
pub const AWK: &str = r#"
function opcode_at() { return $1 ~ /^@/ ? 2 : 1 }
function bits(name) {
    if (name ~ /^%rd[0-9]+$/) return 64
    if (name ~ /^%rs[0-9]+$/) return 16
    return name ~ /^%r[0-9]+$/ ? 32 : 0
}
FNR == 1 { function_number = 0 }
/^[}]/ { function_number++ }
NR == FNR {
    if ($(opcode_at()) ~ /\.(f16|bf16|f32|f64)(\.|$)/) {
        text = $0
        sub(/^[ \t]*(@[^ \t]*[ \t]+)?[^ \t]+[ \t]+/, "", text)
        if (text ~ /^[{]/) sub(/[}].*/, "", text); else sub(/,.*/, "", text)
        count = split(text, names, /[,{|] */)
        for (n = 1; n <= count; n++) floats[function_number, names[n]] = 1
    }
    next
}
{
    opcode = $(opcode_at())
    value = $NF
    sub(/;.*/, "", value)
    width = opcode
    sub(/.*\.[bus]/, "", width)
    if (opcode ~ /^st\./ && opcode ~ /\.[bus][0-9]+$/ && (function_number, value) in floats && bits(value) > width + 0) {
        store = $0
        sub(/^[ \t]+/, "", store)
        store = substr(store, 1, length(store) - length($NF))
        printf "\t{ .reg .b%d %%part; mov.b%d %%part, %s; %s%%part; }\n", bits(value), bits(value), value, store
    } else print
}
"#;

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    const PTX: &str = "\
\tcvt.f64.f16 \t%rd10, %rs21;
\tdiv.rn.f64 \t%rd11, %rd10, 0d401C000000000000;
\tshr.u64 \t%rd12, %rd11, 32;
\tst.global.b32 \t[%rd9+28], %rd12;
\tst.global.b32 \t[%rd9+24], %rd11;
\tst.global.b64 \t[%rd9+32], %rd11;
\t@%p1 st.b16 \t[%rd9], %rd10;
\tadd.rn.f32 \t%r3, %r1, %r2;
\tst.b32 \t[%rd9], %r3;
\tst.shared.b8 \t[%rd9], %r3;
\tld.global.v2.f64 \t{%rd20, %rd21}, [%rd9];
\tst.volatile.global.b32 \t[%rd9], %rd21;
\tst.v2.b32 \t[%rd9], {%r3, %r4};
\tst.global.b16 \t[%rd9], %r9;
}
\tst.b16 \t[%rd9], %r3;
}
";

    const CHANGED: &str = "\
\tcvt.f64.f16 \t%rd10, %rs21;
\tdiv.rn.f64 \t%rd11, %rd10, 0d401C000000000000;
\tshr.u64 \t%rd12, %rd11, 32;
\tst.global.b32 \t[%rd9+28], %rd12;
\t{ .reg .b64 %part; mov.b64 %part, %rd11; st.global.b32 \t[%rd9+24], %part; }
\tst.global.b64 \t[%rd9+32], %rd11;
\t{ .reg .b64 %part; mov.b64 %part, %rd10; @%p1 st.b16 \t[%rd9], %part; }
\tadd.rn.f32 \t%r3, %r1, %r2;
\tst.b32 \t[%rd9], %r3;
\t{ .reg .b32 %part; mov.b32 %part, %r3; st.shared.b8 \t[%rd9], %part; }
\tld.global.v2.f64 \t{%rd20, %rd21}, [%rd9];
\t{ .reg .b64 %part; mov.b64 %part, %rd21; st.volatile.global.b32 \t[%rd9], %part; }
\tst.v2.b32 \t[%rd9], {%r3, %r4};
\tst.global.b16 \t[%rd9], %r9;
}
\tst.b16 \t[%rd9], %r3;
}
";

    #[test]
    fn copies_are_stored() {
        assert_eq!(without_narrow_stores(PTX.into()), CHANGED);
        assert_eq!(without_narrow_stores(CHANGED.into()), CHANGED, "once is enough");
    }

    #[test]
    fn awk_does_the_same() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, PTX).unwrap();
        let output = Command::new("awk").arg(AWK).arg(file.path()).arg(file.path()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), CHANGED, "{output:?}");
    }
}
