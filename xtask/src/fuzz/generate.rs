//! Inputs: parts of the corpus, and kernels of random instructions, mutated.

use std::sync::LazyLock;

use super::corpus::{Corpus, Piece, Source, token};
use super::random::Random;

/// Longest input, but for the few that repeat something very often.
const MOST_PIECES: usize = 3000;

type Words = LazyLock<Vec<&'static str>>;

/// Numbers at which something may go over.
static NUMBERS: Words = LazyLock::new(|| {
    "0 1 2 3 -1 31 32 33 63 64 127 128 255 256 65535 65536 1048576 16777216 2147483647 2147483648 \
     -2147483648 4294967295 4294967296 9223372036854775807 9223372036854775808 18446744073709551615 \
     18446744073709551616 99999999999999999999 0x 0xffffffff 0xffffffffffffffff 0f7FC00000 \
     0f00000001 0fFF800000 0d7FF8000000000000 0dFFF0000000000000 1e9 1e 1.0 0b101 017 08 1U"
        .split_whitespace()
        .collect()
});

/// Types and modifiers of PTX, whether or not the corpus has them.
static MODIFIERS: Words = LazyLock::new(|| {
    "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f32x2 f64 e4m3x2 \
     e5m2x2 tf32 pred v2 v4 v8 rn rz rm rp rni rzi rmi rpi rna ftz sat satfinite relu approx full hi \
     lo wide cc to global shared local param const shared::cta shared::cluster param::func volatile \
     relaxed acquire release acq_rel sc cta cluster gpu sys nc ca cg cs lu cv wb wt sync aligned \
     arrive red warp popc and or xor not add inc dec exch cas min max up down bfly idx any all uni \
     ballot eq ne lt le gt ge ls hs equ neu num nan NaN xorsign abs l r clamp wrap f4e b4e rc8 ecl \
     ecr rc16 shiftamt x y z x4 level::eviction_priority L2::cache_hint L2::128B noftz mmio unified \
     geu leu gtu ltu cond number inf"
        .split_whitespace()
        .collect()
});

/// Opcodes of PTX, whether or not the corpus has them.
static OPCODES: Words = LazyLock::new(|| {
    "abs activemask add addc alloca and atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx.idx \
     call clz cnot copysign cos cp.async createpolicy cvt cvt.pack cvta discard div dp2a dp4a \
     elect.sync ex2 exit fence fma fns getctarank griddepcontrol isspacep istypep ld ldmatrix ldu \
     lg2 lop3 mad mad24 madc mapa match max mbarrier.init membar min mma mov movmatrix mul mul24 \
     nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red redux rem ret rsqrt sad selp \
     set setmaxnreg setp shf shfl shl shr sin slct sqrt st stackrestore stacksave sub subc suld sust \
     szext tanh testp tex trap txq vadd vote wgmma wmma xor"
        .split_whitespace()
        .collect()
});

/// Special registers.
static SPECIAL: Words = LazyLock::new(|| {
    "%tid.x %tid %ntid.y %ctaid.z %nctaid.x %laneid %warpid %nwarpid %smid %nsmid %gridid \
     %lanemask_eq %lanemask_lt %lanemask_ge %clock %clock64 %globaltimer %dynamic_smem_size \
     %total_smem_size %envreg3 %clusterid.x %pm0"
        .split_whitespace()
        .collect()
});

/// The input of this number.
pub fn input(corpus: &Corpus, seed: u64, index: u64) -> Vec<u8> {
    let mut random = Random::new(seed, index);
    let mut pieces = match random.below(16) {
        0..=5 => part(random.pick(&corpus.sources), &mut random),
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
            part(source, &mut random)
        }
    };
    // A good part stays legal, so that launches are tried as often as the reader.
    let rounds = [0, 0, 0, 1, 1, 1, 2, 6][random.below(8)];
    for _ in 0..rounds {
        mutate(corpus, &mut pieces, &mut random);
    }
    let mut text = pieces.concat().into_bytes();
    if random.one_in(16) {
        bytes(&mut text, &mut random);
    }
    text
}

