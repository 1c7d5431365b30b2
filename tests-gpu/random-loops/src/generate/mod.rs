//! Programs from seeds.
//!
//! A program is a function with loop nests on memory that it reaches by several names (`names`), statements that loop
//! compilers look for (`statements`), and what stands around the region. All memory of one type is an array of the
//! file, the *arena*, in which the names of a call may lie in one place, one element apart, next to each other or
//! apart, as far as `restrict` allows it. Values are small whole numbers, so that sums of floats are exact in any order.
//! Where that fails, or where integers overflow, the reference says so, and the program is left out.

mod names;
mod scalars;
mod statements;
mod surroundings;
mod types;

use std::collections::BTreeMap;

use crate::dice::Dice;
use crate::tree::{Call, Node, Piece, Program};
use names::Name;
pub use names::PROVENANCES;
pub use scalars::PLACES;
use scalars::Scalar;
pub use statements::STATEMENTS;
pub use surroundings::SURROUNDINGS;
use types::Type;

/// What a program may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    /// Whether the order of comparisons of floats stays, so that it shows which NaN or zero comes first.
    pub ordered: bool,
}

/// Elements that a name reaches at most, from 0 on.
const EXTENT: i64 = 520;
/// Elements of the arena for one name, with others that are based on it.
const PIECE: i64 = EXTENT + 120;
/// Elements of a row.
const ROW: i64 = 14;
/// Pointers to rows in an array of them.
const ROWS: i64 = 34;

/// The memory of a type.
#[derive(Clone, Debug, Default)]
struct Arena {
    /// Pieces of it that a name has for itself.
    pieces: i64,
    used: bool,
}

/// What a function's arithmetic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flavour {
    /// Sums and products, of small values.
    Sums,
    /// Comparisons, of all values.
    Comparisons,
}

/// An iterator.
#[derive(Clone, Debug)]
struct Iterator {
    name: String,
    /// Its least value.
    least: i64,
    /// Whether it stays below [`ROW`] - 2, as it counts columns.
    is_column: bool,
    /// What it stays below.
    past: String,
}

/// A program that is being made.
struct Scene {
    dice: Dice,
    language: Language,
    flavour: Flavour,
    /// Whether the function has nests of two loops on arrays of two dimensions.
    wide: bool,
    /// By call: the sizes.
    sizes: Vec<[i64; 2]>,
    arenas: BTreeMap<Type, Arena>,
    globals: Vec<Piece>,
    /// Definitions that need the arenas.
    later: Vec<Piece>,
    parameters: Vec<Piece>,
    /// By call.
    arguments: Vec<Vec<String>>,
    /// By call.
    setup: Vec<Vec<Piece>>,
    /// Declarations at the function's begin.
    locals: Vec<Node>,
    /// Statements behind the region.
    after: Vec<Node>,
    shown: Vec<Piece>,
    names: Vec<Name>,
    scalars: Vec<Scalar>,
    /// The next number of a name.
    next: usize,
    result: (&'static str, String),
}

impl Scene {
    fn new(seed: u64, language: Language) -> Scene {
        let mut dice = Dice::new(seed);
        let wide = dice.percent(40);
        let flavour = if dice.percent(25) { Flavour::Comparisons } else { Flavour::Sums };
        let calls = 2 + dice.below(3);
        let sizes = (0..calls).map(|call| {
            // The first call does enough work for all threads.
            let n: &[i64] = match (wide, call) {
                (true, 0) => &[29, 30],
                (true, _) => &[0, 1, 2, 7, 12, 29, 30],
                (false, 0) => &[64, 70, 100],
                (false, _) => &[0, 1, 2, 3, 8, 17, 33, 64, 100],
            };
            let m: &[i64] = if call == 0 { &[5, 12] } else { &[0, 1, 3, 5, 12] };
            [dice.of(n), dice.of(m)]
        });
        let sizes: Vec<_> = sizes.collect();
        Scene {
            language,
            flavour,
            wide,
            sizes,
            arenas: BTreeMap::new(),
            globals: Vec::new(),
            later: Vec::new(),
            parameters: Vec::new(),
            arguments: vec![Vec::new(); calls],
            setup: vec![Vec::new(); calls],
            locals: Vec::new(),
            after: Vec::new(),
            shown: Vec::new(),
            names: Vec::new(),
            scalars: Vec::new(),
            next: 0,
            result: ("void", String::new()),
            dice,
        }
    }

