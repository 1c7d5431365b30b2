//! Schemes of block and grid reductions, compared by exact counts: instructions, barriers, shuffles, atomics.
//!
//! Counts come from the emulator and say nothing about time. The cost of a scheme is what one more reduction adds to
//! a kernel, without loading and storing the values.

use std::{error::Error, sync::Arc};

use codegen_shim::{Op, ReductionList, Source, Type, Variable};
use ptx_emulator::{Counts, LaunchConfig, LaunchOptions, LoadedModule, Machine, MachineDescription, Program};
use serde_json::json;
use toolchain::{ClangBuild, Input, OptLevel, Tools};

use crate::report::Report;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The variables of a list of sums.
struct Record {
    name: &'static str,
    types: &'static [Type],
}

const RECORDS: [Record; 5] = [
    Record { name: "{i32}", types: &[Type::I32] },
    Record { name: "{f64}", types: &[Type::F64] },
    Record { name: "{f64, f32}", types: &[Type::F64, Type::F32] },
    Record { name: "{f64; 2}", types: &[Type::F64; 2] },
    Record { name: "{f64; 12}", types: &[Type::F64; 12] },
];

/// Threads of a block: one warp, one more, the default, one less than a multiple of 32, many.
const SIZES: [u32; 7] = [32, 33, 128, 255, 256, 1000, 1024];

/// Schemes of block reductions, by kernel.
const SCHEMES: [(&str, &str); 4] = [
    ("tree", "this runtime"),
    ("words", "LLVM's scheme, word by word"),
    ("per_variable", "warp trees, then a stage for each variable"),
    ("first", "the first LLVM GPU runtime: tree or atomics"),
];

/// Blocks of the grids that are compared, of [`GRID_THREADS`] threads.
const GRIDS: [u32; 6] = [1, 31, 132, 1024, 1025, 3200];
const GRID_THREADS: u32 = 128;

const GRID_SCHEMES: [(&str, &str); 2] =
    [("grid_tree", "a slot for each block"), ("grid_rounds", "LLVM's 1024 records in rounds")];

/// Reductions of the two launches that are compared.
const ROUNDS: [u32; 2] = [1, 5];

/// One scheme, one record, one size of a block or number of blocks.
struct Row {
    scheme: &'static str,
    record: &'static str,
    threads: u32,
    blocks: u32,
    thread_instructions: i64,
    /// Arrivals of warps at barriers, summed over all warps of the grid.
    barriers: i64,
    shuffles: i64,
    atomics: i64,
}

/// Counts all schemes. Needs clang.
pub fn count() -> Outcome<Report> {
    let tools = Tools::find()?;
    let (mut blocks, mut grids) = (Vec::new(), Vec::new());
    for record in &RECORDS {
        let mut bench = Bench::new(record, &record.ptx(&tools)?)?;
        blocks.extend(bench.blocks()?);
        grids.extend(bench.grids()?);
    }
    let head = "record       blocks threads  scheme                                        \
                thread instr   barriers  shuffles  atomics";
    let lines = [head.to_owned()].into_iter().chain(blocks.iter().chain(&grids).map(Row::line)).collect();
    let rows = |rows: &[Row]| rows.iter().map(Row::json).collect::<Vec<_>>();
    let json = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "block_reductions": rows(&blocks),
        "grids": rows(&grids),
    });
    Ok(Report { lines, json, failure: None })
}

impl Record {
    fn list(&self) -> Result<ReductionList, codegen_shim::Error> {
        let variable = |(index, ty): (usize, &Type)| Variable {
            name: format!("v{index}"),
            ty: *ty,
            op: Op::Sum,
            source: Source::Array(index as u32),
        };
        ReductionList::new(self.types.iter().enumerate().map(variable).collect())
    }