/// Some functions of a file with what they call, the other functions declared only.
fn part(source: &Source, random: &mut Random) -> Vec<Piece> {
    let mut wanted = vec![false; source.items.len()];
    let mut size = 0;
    let mut todo: Vec<usize> = (0..random.below(3)).map(|_| random.below(source.items.len())).collect();
    // Most of the time there is something to launch.
    let from = random.below(source.items.len());
    let entry = |i: &usize| source.items[*i].pieces.iter().take(3).any(|p| token(p) == ".entry");
    todo.extend((from..source.items.len()).chain(0..from).find(entry));
    while let Some(i) = todo.pop() {
        let item = &source.items[i];
        if wanted[i] || size + item.pieces.len() > MOST_PIECES && size > 0 {
            continue;
        }
        wanted[i] = true;
        size += item.pieces.len();
        todo.extend(item.pieces.iter().filter_map(|p| source.functions.get(token(p))));
    }
    let mut out = source.preamble.clone();
    let whole = |i: usize| wanted[i] || source.items[i].name.is_empty() && source.items[i].pieces.len() < 200;
    let mentioned: std::collections::HashSet<&str> = (0..source.items.len())
        .filter(|&i| whole(i))
        .flat_map(|i| source.items[i].pieces.iter().map(|p| token(p)))
        .collect();
    for (i, item) in source.items.iter().enumerate() {
        if whole(i) {
            out.extend(item.pieces.iter().cloned());
        } else if !item.name.is_empty() && mentioned.contains(&item.name[..]) {
            out.extend(item.pieces[..item.head].iter().cloned());
            out.push(";".into());
        }
    }
    out
}

/// A kernel of instructions from all over the corpus, and of made-up ones.
fn kernel(corpus: &Corpus, random: &mut Random) -> Vec<Piece> {
    // One in so many instructions is such that nobody knows whether it exists.
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
    super::corpus::pieces(&around(&statements, random))
}

/// A kernel around statements, which may name what it declares.
pub fn around(statements: &[String], random: &mut Random) -> String {
    let mut text = String::from(
        ".version 8.7\n.target sm_90\n.address_size 64\n.visible .global .align 16 .b8 buffer[512];\n\
         .shared .align 16 .b8 tile[256];\n.const .align 8 .b64 table[2] = {buffer, 7};\n",
    );
    if random.one_in(3) {
        text.push_str(
            ".func (.param .b32 result) helper(.param .b32 a)\n{\n.reg .b32 %r<4>;\nld.param.b32 %r1, [a];\n",
        );
        if random.one_in(3) {
            text.push_str(
                "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), helper, (x); }\n",
            );
        }
        text.push_str("st.param.b32 [result], %r1;\nret;\n}\n");
    }
    text.push_str(
        ".visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n)\n{\n.reg .pred %p<8>;\n.reg .b16 %rs<8>;\n\
         .reg .b16 %h<8>;\n.reg .b32 %r<8>;\n.reg .b32 %hh<8>;\n.reg .f32 %f<8>;\n.reg .b64 %rd<8>;\n\
         .reg .f64 %fd<8>;\n.reg .b32 %b<8>;\n.reg .b16 %rb<8>;\n.local .align 16 .b8 depot[64];\n",
    );
    if !random.one_in(8) {
        text.push_str("ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [q];\nmov.u32 %r1, %tid.x;\n");
        text.push_str("mul.wide.u32 %rd3, %r1, 8;\nadd.s64 %rd0, %rd1, %rd3;\nsetp.lt.u32 %p1, %r1, 7;\n");
        for i in 0..8 {
            text.push_str(&match i {
                0 | 1 => format!("mov.b16 %rs{i}, {};\nmov.b16 %h{i}, 0x3c00;\n", random.below(65536)),
                _ => format!(
                    "mov.b32 %r{i}, {};\nmov.f32 %f{i}, 0f3f8{:05X};\n",
                    number(random),
                    random.below(1 << 20)
                ),
            });
        }
        text.push_str("mov.u64 %rd5, tile;\nmov.f64 %fd1, 0d3ff0000000000000;\nmov.b64 %rd4, -4;\n");
        text.push_str("setp.ne.s32 %p2, %r2, 0;\nsetp.eq.u64 %p0, %rd1, 0;\n");
    }
    let at: Vec<usize> = (0..4).map(|_| random.below(statements.len() + 1)).collect();
    for i in 0..=statements.len() {
        for label in (0..4).filter(|&l| at[l] == i) {
            text.push_str(&format!("$L{label}:\n"));
        }
        // Pointers are soon lost to arithmetic; new ones keep kernels going.
        if random.one_in(3) {
            let symbol = random.word(&["buffer", "buffer", "buffer", "tile", "depot"]);
            text.push_str(&format!("mov.u64 %rd{}, {symbol};\n", random.below(8)));
        }
        text.push_str(statements.get(i).map_or("ret;\n}\n", |s| s));
    }
    text
}

