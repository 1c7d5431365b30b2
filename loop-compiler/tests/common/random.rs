//! Nests of loops over integers that depend on a seed alone.

#![allow(dead_code, reason = "each test uses a part")]

/// Numbers that depend on a seed alone.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    pub fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }
}

pub const SIZE: usize = 32;

fn subscript(random: &mut Random, loops: usize) -> String {
    match random.below(8) {
        0 => format!("{}", random.below(3)),
        1 if loops > 0 => format!("k[i{}]", random.below(loops as u64)),
        2 if loops > 0 => format!("i{} % 3", random.below(loops as u64)),
        3 if loops > 0 => format!("2 * i{}", random.below(loops as u64)),
        4 if loops > 1 => "i0 + i1".into(),
        5 if loops > 0 => format!("i{} + 1", random.below(loops as u64)),
        _ if loops > 0 => format!("i{}", random.below(loops as u64)),
        _ => "0".into(),
    }
}

fn cell(random: &mut Random, loops: usize) -> String {
    match random.below(5) {
        0 => "s[0]".into(),
        1 => "m[0]".into(),
        2 => format!("b[{}]", subscript(random, loops)),
        _ => format!("a[{}]", subscript(random, loops)),
    }
}

fn value(random: &mut Random, loops: usize) -> String {
    match random.below(6) {
        0 => format!("{}", random.below(5)),
        1 if loops > 0 => format!("i{}", random.below(loops as u64)),
        2 => format!("{} + {}", cell(random, loops), cell(random, loops)),
        3 => format!("{} * 3", cell(random, loops)),
        4 => format!("k[{}]", subscript(random, loops)),
        _ => cell(random, loops),
    }
}

pub fn store(random: &mut Random, loops: usize) -> String {
    let (to, value) = (cell(random, loops), value(random, loops));
    match random.below(8) {
        0 => format!("{to} = {value}"),
        1 | 2 => format!("{to} += {value}"),
        3 => format!("{to} {}= {value}", random.pick(&["-", "*", "|", "&", "^"])),
        4 => format!("{to} = max({to}, {value})"),
        5 => format!("{to} = {value} < {to} ? {value} : {to}"),
        6 => format!("{to} = {value} > 2 ? {to} + {value} : {to}"),
        _ => format!("{to} = {value} + {to}"),
    }
}

fn statement(random: &mut Random, loops: usize, indent: &str, depth: usize) -> String {
    match random.below(9) {
        0 | 1 if depth < 2 => {
            let (to, with) = (cell(random, loops), value(random, loops));
            let relation = random.pick(&["<", ">", "<=", "=="]);
            let then = match random.below(3) {
                0 => format!("{to} = {with}"),
                1 => format!("{to} = {with}  {}", store(random, loops)),
                _ => statement(random, loops, "", depth + 1).trim_end().to_string(),
            };
            let otherwise = match random.below(4) {
                0 => format!(" else {{ {} }}", store(random, loops)),
                _ => String::new(),
            };
            format!("{indent}if {with} {relation} {to} {{ {then} }}{otherwise}\n")
        }
        2 => {
            let name = format!("t{}", random.below(1_000_000));
            let to = cell(random, loops);
            let from = value(random, loops);
            format!("{indent}{name}: i64 = {to} + {from}\n{indent}{to} = {name}\n")
        }
        _ => format!("{indent}{}\n", store(random, loops)),
    }
}

fn body(random: &mut Random, loops: usize, most: usize) -> String {
    let indent = "  ".repeat(loops + 1);
    let mut text = String::new();
    for _ in 0..1 + random.below(3) {
        if loops < most && (loops == 0 || random.below(2) == 0) {
            let upper = if loops > 0 && random.below(3) == 0 {
                "i0 + 2".into()
            } else {
                format!("{}", 2 + random.below(5))
            };
            text += &format!(
                "{indent}for i{loops} in range(0 : {upper}) {{\n{}{indent}}}\n",
                body(random, loops + 1, most)
            );
        } else {
            text += &statement(random, loops, &indent, 0);
        }
    }
    text
}

pub fn random_nest(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 7);
    random.below(2);
    let most = 1 + random.below(2) as usize;
    let arrays = ["a", "b", "k", "s", "m"].map(|name| format!("{name}: memref<{SIZE} x i64>")).join(", ");
    format!("func @f({arrays}) {{\n{}}}\n", body(&mut random, 0, most))
}
