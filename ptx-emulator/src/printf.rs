//! The formatting of C's `printf`.
//!
//! Conversions, flags, width, precision and lengths are those of the C standard. What the standard leaves
//! open is as in glibc, which formats the output of a GPU on Linux.

/// The most arguments of a call; further conversions are printed as text.
const MAX_ARGUMENTS: u32 = 32;
/// The most bytes that one call can print.
pub(crate) const MAX_PRINTED: usize = 1 << 20;
/// The widest field and the greatest precision; larger ones count as this.
const MAX_FIELD: usize = u16::MAX as usize;
/// Digits after which those of a double are zeros: one has at most 1074 after its point, and 767 that are significant.
/// Rust's own formatting rejects precisions near `u16::MAX`.
const MOST_DIGITS: usize = 1100;
/// Bytes that an argument adds to the work of its call.
const ARGUMENT_WORK: usize = 8;

/// A source of arguments.
pub(crate) trait Arguments {
    /// Why an argument cannot be read.
    type Error;

    /// The next argument, of 4 or 8 bytes.
    fn next(&mut self, bytes: u32) -> Result<u64, Self::Error>;

    /// The string at an address up to its NUL, of at most `most` bytes.
    fn text(&mut self, address: u64, most: usize) -> Result<Vec<u8>, Self::Error>;
}

/// What a call of `printf` printed.
pub(crate) struct Printed {
    pub text: Vec<u8>,
    /// Arguments that were used.
    pub arguments: u32,
    /// What the call cost: the bytes that were read or formatted, also those that are not in the text.
    pub work: usize,
}

/// Formats as `printf` does.
pub(crate) fn format<A: Arguments>(format: &[u8], arguments: &mut A) -> Result<Printed, A::Error> {
    let mut out = Printed { text: Vec::new(), arguments: 0, work: format.len() };
    let mut rest = format;
    while let Some(&first) = rest.first() {
        if out.text.len() >= MAX_PRINTED {
            break;
        }
        let Some((spec, used)) = Spec::parse(rest) else {
            out.text.push(first);
            rest = &rest[1..];
            continue;
        };
        let wanted = spec.arguments();
        if spec.conversion == b'%' {
            out.text.push(b'%');
        } else if out.arguments + wanted > MAX_ARGUMENTS {
            out.text.extend_from_slice(&rest[..used]);
        } else {
            out.arguments += wanted;
            out.work += spec.print(arguments, &mut out.text)?;
        }
        rest = &rest[used..];
    }
    out.work += out.text.len() + ARGUMENT_WORK * out.arguments as usize;
    out.text.truncate(MAX_PRINTED);
    Ok(out)
}

/// A width or precision.
#[derive(Clone, Copy)]
enum Field {
    Absent,
    Number(usize),
    Argument,
}

/// A conversion as written.
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: Field,
    precision: Field,
    /// Bytes of an integer: 1, 2, 4 or 8.
    integer: u32,
    conversion: u8,
}

