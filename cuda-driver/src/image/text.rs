//! PTX texts as images hold them.

use std::collections::HashSet;

use super::{budget::Budget, contents::Error};

/// The translation units of a text. Where a cubin keeps PTX, each line may end with a NUL in place of a line
/// break, and several units may follow each other; every unit has one `.version`. Repeated units, as
/// compilers leave them for identical sources, are taken once.
///
/// Text before the first `.version` stays with the first unit, so that lines count from the text's start. A
/// text without `.version` is one unit.
pub(super) fn units(bytes: &[u8], budget: &mut Budget) -> Result<Vec<String>, Error> {
    let end = bytes.iter().rposition(|byte| !byte.is_ascii_whitespace() && *byte != 0).map_or(0, |at| at + 1);
    // A text with line breaks, and its units.
    budget.spend("PTX", 2 * end)?;
    let text = String::from_utf8_lossy(&bytes[..end]).replace('\0', "\n");
    let mut known = HashSet::new();
    let units = ptx_emulator::split_units(&text).into_iter().map(str::trim_end);
    let units: Vec<&str> = units.filter(|unit| known.insert(unit.trim_start())).collect();
    Budget::check_units(units.len())?;
    Ok(units.into_iter().map(str::to_owned).collect())
}

/// Whether the bytes are PTX: a `.version` that nothing but comments and blanks precede.
pub(super) fn is_ptx(mut bytes: &[u8]) -> bool {
    loop {
        let blank = |b: &u8| b.is_ascii_whitespace() || *b == 0;
        let Some(start) = bytes.iter().position(|b| !blank(b)) else { return false };
        bytes = &bytes[start..];
        if bytes.starts_with(b"//") {
            let end = bytes.iter().position(|b| matches!(b, b'\n' | 0)).unwrap_or(bytes.len());
            bytes = &bytes[end..];
        } else if bytes.starts_with(b"/*") {
            let Some(end) = bytes.windows(2).position(|pair| pair == b"*/") else { return false };
            bytes = &bytes[end + 2..];
        } else {
            return bytes.starts_with(b".version");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(bytes: &[u8]) -> Vec<String> {
        super::units(bytes, &mut Budget::new(1 << 20)).unwrap()
    }

    #[test]
    fn units_are_split_at_versions_and_taken_once() {
        let bytes = b"\0\0.version 8.3\0.target sm_90\0\0.visible .entry a() { ret; }\0\0\0\
                      .version 8.3\0.target sm_90\0\0.visible .entry b() { ret; }\0\
                      .version 8.3\0.target sm_90\0\0.visible .entry a() { ret; }\0";
        let units = units(bytes);
        assert_eq!(units.len(), 2, "{units:?}");
        assert!(units[0].starts_with("\n\n.version") && units[0].ends_with("a() { ret; }"));
        assert!(units[1].starts_with(".version 8.3\n.target") && units[1].ends_with("b() { ret; }"));
    }

    #[test]
    fn a_text_of_something_else_stays_one() {
        assert_eq!(units(b"no PTX"), ["no PTX"]);
        assert_eq!(units(b""), [""]);
        assert_eq!(
            units(b"// .version 1\n .version 7.0\n.versions"),
            ["// .version 1\n .version 7.0\n.versions"]
        );
    }

    #[test]
    fn ptx_is_distinguished_from_other_bytes() {
        for ptx in
            ["  .version 8.3", "// a\n//b\n\n.version 7", "// a\0\0.version", "/* .x */ /**/\n.version 7"]
        {
            assert!(is_ptx(ptx.as_bytes()), "{ptx:?}");
        }
        for other in ["", "\0\0", "// .version", "/* .version", ".target sm_90\n.version", "x .version"] {
            assert!(!is_ptx(other.as_bytes()), "{other:?}");
        }
    }
}
