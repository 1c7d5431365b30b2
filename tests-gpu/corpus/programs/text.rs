//! Strings without an allocator: UTF-8, parsing, formatting into an array, floating point by bits.

use core::fmt::Write;

struct Buffer {
    bytes: [u8; 96],
    length: usize,
}

impl Write for Buffer {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let free = self.bytes.get_mut(self.length..self.length + text.len()).ok_or(core::fmt::Error)?;
        free.copy_from_slice(text.as_bytes());
        self.length += text.len();
        Ok(())
    }
}

fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

pub fn item(input: &[u32; 64], output: &mut [u32; 16]) {
    let mut bytes = [0_u8; 64];
    for (pair, word) in bytes.chunks_exact_mut(2).zip(input) {
        let code = match word % 3 {
            0 => 0x80 + (word >> 8) % 0x700,
            _ => 0x20 + (word >> 8) % 0x5f,
        };
        let character = char::from_u32(code).unwrap_or(' ');
        if character.len_utf8() == 2 {
            character.encode_utf8(pair);
        } else {
            pair.copy_from_slice(&[code as u8, b' ']);
        }
    }
    if input[40] % 4 == 0 {
        bytes[(input[41] % 64) as usize] = 0xff;
    }
    let text = match core::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => core::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or(""),
    };
    output[0] = text.chars().count() as u32;
    output[1] = text.chars().rev().fold(1, |hash: u32, c| hash.wrapping_mul(33) ^ c as u32);
    output[2] = text.split(' ').filter(|word| !word.is_empty()).map(|word| word.len() as u32).max().unwrap_or(0);
    output[3] = text.find('a').map_or(100, |at| at as u32) + text.matches('e').count() as u32 * 1000;
    output[4] = text.bytes().map(|b| b.to_ascii_uppercase()).fold(0, |sum, b| sum + u32::from(b));

    let mut buffer = Buffer { bytes: [0; 96], length: 0 };
    let number = i64::from(input[0] as i32) * i64::from(input[1]);
    let written = write!(buffer, "{number} {:>12x} {:08b} {:?}", input[2], input[3] as u8, (input[4] % 10, 'q'));
    output[5] = buffer.length as u32 + u32::from(written.is_err());
    output[6] = hash(&buffer.bytes[..buffer.length]);
    let first = core::str::from_utf8(&buffer.bytes[..buffer.length]).ok().and_then(|t| t.split(' ').next());
    let back = first.and_then(|word| word.parse::<i64>().ok());
    output[7] = u32::from(back == Some(number));

    let x = f64::from(input[5] as i32) / 1024.0;
    output[8] = (x.to_bits() >> 32) as u32;
    output[9] = (x as f32).to_bits();
    output[10] = (x as i32 as u32) ^ (x as u8 as u32) ^ ((x * 1e9) as i32 as u32);
    output[11] = x.total_cmp(&f64::from(input[6])) as i8 as u8 as u32;
    output[12] = (f32::from_bits(input[7] & 0x7f7f_ffff).max(1.5).clamp(0.0, 1e30)).to_bits();
}
