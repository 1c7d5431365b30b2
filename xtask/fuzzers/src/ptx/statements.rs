//! Random statements and instructions of PTX.

use std::sync::LazyLock;

use super::tokens::{self, trimmed};
use crate::random::Random;

pub type Words = LazyLock<Vec<&'static str>>;

/// Numbers at which something may overflow.
pub static NUMBERS: Words = LazyLock::new(|| {
    "0 1 2 3 -1 31 32 33 63 64 127 128 255 256 65535 65536 1048576 16777216 2147483647 2147483648 \
     -2147483648 4294967295 4294967296 9223372036854775807 9223372036854775808 18446744073709551615 \
     18446744073709551616 99999999999999999999 0x 0xffffffff 0xffffffffffffffff 0f7FC00000 \
     0f00000001 0fFF800000 0d7FF8000000000000 0dFFF0000000000000 1e9 1e 1.0 0b101 017 08 1U"
        .split_whitespace()
        .collect()
});

/// Types and modifiers of PTX, whether or not the corpus has them.
pub static MODIFIERS: Words = LazyLock::new(|| {
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
pub static OPCODES: Words = LazyLock::new(|| {
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
pub static SPECIAL: Words = LazyLock::new(|| {
    "%tid.x %tid %ntid.y %ctaid.z %nctaid.x %laneid %warpid %nwarpid %smid %nsmid %gridid \
     %lanemask_eq %lanemask_lt %lanemask_ge %clock %clock64 %globaltimer %dynamic_smem_size \
     %total_smem_size %envreg3 %clusterid.x %pm0"
        .split_whitespace()
        .collect()
});

/// A kernel around statements. It declares the names that they may use.
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
        // Arithmetic soon destroys pointers; new ones keep kernels running.
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

/// A statement with a few other modifiers or operands.
pub fn variation(statement: &str, random: &mut Random) -> String {
    let mut words = tokens::tokens(statement);
    for _ in 0..1 + random.below(3) {
        let at = random.below(words.len());
        let word = trimmed(&words[at]).to_owned();
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

/// A random instruction.
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
