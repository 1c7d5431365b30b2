//! The comments in a PTX file that define how it is run and what is expected.
//!
//! Lines that start with `//!` are read, in order:
//! ```text
//! //! note …                                     for people
//! //! reject TEXT & TEXT…                        loading must fail with an error that contains each TEXT
//! //! run KERNEL grid=2,1,1 block=64 shared=0    starts a run; grid and block may have one to three numbers
//! //! in NAME TYPE VALUE… | VALUE*COUNT | iota*COUNT      allocates and fills a buffer
//! //! arg NAME | TYPE VALUE                      the next kernel parameter
//! //! out NAME TYPE VALUE…                       what the buffer must hold afterwards
//! //! count NAME VALUE                           an exact count of the run in order
//! //! fault TEXT & TEXT…                         the run must end with a fault that contains each TEXT
//! //! only SCHEDULE                              the run holds for one schedule only: `in-order`
//! ```

/// One launch and its expected results.
#[derive(Default)]
pub struct Run {
    /// Its line in the file, from 1.
    pub line: usize,
    /// The kernel.
    pub kernel: String,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// Name and contents of each buffer before the launch.
    pub buffers: Vec<(String, Vec<u8>)>,
    /// The parameters.
    pub args: Vec<Arg>,
    /// Buffers, what they must hold afterwards, and as what type it is shown.
    pub outs: Vec<(String, Vec<u8>, String)>,
    /// Exact counts of the run in order.
    pub counts: Vec<(String, u64)>,
    /// What the fault must contain, if one is expected.
    pub fault: Option<String>,
    /// Whether it holds for one schedule only.
    pub in_order_only: bool,
}

/// A parameter.
pub enum Arg {
    /// The address of a buffer.
    Buffer(String),
    /// A value.
    Bytes(Vec<u8>),
}

fn value(ty: &str, text: &str) -> Vec<u8> {
    let int = |text: &str| -> i128 {
        match text.strip_prefix("0x") {
            Some(hex) => i128::from_str_radix(hex, 16).unwrap_or_else(|e| panic!("{text}: {e}")),
            None => text.parse().unwrap_or_else(|e| panic!("{text}: {e}")),
        }
    };
    match ty {
        "u8" | "i8" => vec![int(text) as u8],
        "u16" | "i16" => (int(text) as u16).to_le_bytes().into(),
        "u32" | "i32" => (int(text) as u32).to_le_bytes().into(),
        "u64" | "i64" => (int(text) as u64).to_le_bytes().into(),
        "f32" => text.parse::<f32>().expect("a float").to_le_bytes().into(),
        "f64" => text.parse::<f64>().expect("a float").to_le_bytes().into(),
        _ => panic!("unknown type {ty}"),
    }
}

fn values(ty: &str, words: &[&str]) -> Vec<u8> {
    let mut out = Vec::new();
    for word in words {
        match word.split_once('*') {
            Some(("iota", count)) => {
                (0..count.parse::<u32>().expect("a count"))
                    .for_each(|n| out.extend(value(ty, &n.to_string())));
            }
            Some((v, count)) => {
                (0..count.parse::<u32>().expect("a count")).for_each(|_| out.extend(value(ty, v)));
            }
            None => out.extend(value(ty, word)),
        }
    }
    out
}

fn extent(text: &str) -> [u32; 3] {
    let mut out = [1; 3];
    for (to, n) in out.iter_mut().zip(text.split(',')) {
        *to = n.parse().expect("an extent");
    }
    out
}

/// The runs of a file, and the load error that it expects.
pub fn read(text: &str) -> (Vec<Run>, Option<String>) {
    let (mut runs, mut load_error) = (Vec::new(), None);
    for (number, line) in text.lines().enumerate() {
        let Some(rest) = line.trim().strip_prefix("//!") else { continue };
        let words: Vec<&str> = rest.split_whitespace().collect();
        if words[0] == "note" {
            continue;
        }
        if words[0] == "reject" {
            load_error = Some(words[1..].join(" "));
            continue;
        }
        if words[0] == "run" {
            let mut run = Run {
                line: number + 1,
                kernel: words[1].into(),
                grid: [1; 3],
                block: [1; 3],
                ..Run::default()
            };
            for word in &words[2..] {
                match word.split_once('=') {
                    Some(("grid", v)) => run.grid = extent(v),
                    Some(("block", v)) => run.block = extent(v),
                    Some(("shared", v)) => run.shared = v.parse().expect("bytes"),
                    _ => panic!("line {}: {word}", number + 1),
                }
            }
            runs.push(run);
            continue;
        }
        let run = runs.last_mut().expect("`run` comes first");
        match words[0] {
            "in" => run.buffers.push((words[1].into(), values(words[2], &words[3..]))),
            "arg" if words.len() == 2 => run.args.push(Arg::Buffer(words[1].into())),
            "arg" => run.args.push(Arg::Bytes(values(words[1], &words[2..]))),
            "out" => run.outs.push((words[1].into(), values(words[2], &words[3..]), words[2].into())),
            "count" => run.counts.push((words[1].into(), words[2].parse().expect("a count"))),
            "fault" => run.fault = Some(words[1..].join(" ")),
            "only" => run.in_order_only = true,
            other => panic!("line {}: {other}", number + 1),
        }
    }
    (runs, load_error)
}

/// Values as text.
pub fn show(bytes: &[u8], ty: &str) -> Vec<String> {
    let size = value(ty, "0").len();
    let one = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..size].copy_from_slice(chunk);
        let n = u64::from_le_bytes(word);
        match ty {
            "f32" => f32::from_bits(n as u32).to_string(),
            "f64" => f64::from_bits(n).to_string(),
            "i32" => (n as i32).to_string(),
            "i64" => (n as i64).to_string(),
            _ => n.to_string(),
        }
    };
    bytes.chunks(size).map(one).collect()
}
