//! Generates inputs: excerpts of the corpus and kernels of random instructions, mutated.

use super::corpus::{Corpus, Source};
use super::statements::{MODIFIERS, NUMBERS, SPECIAL, around, instruction};
use super::tokens::{self, Token, trimmed};
use crate::random::Random;

/// The longest input, apart from a few with many repetitions.
const MOST_TOKENS: usize = 3000;

/// The input with this number.
pub fn input(corpus: &Corpus, seed: u64, index: u64) -> Vec<u8> {
    let mut random = Random::new(seed, index);
    let mut tokens = match random.below(16) {
        0..=5 => excerpt(random.pick(&corpus.sources), &mut random),
        6..=14 => kernel(corpus, &mut random),
        _ => {
            let source = random.pick(&corpus.sources);
            if source.text.len() <= 16 << 10 {
                let mut text = source.text.clone();
                for _ in 0..1 + random.below(4) {
                    bytes(&mut text, &mut random);
                }
                return text;
            }
            excerpt(source, &mut random)
        }
    };
    // Many inputs stay legal, so that launches are tested as often as the parser.
    let rounds = [0, 0, 0, 1, 1, 1, 2, 6][random.below(8)];
    for _ in 0..rounds {
        mutate(corpus, &mut tokens, &mut random);
    }
    let mut text = tokens.concat().into_bytes();
    if random.one_in(16) {
        bytes(&mut text, &mut random);
    }
    text
}

/// Some functions of a file with the functions that they call; the other functions are only declared.
fn excerpt(source: &Source, random: &mut Random) -> Vec<Token> {
    let mut wanted = vec![false; source.items.len()];
    let mut size = 0;
    let mut todo: Vec<usize> = (0..random.below(3)).map(|_| random.below(source.items.len())).collect();
    // Mostly there is a kernel to launch.
    let from = random.below(source.items.len());
    let entry = |i: &usize| source.items[*i].tokens.iter().take(3).any(|p| trimmed(p) == ".entry");
    todo.extend((from..source.items.len()).chain(0..from).find(entry));
    while let Some(i) = todo.pop() {
        let item = &source.items[i];
        if wanted[i] || size + item.tokens.len() > MOST_TOKENS && size > 0 {
            continue;
        }
        wanted[i] = true;
        size += item.tokens.len();
        todo.extend(item.tokens.iter().filter_map(|p| source.functions.get(trimmed(p))));
    }
    let mut out = source.preamble.clone();
    let whole = |i: usize| wanted[i] || source.items[i].name.is_empty() && source.items[i].tokens.len() < 200;
    let mentioned: std::collections::HashSet<&str> = (0..source.items.len())
        .filter(|&i| whole(i))
        .flat_map(|i| source.items[i].tokens.iter().map(|p| trimmed(p)))
        .collect();
    for (i, item) in source.items.iter().enumerate() {
        if whole(i) {
            out.extend(item.tokens.iter().cloned());
        } else if !item.name.is_empty() && mentioned.contains(&item.name[..]) {
            out.extend(item.tokens[..item.head].iter().cloned());
            out.push(";".into());
        }
    }
    out
}

/// A kernel of instructions of the corpus and random ones.
fn kernel(corpus: &Corpus, random: &mut Random) -> Vec<Token> {
    // One in so many instructions is completely random, legal or not.
    let wild = [1000, 1000, 40, 3][random.below(4)];
    let mut statements = Vec::new();
    for _ in 0..1 + random.below(48) {
        statements.push(if random.one_in(wild) {
            instruction(random)
        } else if random.one_in(2) {
            random.pick(&corpus.invented).clone()
        } else {
            random.pick(&corpus.statements).clone()
        });
    }
    tokens::tokens(&around(&statements, random))
}

/// A short range of tokens.
fn range(tokens: &[Token], most: usize, random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(tokens.len());
    start..(start + 1 + random.below(most)).min(tokens.len())
}

/// The index of a token that fits, searched from a random one.
fn find(tokens: &[Token], random: &mut Random, fits: impl Fn(&str) -> bool) -> Option<usize> {
    let from = random.below(tokens.len());
    (0..tokens.len()).map(|i| (from + i) % tokens.len()).find(|&i| fits(trimmed(&tokens[i])))
}