impl Spec {
    /// The conversion at the start of a text, and how many bytes it takes.
    fn parse(text: &[u8]) -> Option<(Spec, usize)> {
        let mut at = 0;
        let take = |at: &mut usize, byte: u8| {
            let there = text.get(*at) == Some(&byte);
            *at += usize::from(there);
            there
        };
        if !take(&mut at, b'%') {
            return None;
        }
        let mut spec = Spec {
            left: false,
            plus: false,
            space: false,
            alternative: false,
            zero: false,
            width: Field::Absent,
            precision: Field::Absent,
            integer: 4,
            conversion: 0,
        };
        while let Some(flag) = text.get(at) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternative = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            at += 1;
        }
        let number = |at: &mut usize| {
            let mut n = None;
            while let Some(digit) = text.get(*at).filter(|b| b.is_ascii_digit()) {
                n = Some((n.unwrap_or(0) * 10 + usize::from(digit - b'0')).min(MAX_FIELD));
                *at += 1;
            }
            n
        };
        spec.width = if take(&mut at, b'*') {
            Field::Argument
        } else {
            number(&mut at).map_or(Field::Absent, Field::Number)
        };
        if take(&mut at, b'.') {
            spec.precision = if take(&mut at, b'*') {
                Field::Argument
            } else {
                Field::Number(number(&mut at).unwrap_or(0))
            };
        }
        match text.get(at) {
            Some(b'h') => {
                at += 1;
                spec.integer = if take(&mut at, b'h') { 1 } else { 2 };
            }
            Some(b'l') => {
                at += 1;
                take(&mut at, b'l');
                spec.integer = 8;
            }
            Some(b'j' | b'z' | b't' | b'L') => {
                at += 1;
                spec.integer = 8;
            }
            _ => {}
        }
        spec.conversion = *text.get(at)?;
        b"%diuoxXcspfFeEgGaA".contains(&spec.conversion).then_some((spec, at + 1))
    }

    /// How many arguments the conversion takes.
    fn arguments(&self) -> u32 {
        let field = |f: Field| u32::from(matches!(f, Field::Argument));
        1 + field(self.width) + field(self.precision)
    }

    /// Appends the conversion of its arguments; returns the digits that it may have computed and left out.
    fn print<A: Arguments>(mut self, arguments: &mut A, out: &mut Vec<u8>) -> Result<usize, A::Error> {
        let mut field = |f: Field| {
            Ok(match f {
                Field::Absent => None,
                Field::Number(n) => Some(n as i32),
                Field::Argument => Some(arguments.next(4)? as i32),
            })
        };
        let (width, precision) = (field(self.width)?.unwrap_or(0), field(self.precision)?);
        self.left |= width < 0;
        let width = (width.unsigned_abs() as usize).min(MAX_FIELD);
        // A negative precision counts as absent.
        let precision = precision.and_then(|p| usize::try_from(p).ok()).map(|p| p.min(MAX_FIELD));
        match self.conversion {
            b'c' => self.pad(&[], &[arguments.next(4)? as u8], width, false, out),
            b's' => {
                let address = arguments.next(8)?;
                let most = precision.unwrap_or(MAX_PRINTED);
                let text = match address {
                    // What glibc prints for null, if the precision allows all of it.
                    0 => {
                        if most >= 6 {
                            b"(null)".to_vec()
                        } else {
                            Vec::new()
                        }
                    }
                    _ => arguments.text(address, most)?,
                };
                self.pad(&[], &text, width, false, out);
            }
            b'p' => match arguments.next(8)? {
                0 => self.pad(&[], b"(nil)", width, false, out),
                address => {
                    self.alternative = true;
                    self.integer(address, 16, false, width, precision, out);
                }
            },
            b'd' | b'i' => {
                let value = self.fetch(arguments)?;
                let unused = 64 - 8 * self.integer;
                let value = (value << unused) as i64 >> unused;
                self.signed(value, width, precision, out);
            }
            b'u' | b'o' | b'x' | b'X' => {
                let value = self.fetch(arguments)?;
                let value = value & (u64::MAX >> (64 - 8 * self.integer));
                let base = match self.conversion {
                    b'u' => 10,
                    b'o' => 8,
                    _ => 16,
                };
                (self.plus, self.space) = (false, false);
                self.integer(value, base, false, width, precision, out);
            }
            _ => {
                let value = f64::from_bits(arguments.next(8)?);
                self.float(value, width, precision, out);
                return Ok(precision.unwrap_or(0));
            }
        }
        Ok(0)
    }

    /// An integer argument; short ones are passed as `int`.
    fn fetch<A: Arguments>(&self, arguments: &mut A) -> Result<u64, A::Error> {
        arguments.next(self.integer.max(4))
    }

    fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.plus, self.space) {
            (true, ..) => b"-",
            (_, true, _) => b"+",
            (_, _, true) => b" ",
            _ => b"",
        }
    }

    fn signed(&self, value: i64, width: usize, precision: Option<usize>, out: &mut Vec<u8>) {
        self.integer(value.unsigned_abs(), 10, value < 0, width, precision, out);
    }

    fn integer(
        &self,
        value: u64,
        base: u32,
        negative: bool,
        width: usize,
        precision: Option<usize>,
        out: &mut Vec<u8>,
    ) {
        let mut digits = match (value, base) {
            (0, _) if precision == Some(0) => String::new(),
            (_, 8) => format!("{value:o}"),
            (_, 16) if self.conversion == b'X' => format!("{value:X}"),
            (_, 16) => format!("{value:x}"),
            _ => value.to_string(),
        };
        if let Some(precision) = precision {
            digits = format!("{}{digits}", "0".repeat(precision.saturating_sub(digits.len())));
        }
        let mut prefix = self.sign(negative).to_vec();
        match base {
            8 if self.alternative && !digits.starts_with('0') => digits.insert(0, '0'),
            16 if self.alternative && value != 0 => {
                prefix.extend_from_slice(if self.conversion == b'X' { b"0X" } else { b"0x" });
            }
            _ => {}
        }
        self.pad(&prefix, digits.as_bytes(), width, precision.is_none(), out);
    }

    fn float(&self, value: f64, width: usize, precision: Option<usize>, out: &mut Vec<u8>) {
        let sign = self.sign(value.is_sign_negative());
        let magnitude = value.abs();
        let mut text = match self.conversion.to_ascii_lowercase() {
            _ if value.is_nan() => "nan".into(),
            _ if value.is_infinite() => "inf".into(),
            b'f' => self.fixed(magnitude, precision.unwrap_or(6)),
            b'e' => self.scientific(magnitude, precision.unwrap_or(6)),
            b'g' => self.general(magnitude, precision.unwrap_or(6).max(1)),
            _ => self.hexadecimal(magnitude, precision),
        };
        let mut prefix = sign.to_vec();
        if let Some(digits) = text.strip_prefix("0x") {
            prefix.extend_from_slice(b"0x");
            text = digits.to_owned();
        }
        if self.conversion.is_ascii_uppercase() {
            text.make_ascii_uppercase();
            prefix.make_ascii_uppercase();
        }
        self.pad(&prefix, text.as_bytes(), width, value.is_finite(), out);
    }

    fn fixed(&self, value: f64, precision: usize) -> String {
        let point = if precision == 0 && self.alternative { "." } else { "" };
        let computed = precision.min(MOST_DIGITS);
        format!("{value:.computed$}{}{point}", "0".repeat(precision - computed))
    }

    fn scientific(&self, value: f64, precision: usize) -> String {
        let computed = precision.min(MOST_DIGITS);
        let text = format!("{value:.computed$e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if precision == 0 && self.alternative { "." } else { "" };
        let (sign, exponent) = match exponent.strip_prefix('-') {
            Some(exponent) => ('-', exponent),
            None => ('+', exponent),
        };
        let zeros = "0".repeat(precision - computed);
        format!("{digits}{zeros}{point}e{sign}{exponent:0>2}")
    }

    fn general(&self, value: f64, precision: usize) -> String {
        let scientific = self.scientific(value, precision - 1);
        let exponent: i64 = scientific.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
        let (mut digits, exponent) = if (-4..precision as i64).contains(&exponent) {
            (self.fixed(value, (precision as i64 - 1 - exponent) as usize), String::new())
        } else {
            let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "+00"));
            (digits.to_owned(), format!("e{exponent}"))
        };
        if !self.alternative && digits.contains('.') {
            digits.truncate(digits.trim_end_matches('0').trim_end_matches('.').len());
        }
        digits + &exponent
    }

    fn hexadecimal(&self, value: f64, precision: Option<usize>) -> String {
        const DIGITS: usize = 13;
        let bits = value.to_bits();
        let (biased, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
        // Subnormal numbers keep their leading zero, as in glibc.
        let exponent = match (biased, fraction) {
            (0, 0) => 0,
            (0, _) => -1022,
            _ => biased - 1023,
        };
        let mut mantissa = u64::from(biased != 0) << 52 | fraction;
        let mut kept = DIGITS;
        if let Some(precision) = precision.filter(|&p| p < DIGITS) {
            let dropped = 4 * (DIGITS - precision);
            let half = 1u64 << (dropped - 1);
            let below = mantissa & ((half << 1) - 1);
            mantissa >>= dropped;
            mantissa += u64::from(below > half || below == half && mantissa & 1 != 0);
            kept = precision;
        }
        let (lead, fraction) = (mantissa >> (4 * kept), mantissa & ((1 << (4 * kept)) - 1));
        let mut digits = if kept == 0 { String::new() } else { format!("{fraction:0kept$x}") };
        match precision {
            None => digits.truncate(digits.trim_end_matches('0').len()),
            Some(precision) => digits.extend(std::iter::repeat_n('0', precision - kept)),
        }
        let point = if digits.is_empty() && !self.alternative { "" } else { "." };
        format!("0x{lead:x}{point}{digits}p{exponent:+}")
    }

    /// Writes a prefix and digits, padded to the width: with zeros after the prefix if the conversion allows
    /// them and the flag asks for them.
    fn pad(&self, prefix: &[u8], text: &[u8], width: usize, zeros: bool, out: &mut Vec<u8>) {
        let missing = width.saturating_sub(prefix.len() + text.len());
        let zeros = zeros && self.zero && !self.left;
        let fill = |out: &mut Vec<u8>, byte: u8| out.extend(std::iter::repeat_n(byte, missing));
        if !self.left && !zeros {
            fill(out, b' ');
        }
        out.extend_from_slice(prefix);
        if zeros {
            fill(out, b'0');
        }
        out.extend_from_slice(text);
        if self.left {
            fill(out, b' ');
        }
    }
}