fn number(random: &mut Random) -> i32 {
    [0, 1, -1, 4, 31, 32, i32::MAX, i32::MIN, 255, random.next() as i32][random.below(10)]
}

/// A statement with another modifier or operand here and there.
pub fn variation(statement: &str, random: &mut Random) -> String {
    let mut words = super::corpus::pieces(statement);
    for _ in 0..1 + random.below(3) {
        let at = random.below(words.len());
        let word = token(&words[at]).to_owned();
        if word.contains('.') && !word.starts_with('%') && !random.one_in(6) {
            let mut parts: Vec<&str> = word.split('.').collect();
            let part = random.below(parts.len());
            match random.below(6) {
                0 => parts[0] = random.word(&OPCODES),
                1 => parts.insert(part + 1, random.word(&MODIFIERS)),
                2 => drop(parts.remove(part)),
                _ => parts[part] = random.word(&MODIFIERS),
            }
            words[at] = format!(" {}", parts.join("."));
        } else if word.starts_with('%') {
            words[at] = format!(" {}", operand(random));
        }
    }
    words.concat() + "\n"
}

/// An instruction that nobody wrote.
pub fn instruction(random: &mut Random) -> String {
    let mut out = String::new();
    if random.one_in(5) {
        out.push_str(&format!("@{}%p{} ", if random.one_in(2) { "!" } else { "" }, random.below(8)));
    }
    out.push_str(random.word(&OPCODES));
    for _ in 0..1 + random.below(4) {
        out.push('.');
        out.push_str(random.word(&MODIFIERS));
    }
    for i in 0..random.below(6) {
        out.push_str(if i == 0 { " " } else { ", " });
        let many = 1 + random.below(4);
        match random.below(12) {
            0 => {
                let list: Vec<String> = (0..many).map(|_| operand(random)).collect();
                out.push_str(&format!("{{{}}}", list.join(", ")));
            }
            1 => {
                let list: Vec<String> = (0..many).map(|_| operand(random)).collect();
                out.push_str(&format!("({})", list.join(", ")));
            }
            2..=4 => {
                let base =
                    *random.pick(&["%rd0", "%rd1", "%rd5", "buffer", "tile", "depot", "p", "%r1", "%rd7"]);
                let offset = *random.pick(&["", "+4", "+-8", "+65536", "-4", "+16"]);
                out.push_str(&format!("[{base}{offset}]"));
            }
            _ => out.push_str(&operand(random)),
        }
    }
    out.push_str(";\n");
    out
}

fn operand(random: &mut Random) -> String {
    let n = random.below(8);
    match random.below(16) {
        0..=4 => format!("%r{n}"),
        5..=7 => format!("%rd{n}"),
        8 => format!("%rs{n}"),
        9 => format!("%f{n}"),
        10 => format!("%fd{n}"),
        11 => format!("{}%p{n}", if random.one_in(4) { "!" } else { "" }),
        12 => (random.word(&NUMBERS)).to_owned(),
        13 => (random.word(&SPECIAL)).to_owned(),
        14 => (*random
            .pick(&["buffer", "tile", "depot", "p", "k", "helper", "_", "$L1", "%p1|%p2", "table"]))
        .to_owned(),
        _ => number(random).to_string(),
    }
}

