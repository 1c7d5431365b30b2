//! PTX of the images: a kernel `k` that may fault.

use crate::random::Random;

/// Names of files, such as line tables may have.
pub const FILES: [&str; 10] = [
    "k.c",
    "Cargo.toml",
    "/proc/self/environ",
    "/proc/self/pagemap",
    "/dev/zero",
    "../../../../etc/passwd",
    "\u{1b}]0;title\u{7}\u{1b}[31mred",
    "\u{202e}c.k",
    "",
    "a\nb",
];

const INSTRUCTIONS: [&str; 8] = [
    "mov.u32 %r1, %tid.x;",
    "add.u32 %r1, %r1, 1;",
    "ld.param.u64 %rd1, [p];",
    "ld.global.u32 %r2, [%rd1];",
    "st.global.u32 [%rd1+8], %r1;",
    "trap;",
    "bar.sync 0;",
    "",
];

/// A translation unit, with lines as an assembler keeps them.
pub fn unit(kernel: &str, random: &mut Random) -> String {
    let mut text = format!(
        ".version 8.3\n.target sm_{}\n.address_size 64\n\n.visible .entry {kernel}(.param .u64 p)\n{{\n\
         .reg .b64 %rd<4>;\n.reg .b32 %r<4>;\nmov.u64 %rd1, 64;\nmov.u32 %r1, 0;\n",
        random.pick(&[52, 80, 90])
    );
    let file = random.pick(&FILES).replace('\n', "");
    let own_lines = random.one_in(3);
    for line in 0..random.below(12) {
        if own_lines {
            text += &format!(".loc 1 {} 1\n", line + random.below(3));
        }
        text += random.word(&INSTRUCTIONS);
        text.push('\n');
    }
    text += "ret;\n}\n";
    if own_lines {
        text += &format!(".file 1 \"{file}\"\n");
    }
    text
}