    /// The kernels, linked with the runtime and the callbacks of the list.
    fn ptx(&self, tools: &Tools) -> Outcome<String> {
        let runtime = device_library::runtime_bitcode(tools)?;
        let callbacks = codegen_shim::emit_callbacks(&self.list()?);
        let fields: Vec<String> =
            self.types.iter().enumerate().map(|(index, ty)| format!("F({}, v{index})", c(*ty))).collect();
        let source =
            include_str!("schemes.c").replace("#include \"warpfold.h\"", &device_library::c_header());
        let fields = format!("-DFIELDS(F)={}", fields.join(" "));
        let build = ClangBuild { source: &source, sm: 90, opt: OptLevel::O2, options: &[&fields] };
        let kernels: Vec<&str> = SCHEMES
            .iter()
            .chain(&GRID_SCHEMES)
            .map(|(kernel, _)| *kernel)
            .chain(["nothing", "grid_nothing"])
            .collect();
        Ok(tools.clang_ptx(&build, &[Input::Ir(&callbacks), Input::Bitcode(&runtime)], &kernels)?)
    }

    /// The record in which all variables have this value.
    fn of(&self, value: u32) -> Result<Vec<u8>, codegen_shim::Error> {
        let list = self.list()?;
        let layout = list.record();
        let mut bytes = vec![0; layout.size as usize];
        for (ty, &offset) in self.types.iter().zip(&layout.offsets) {
            let value = match *ty {
                Type::I32 => value.to_ne_bytes().to_vec(),
                Type::F32 => (value as f32).to_ne_bytes().to_vec(),
                _ => f64::from(value).to_ne_bytes().to_vec(),
            };
            bytes[offset as usize..][..value.len()].copy_from_slice(&value);
        }
        Ok(bytes)
    }
}

/// The C type of a record's variable.
fn c(ty: Type) -> &'static str {
    match ty {
        Type::I32 => "int",
        Type::F32 => "float",
        _ => "double",
    }
}

/// A machine with the kernels and the values of one record.
struct Bench<'a> {
    record: &'a Record,
    machine: Machine,
    module: LoadedModule,
    values: u64,
    result: u64,
    workspace: u64,
}

/// The value of thread number `thread` for every variable: sums of these are exact.
fn value(thread: u32) -> u32 {
    thread % 7 + 1
}