/// A range of pieces, most of the time a short one.
fn range(pieces: &[Piece], most: usize, random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(pieces.len());
    start..(start + 1 + random.below(most)).min(pieces.len())
}

/// The place of a piece that fits, near a random one.
fn find(pieces: &[Piece], random: &mut Random, fits: impl Fn(&str) -> bool) -> Option<usize> {
    let from = random.below(pieces.len());
    (0..pieces.len()).map(|i| (from + i) % pieces.len()).find(|&i| fits(token(&pieces[i])))
}

fn mutate(corpus: &Corpus, pieces: &mut Vec<Piece>, random: &mut Random) {
    if pieces.is_empty() {
        return;
    }
    let at = random.below(pieces.len());
    let register = |w: &str| w.starts_with('%') && !w.contains('.');
    match random.below(20) {
        0 => {
            let to = random.below(pieces.len());
            pieces.swap(at, to);
        }
        1 => {
            pieces.drain(range(pieces, 6, random));
        }
        2 => {
            let copy = pieces[range(pieces, 12, random)].to_vec();
            let to = random.below(pieces.len());
            pieces.splice(to..to, copy);
        }
        3 => pieces[at] = random.pick(&corpus.words).clone(),
        4..=7 => {
            let opcode = |w: &str| w.contains('.') && w.starts_with(|c: char| c.is_ascii_lowercase());
            let Some(at) = find(pieces, random, opcode) else { return };
            let mut parts: Vec<String> = token(&pieces[at]).split('.').map(str::to_owned).collect();
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
            pieces[at] = format!("\n{}", parts.join("."));
        }
        8..=9 => {
            let Some(at) = find(pieces, random, |w| w.starts_with(|c: char| c.is_ascii_digit())) else {
                return;
            };
            pieces[at] = format!(" {}", random.word(&NUMBERS));
        }
        10..=11 => {
            let (Some(at), Some(other)) = (find(pieces, random, register), find(pieces, random, register))
            else {
                return;
            };
            pieces[at] = pieces[other].clone();
        }
        12 => {
            let Some(at) = find(pieces, random, register) else { return };
            pieces[at] =
                format!(" {}", if random.one_in(2) { random.word(&SPECIAL) } else { random.word(&NUMBERS) });
        }
        13 => {
            let label = |w: &str| w.starts_with('$');
            let (Some(at), Some(other)) = (find(pieces, random, label), find(pieces, random, label)) else {
                return;
            };
            pieces[at] = pieces[other].clone();
        }
        14..=15 => {
            let Some(at) = find(pieces, random, |w| w == ";") else { return };
            let new =
                if random.one_in(2) { random.pick(&corpus.statements).clone() } else { instruction(random) };
            pieces.insert(at + 1, format!("\n{new}"));
        }
        16 => {
            let Some(at) = find(pieces, random, |w| w == ".align" || w == ".reqntid" || w == ".maxntid")
            else {
                return;
            };
            if at + 1 < pieces.len() {
                pieces[at + 1] = format!(" {}", random.word(&NUMBERS));
            }
        }
        17 => {
            // A declaration between the statements.
            let Some(at) = find(pieces, random, |w| w == ";") else { return };
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
            pieces.insert(at + 1, format!("\n{new}\n"));
        }
        18 => {
            let copy = pieces[range(pieces, 8, random)].concat();
            let times = 1 << random.below(12);
            pieces.insert(at, copy.repeat(times));
        }
        _ => {
            let times = 1 << random.below(12);
            let (open, close) =
                *random.pick(&[("{", "}"), ("(", ")"), ("[", "]"), ("{ ", "\n}"), ("{{", "}"), ("/*", "")]);
            let end = (at + random.below(20)).min(pieces.len());
            pieces.insert(end, close.repeat(times));
            pieces.insert(at, open.repeat(times));
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