fn mutate(corpus: &Corpus, tokens: &mut Vec<Token>, random: &mut Random) {
    if tokens.is_empty() {
        return;
    }
    let at = random.below(tokens.len());
    let register = |w: &str| w.starts_with('%') && !w.contains('.');
    match random.below(20) {
        0 => {
            let to = random.below(tokens.len());
            tokens.swap(at, to);
        }
        1 => {
            tokens.drain(range(tokens, 6, random));
        }
        2 => {
            let copy = tokens[range(tokens, 12, random)].to_vec();
            let to = random.below(tokens.len());
            tokens.splice(to..to, copy);
        }
        3 => tokens[at] = random.pick(&corpus.words).clone(),
        4..=7 => {
            let opcode = |w: &str| w.contains('.') && w.starts_with(|c: char| c.is_ascii_lowercase());
            let Some(at) = find(tokens, random, opcode) else { return };
            let mut parts: Vec<String> = trimmed(&tokens[at]).split('.').map(str::to_owned).collect();
            let other = if random.one_in(2) {
                random.pick(&corpus.modifiers).clone()
            } else {
                (random.word(&MODIFIERS)).into()
            };
            let part = random.below(parts.len());
            match random.below(6) {
                0 => parts[0] = random.pick(&corpus.opcodes).clone(),
                1 => parts.insert(part + 1, other),
                2 => drop(parts.remove(part)),
                3 => parts.swap(part, 0),
                _ => parts[part] = other,
            }
            tokens[at] = format!("\n{}", parts.join("."));
        }
        8..=9 => {
            let Some(at) = find(tokens, random, |w| w.starts_with(|c: char| c.is_ascii_digit())) else {
                return;
            };
            tokens[at] = format!(" {}", random.word(&NUMBERS));
        }
        10..=11 => {
            let (Some(at), Some(other)) = (find(tokens, random, register), find(tokens, random, register))
            else {
                return;
            };
            tokens[at] = tokens[other].clone();
        }
        12 => {
            let Some(at) = find(tokens, random, register) else { return };
            tokens[at] =
                format!(" {}", if random.one_in(2) { random.word(&SPECIAL) } else { random.word(&NUMBERS) });
        }
        13 => {
            let label = |w: &str| w.starts_with('$');
            let (Some(at), Some(other)) = (find(tokens, random, label), find(tokens, random, label)) else {
                return;
            };
            tokens[at] = tokens[other].clone();
        }
        14..=15 => {
            let Some(at) = find(tokens, random, |w| w == ";") else { return };
            let new =
                if random.one_in(2) { random.pick(&corpus.statements).clone() } else { instruction(random) };
            tokens.insert(at + 1, format!("\n{new}"));
        }
        16 => {
            let Some(at) = find(tokens, random, |w| w == ".align" || w == ".reqntid" || w == ".maxntid")
            else {
                return;
            };
            if at + 1 < tokens.len() {
                tokens[at + 1] = format!(" {}", random.word(&NUMBERS));
            }
        }
        17 => {
            // A declaration between the statements.
            let Some(at) = find(tokens, random, |w| w == ";") else { return };
            let new = match random.below(6) {
                0 => format!(
                    ".reg .b{} %z<{}>;",
                    [1, 8, 16, 32, 64, 128][random.below(6)],
                    random.word(&NUMBERS)
                ),
                1 => format!(".local .align {} .b8 loc[{}];", random.word(&NUMBERS), random.word(&NUMBERS)),
                2 => format!(".shared .b64 sh[{}];", random.word(&NUMBERS)),
                3 => format!(".param .b32 pa[{}];", random.word(&NUMBERS)),
                4 => {
                    format!(
                        ".loc {} {} {}",
                        random.word(&NUMBERS),
                        random.word(&NUMBERS),
                        random.word(&NUMBERS)
                    )
                }
                _ => "{ }".to_owned(),
            };
            tokens.insert(at + 1, format!("\n{new}\n"));
        }
        18 => {
            let copy = tokens[range(tokens, 8, random)].concat();
            let times = 1 << random.below(12);
            tokens.insert(at, copy.repeat(times));
        }
        _ => {
            let times = 1 << random.below(12);
            let (open, close) =
                *random.pick(&[("{", "}"), ("(", ")"), ("[", "]"), ("{ ", "\n}"), ("{{", "}"), ("/*", "")]);
            let end = (at + random.below(20)).min(tokens.len());
            tokens.insert(end, close.repeat(times));
            tokens.insert(at, open.repeat(times));
        }
    }
}

fn bytes(text: &mut Vec<u8>, random: &mut Random) {
    if text.is_empty() {
        return;
    }
    let at = random.below(text.len());
    match random.below(8) {
        0 => text.truncate(at),
        1 => text[at] ^= 1 << random.below(8),
        2 => text[at] = random.next() as u8,
        3 => text.insert(at, random.next() as u8),
        4 => drop(text.remove(at)),
        5 => text.insert(at, *random.pick(b"\0\r\n\t\"/*{}()[];,.%$_@!|+-<>=:0123456789")),
        6 => {
            let end = (at + random.below(64)).min(text.len());
            text.drain(at..end);
        }
        _ => {
            let end = (at + random.below(300)).min(text.len());
            let copy = text[at..end].to_vec();
            let to = random.below(text.len());
            text.splice(to..to, copy);
        }
    }
}