impl<'a> Bench<'a> {
    fn new(record: &'a Record, ptx: &str) -> Outcome<Bench<'a>> {
        let machine = Machine::new(MachineDescription::h200());
        let module = machine.load(&Arc::new(Program::load(record.name, ptx.as_bytes())?))?;
        let size = u64::from(record.list()?.record().size);
        let largest = SIZES.into_iter().max().unwrap_or(1);
        let values = machine.alloc(u64::from(largest) * size)?;
        let bytes: Vec<Vec<u8>> =
            (0..largest).map(|thread| record.of(value(thread))).collect::<Result<_, _>>()?;
        machine.write(values, &bytes.concat())?;
        let result = machine.alloc(size)?;
        let slots = GRIDS.into_iter().max().unwrap_or(1);
        let workspace = machine.alloc(HEADER + u64::from(slots) * size)?;
        machine.fill(workspace, &[0; 8], HEADER / 8)?;
        Ok(Bench { record, machine, module, values, result, workspace })
    }

    /// Launches a kernel and checks that the result is the initial value plus `expected`.
    fn launch(&mut self, kernel: &str, config: LaunchConfig, last: &[u8], expected: u32) -> Outcome<Counts> {
        const INITIAL: u32 = 3;
        self.machine.write(self.result, &self.record.of(INITIAL)?)?;
        let mut params = [self.values, self.result].map(u64::to_le_bytes).concat();
        params.extend(last);
        let report =
            self.machine.launch(&self.module, kernel, &config, &params, &LaunchOptions::default())?;
        let wanted = self.record.of(INITIAL + expected)?;
        let mut found = vec![0; wanted.len()];
        self.machine.read(self.result, &mut found)?;
        if found != wanted {
            return Err(format!("{kernel} of {}, {config:?}: wrong sum", self.record.name).into());
        }
        Ok(report.counts)
    }

    fn blocks(&mut self) -> Outcome<Vec<Row>> {
        let mut rows = Vec::new();
        let record = self.record;
        for threads in SIZES {
            let sum: u32 = (0..threads).map(value).sum();
            // The counts that each reduction after the first adds.
            let mut added = |kernel: &str, sum: u32| -> Outcome<[i64; 4]> {
                let [few, many] = ROUNDS.map(|rounds| {
                    let config = LaunchConfig::linear(1, threads);
                    self.launch(kernel, config, &rounds.to_le_bytes(), rounds * sum).map(figures)
                });
                let (few, many) = (few?, many?);
                let more = i64::from(ROUNDS[1] - ROUNDS[0]);
                let differences: Vec<i64> = many.iter().zip(few).map(|(many, few)| many - few).collect();
                if differences.iter().any(|difference| difference % more != 0) {
                    return Err(
                        format!("{kernel}, {threads} threads: reductions differ in their counts").into()
                    );
                }
                Ok(std::array::from_fn(|index| differences[index] / more))
            };
            let nothing = added("nothing", value(0))?;
            for (kernel, scheme) in SCHEMES {
                let figures = added(kernel, sum)?;
                rows.push(record.row(scheme, 1, threads, figures, nothing));
            }
        }
        Ok(rows)
    }

    fn grids(&mut self) -> Outcome<Vec<Row>> {
        let mut rows = Vec::new();
        let sum: u32 = (0..GRID_THREADS).map(value).sum();
        for blocks in GRIDS {
            let config = LaunchConfig::linear(blocks, GRID_THREADS);
            let last = self.workspace.to_le_bytes();
            let nothing = figures(self.launch("grid_nothing", config, &last, value(0))?);
            for (kernel, scheme) in GRID_SCHEMES {
                let figures = figures(self.launch(kernel, config, &last, blocks * sum)?);
                rows.push(self.record.row(scheme, blocks, GRID_THREADS, figures, nothing));
            }
        }
        Ok(rows)
    }
}

/// Bytes before the records of a workspace.
const HEADER: u64 = device_rt::abi::layout::WORKSPACE_HEADER_BYTES as u64;

/// The counts that are compared.
fn figures(counts: Counts) -> [i64; 4] {
    [counts.thread_instructions, counts.barriers, counts.shuffles, counts.atomics].map(|count| count as i64)
}

impl Record {
    fn row(&self, scheme: &'static str, blocks: u32, threads: u32, figures: [i64; 4], less: [i64; 4]) -> Row {
        let [thread_instructions, barriers, shuffles, atomics] =
            std::array::from_fn(|index| figures[index] - less[index]);
        Row { scheme, record: self.name, threads, blocks, thread_instructions, barriers, shuffles, atomics }
    }
}

impl Row {
    fn json(&self) -> serde_json::Value {
        json!({
            "scheme": self.scheme,
            "record": self.record,
            "blocks": self.blocks,
            "threads": self.threads,
            "thread_instructions": self.thread_instructions,
            "barrier_arrivals_of_warps": self.barriers,
            "shuffles_of_warps": self.shuffles,
            "atomics": self.atomics,
        })
    }

    fn line(&self) -> String {
        let warps = i64::from(self.blocks * self.threads.div_ceil(32));
        format!(
            "{:12} {:>6} {:>7}  {:44} {:>12} {:>10.1} {:>9} {:>8}",
            self.record,
            self.blocks,
            self.threads,
            self.scheme,
            self.thread_instructions,
            self.barriers as f64 / warps as f64,
            self.shuffles,
            self.atomics
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The differences that the table shows, for one record of three words.
    #[test]
    fn barriers_and_atomics_are_those_of_the_schemes() {
        let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
        let record = &RECORDS[2];
        let mut bench = Bench::new(record, &record.ptx(&tools).unwrap()).unwrap();
        let rows = bench.blocks().unwrap();
        for row in &rows {
            let warps = i64::from(row.threads.div_ceil(32));
            let many = i64::from(row.threads > 32);
            let (barriers, atomics) = match row.scheme {
                "this runtime" => (2 * many, 0),
                "LLVM's scheme, word by word" => (6 * many, 0),
                "the first LLVM GPU runtime: tree or atomics" if row.threads % 32 != 0 => {
                    (0, 2 * row.threads)
                }
                _ => (6, 0),
            };
            let context = format!("{}, {} threads", row.scheme, row.threads);
            assert_eq!((row.barriers, row.atomics), (barriers * warps, atomics.into()), "{context}");
        }
        // Five steps of three words in each full warp, and as many again where warp 0 folds 32 warps.
        let of =
            |threads| rows.iter().find(|row| row.threads == threads && row.scheme == "this runtime").unwrap();
        assert_eq!([of(32).shuffles, of(1024).shuffles], [15, 33 * 15]);
    }
}
