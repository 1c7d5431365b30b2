//! What a program is made of, while it is made.

use std::collections::BTreeMap;

use super::types::Type;
use crate::dice::Dice;
use crate::tree::{Node, SourceLine};

/// What a program may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    /// Whether the order of comparisons of floats stays, so that it shows which NaN comes first.
    pub ordered: bool,
    /// Whether results show the signs of zeros.
    pub signed_zeros: bool,
}

/// Elements that a name reaches at most, from 0 on.
pub const EXTENT: i64 = 520;
/// Elements of the arena for one name, with others that are based on it.
pub const PIECE: i64 = EXTENT + 120;
/// Elements of a row.
pub const ROW: i64 = 14;
/// Pointers to rows in an array of them.
pub const ROWS: i64 = 34;

/// The memory of a type.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    /// Pieces of it that a name has for itself.
    pub pieces: i64,
    pub used: bool,
}

/// What a function's arithmetic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// Sums and products, of small values.
    Sums,
    /// Comparisons, of all values.
    Comparisons,
}

/// An iterator.
#[derive(Clone, Debug)]
pub struct Iterator {
    pub name: String,
    /// Its least value.
    pub least: i64,
    /// Whether it stays below [`ROW`] - 2, as it counts columns.
    pub is_column: bool,
    /// What it stays below.
    pub past: String,
}

/// How a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `name[i]`.
    Line,
    /// `name[i][j]` with rows of [`ROW`] elements.
    Rows,
    /// `name[i][j]` with rows of `m` elements.
    SizedRows,
}

/// A name of memory.
#[derive(Clone, Debug)]
pub struct Name {
    /// The expression, to which subscripts are added; `member` follows them.
    pub text: String,
    /// A member of the elements, with its point.
    pub member: &'static str,
    pub of: Type,
    pub shape: Shape,
    pub is_written: bool,
    pub is_read: bool,
    pub tag: &'static str,
    /// Whether it is a pointer that other names can be based on.
    pub is_base: bool,
}

/// A scalar.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub is_used: bool,
    /// The expression.
    pub text: String,
    pub of: Type,
}

/// A program that is being made.
pub struct Scene {
    pub dice: Dice,
    pub language: Language,
    pub flavour: Flavour,
    /// Whether names are either read or written, each iteration writes its own element, and each scalar has one use: many
    /// loops are parallel then, unless names alias.
    pub is_calm: bool,
    /// Whether the function has nests of two loops on arrays of two dimensions.
    pub wide: bool,
    /// By call: the sizes.
    pub sizes: Vec<[i64; 2]>,
    pub arenas: BTreeMap<Type, Arena>,
    pub globals: Vec<SourceLine>,
    /// Definitions that need the arenas.
    pub later: Vec<SourceLine>,
    pub parameters: Vec<SourceLine>,
    /// By call.
    pub arguments: Vec<Vec<String>>,
    /// By call.
    pub setup: Vec<Vec<SourceLine>>,
    /// Declarations at the function's begin.
    pub locals: Vec<Node>,
    /// Statements behind the region.
    pub after: Vec<Node>,
    pub shown: Vec<SourceLine>,
    pub names: Vec<Name>,
    pub scalars: Vec<Scalar>,
    /// The next number of a name.
    pub next: usize,
    pub result: (&'static str, String),
}

impl Scene {
    pub fn new(seed: u64, language: Language) -> Scene {
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
            is_calm: dice.percent(55),
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

    pub fn calls(&self) -> usize {
        self.sizes.len()
    }

    /// A name that no other has.
    pub fn fresh(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    /// A parameter, and by call its argument.
    pub fn parameter(&mut self, tag: &'static str, text: String, arguments: Vec<String>) {
        self.parameters.push(SourceLine::new(tag, text));
        self.arguments.iter_mut().zip(arguments).for_each(|(all, argument)| all.push(argument));
    }

    /// The arena's name.
    pub fn arena(&mut self, class: Type) -> String {
        self.arenas.entry(class).or_default().used = true;
        format!("{}@", class.arena())
    }

    /// By call, a place for a name in the arena: for itself, or perhaps with others.
    pub fn place(&mut self, class: Type, alone: bool) -> Vec<String> {
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
    pub fn finish_arenas(&mut self) {
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
            definitions.push(SourceLine::new(tag, format!("static {} {name}[{count}];", class.c())));
            for setup in &mut self.setup {
                let (seed, kind) = (self.dice.below(1 << 20), self.dice.of(kinds));
                let text = format!("fill_{}({name}, {count}, {seed}, {kind});", class.suffix());
                setup.insert(0, SourceLine::new("", text));
            }
            let text = format!("show_sum(\"{}\", sum_{}({name}, {count}));", class.arena(), class.suffix());
            self.shown.push(SourceLine::new("", text));
        }
        if !self.language.signed_zeros {
            self.setup.iter_mut().for_each(|setup| setup.push(SourceLine::new("", "zeros_are_alike = 1;")));
        }
        let globals = std::mem::take(&mut self.globals);
        self.globals =
            definitions.into_iter().chain(globals).chain(std::mem::take(&mut self.later)).collect();
    }
}
