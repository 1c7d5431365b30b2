//! The table of operators in docs/reductions.md agrees with the code.
//!
//! `WARPFOLD_BLESS=1 cargo test -p codegen-shim --test docs` rewrites it.

use std::fs;
use std::path::Path;

use codegen_shim::{Class, Identity, Op, RULES, Rule};

const START: &str = "<!-- table: WARPFOLD_BLESS=1 cargo test -p codegen-shim --test docs rewrites it -->\n";
const END: &str = "<!-- end of table -->\n";

fn describe(identity: Identity) -> &'static str {
    match identity {
        Identity::Zero => "0",
        Identity::One => "1",
        Identity::NegativeZero => "-0",
        Identity::AllOnes => "all bits",
        Identity::Lowest => "lowest",
        Identity::Highest => "highest",
        Identity::NaN => "NaN",
    }
}

fn table() -> String {
    let spellings = ["+", "*", "&", "|", "^", "&&", "||"];
    let mut text = String::from(
        "| operator | in C | signed | unsigned | float | complex |\n|---|---|---|---|---|---|\n",
    );
    for op in Op::ALL {
        let of = |class: Class| {
            let rule: Option<&Rule> =
                RULES.iter().find(|rule| rule.op == *op && rule.classes.contains(&class));
            rule.map_or("", |rule| describe(rule.identity))
        };
        let spelling = spellings.iter().find(|text| text.parse::<Op>().is_ok_and(|known| known == *op));
        // A bar would end the cell.
        let spelling = spelling.map_or(String::new(), |text| format!("`{}`", text.replace('|', "\\|")));
        let classes = [Class::Signed, Class::Unsigned, Class::Float, Class::Complex].map(of);
        text.push_str(&format!("| `{op}` | {spelling} | {} |\n", classes.join(" | ")));
    }
    text.push_str(
        "\nA cell has the identity; an empty cell means that the operator is not defined for the type.\n",
    );
    text
}

#[test]
fn the_table_agrees_with_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reductions.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(START).expect("the start of the table");
    let (known, after) = rest.split_once(END).expect("the end of the table");
    if std::env::var_os("WARPFOLD_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, [before, START, &table(), END, after].concat()).expect("written");
        return;
    }
    assert_eq!(known, table(), "WARPFOLD_BLESS=1 rewrites docs/reductions.md");
}