    fn calls(&self) -> usize {
        self.sizes.len()
    }

    /// A name that no other has.
    fn fresh(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    /// A parameter, and by call its argument.
    fn parameter(&mut self, tag: &'static str, text: String, arguments: Vec<String>) {
        self.parameters.push(Piece::new(tag, text));
        self.arguments.iter_mut().zip(arguments).for_each(|(all, argument)| all.push(argument));
    }

    /// The arena's name.
    fn arena(&mut self, class: Type) -> String {
        self.arenas.entry(class).or_default().used = true;
        format!("{}@", class.arena())
    }

    /// By call, a place for a name in the arena: for itself, or perhaps with others.
    fn place(&mut self, class: Type, alone: bool) -> Vec<String> {
        let arena = self.arena(class);
        let pieces = &mut self.arenas.entry(class).or_default().pieces;
        *pieces += 1;
        let own = 2 * EXTENT + *pieces * PIECE;
        (0..self.calls())
            .map(|call| {
                let [n, m] = self.sizes[call];
                let near = [0, 0, 0, 1, 1, 2, 3, 5, n, n, n + 1, (n - 1).max(0), m, ROW, ROW + 1];
                let at = match alone || self.dice.percent(if call == 0 { 50 } else { 25 }) {
                    true => own,
                    false => self.dice.of(&near),
                };
                format!("{arena} + {at}")
            })
            .collect()
    }

    /// What all arenas need: definitions, values and sums.
    fn finish_arenas(&mut self) {
        let arenas: Vec<_> = self.arenas.iter().filter(|(_, arena)| arena.used).collect();
        let mut definitions = Vec::new();
        let kinds: &[i64] = match (self.flavour, self.language.ordered) {
            (Flavour::Sums, _) => &[0, 0, 0, 2],
            (Flavour::Comparisons, _) => &[0, 1, 2, 3],
        };
        for (class, arena) in arenas {
            let count = 2 * EXTENT + (arena.pieces + 1) * PIECE;
            let name = format!("{}@", class.arena());
            let is_named = self.names.iter().any(|named| named.tag == "file-array" && named.of == *class);
            let tag = if is_named { "file-array" } else { "" };
            definitions.push(Piece::new(tag, format!("static {} {name}[{count}];", class.c())));
            for setup in &mut self.setup {
                let (seed, kind) = (self.dice.below(1 << 20), self.dice.of(kinds));
                let text = format!("fill_{}({name}, {count}, {seed}, {kind});", class.suffix());
                setup.insert(0, Piece::new("", text));
            }
            let text = format!("show_sum(\"{}\", sum_{}({name}, {count}));", class.arena(), class.suffix());
            self.shown.push(Piece::new("", text));
        }
        let globals = std::mem::take(&mut self.globals);
        self.globals =
            definitions.into_iter().chain(globals).chain(std::mem::take(&mut self.later)).collect();
    }
}

impl Program {
    /// The program of a seed.
    pub fn new(seed: u64, language: Language) -> Program {
        let mut scene = Scene::new(seed, language);
        scene.add_names();
        scene.add_scalars();
        let around = scene.surrounded();
        scene.finish_arenas();
        for (number, size) in ["int n", "int m"].into_iter().enumerate() {
            scene.parameters.insert(number, Piece::new("", size));
            let arguments = scene.arguments.iter_mut().zip(&scene.sizes);
            arguments.for_each(|(all, sizes)| all.insert(number, sizes[number].to_string()));
        }
        let mut body = std::mem::take(&mut scene.locals);
        body.extend(around);
        body.append(&mut scene.after);
        let calls = scene.setup.into_iter().zip(scene.arguments);
        Program {
            seed,
            globals: scene.globals,
            parameters: scene.parameters,
            body,
            result: scene.result,
            calls: calls.map(|(setup, arguments)| Call { setup, arguments }).collect(),
            shown: scene.shown,
        }
    }
}
