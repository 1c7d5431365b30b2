//! What the lines of a `.loops` file that begin with `//!` say is executed and expected.

#![allow(dead_code, reason = "each test uses a part")]

use loop_compiler::{
    interpret::{Memory, Options, Sizes},
    ir::Region,
};

#[derive(Default)]
pub struct Directives {
    pub sizes: Vec<(String, i128)>,
    pub set: Vec<(String, Vec<f64>)>,
    /// A function or none, an array, its values.
    pub expect: Vec<(Option<String>, String, Vec<f64>)>,
    pub race: Option<String>,
    pub copies: Option<String>,
    pub extents: Vec<(String, u64)>,
    pub bytes: Option<u64>,
    pub rejected: Option<String>,
    pub given: Vec<(String, i128)>,
}

fn size(text: &str) -> (String, i128) {
    let (name, value) = text.split_once('=').unwrap();
    (name.to_owned(), value.parse().unwrap())
}

pub fn directives(text: &str) -> Directives {
    let mut directives = Directives::default();
    for line in text.lines().filter_map(|line| line.strip_prefix("//! ")) {
        let (word, rest) = line.split_once(' ').unwrap();
        let assignment = || {
            let (name, values) = rest.split_once(" = ").unwrap();
            (name, values.split(' ').map(|value| value.parse().unwrap()).collect())
        };
        match word {
            "sizes" => directives.sizes.extend(rest.split(' ').map(size)),
            "given" => directives.given.extend(rest.split(' ').map(size)),
            "set" => {
                let (name, values) = assignment();
                directives.set.push((name.to_owned(), values));
            }
            "expect" => {
                let (name, values) = assignment();
                let (function, name) = match name.strip_prefix('@').and_then(|name| name.split_once(' ')) {
                    Some((function, name)) => (Some(function.to_owned()), name),
                    None => (None, name),
                };
                directives.expect.push((function, name.to_owned(), values));
            }
            "race" => directives.race = Some(rest.to_owned()),
            "copies" => directives.copies = Some(rest.to_owned()),
            "extents" => directives.extents.extend(rest.split(' ').map(|extent| {
                let (name, value) = extent.split_once('=').unwrap();
                (name.to_owned(), value.parse().unwrap())
            })),
            "bytes" => directives.bytes = Some(rest.parse().unwrap()),
            "rejected" => directives.rejected = Some(rest.to_owned()),
            _ => panic!("the directive `{word}` is not known"),
        }
    }
    directives
}

pub fn memory(region: &Region, directives: &Directives) -> Memory {
    let has = |name: &String| region.variables.iter().any(|variable| variable.name == *name);
    let sizes = directives.sizes.iter().filter(|(name, _)| has(name));
    let mut sizes = Sizes::of(sizes.map(|(name, value)| (name.as_str(), *value)));
    sizes.extents.extend(directives.extents.iter().map(|(name, extent)| (name.clone(), vec![*extent])));
    let mut memory = Memory::new(region, &sizes, &Options::default()).unwrap();
    for (name, values) in &directives.set {
        if memory.find(name).is_some() {
            assert!(memory.set_values(name, values.iter().copied()), "{name}");
        }
    }
    memory
}
