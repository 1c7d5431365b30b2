//! The host program around a Rust program.

use std::io::{Read, Write};

mod program;

fn main() {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).unwrap();
    let words: Vec<u32> = bytes.chunks_exact(4).map(|b| u32::from_ne_bytes(b.try_into().unwrap())).collect();
    for input in words.chunks_exact(64) {
        let mut output = [0_u32; 16];
        program::item(input.try_into().unwrap(), &mut output);
        let bytes: Vec<u8> = output.iter().flat_map(|word| word.to_ne_bytes()).collect();
        std::io::stdout().write_all(&bytes).unwrap();
    }
}
