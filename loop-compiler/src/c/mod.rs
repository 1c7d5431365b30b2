//! C as input and output: regions are found by their pragmas, read from clang's syntax tree, and printed.

mod around;
mod ast;
mod changes;
mod clang;
mod counted;
mod device;
mod dimensions;
mod directives;
mod expressions;
mod forms;
mod function;
mod functions;
mod induction;
mod inline;
mod jumps;
mod layout;
mod library;
mod liveness;
mod loops;
mod macros;
mod memory;
mod openmp;
mod overlaps;
mod pragmas;
mod print;
mod provenance;
mod reader;
mod records;
mod regions;
mod scope;
mod source;
mod statements;
mod strides;
mod surroundings;
mod types;
mod uses;
mod values;

use std::{cmp::Reverse, fs, path::Path, thread};

use self::{macros::Macros, scope::Declarations};
use crate::rules::{Rejection, Rule};

pub use self::{
    device::print_device,
    function::function,
    functions::is_pure,
    pragmas::PragmaError,
    print::{is_printable, print, print_lines, string, value},
    source::{Error, Input, LoopDirective, Names, Replacement, SourceFile, SourceRegion},
    surroundings::Surroundings,
};
pub(crate) use self::{
    device::{collapsed, is_controlled_by_host, is_same_for_team},
    macros::TEXT as MACRO_TEXT,
    openmp::reductions as reductions_of,
    print::{ELEMENTS_TO_ALIGNMENT, use_of},
    source::on_one_line,
    surroundings::{Before, Passed},
    types::declaration,
};

/// Stack of the thread that reads a syntax tree, whose depth [`ast::MAX_DEPTH`] bounds.
const STACK_BYTES: usize = 512 << 20;

/// Reads the regions of a file.
pub fn read(input: &Input<'_>) -> Result<SourceFile, Error> {
    let (text, json) = dumped(input)?;
    read_tree(input, text, &json, Some(Macros::read(input)?), false)
}

/// Reads the loops of a file with directives, and the nests around them with the source's own variables: a directive speaks of
/// these, and not of what could stand in their place.
pub fn read_directives(input: &Input<'_>) -> Result<SourceFile, Error> {
    let (text, json) = dumped(input)?;
    read_tree(&Input { auto: true, ..input.clone() }, text, &json, None, true)
}

/// The text of a file and its syntax tree.
fn dumped(input: &Input<'_>) -> Result<(Vec<u8>, Vec<u8>), Error> {
    reject_other_languages(input.file)?;
    let text = fs::read(input.file).map_err(|source| Error::Read { path: input.file.into(), source })?;
    // Before clang is started: its messages do not know these pragmas.
    pragmas::find(&text).map_err(|error| Error::Pragma { path: input.file.into(), error })?;
    Ok((text, ast::dump(input)?))
}

/// Reads the regions of a file's text from its syntax tree, as `clang -Xclang -ast-dump=json` prints it of
/// [`Input::file`]; neither clang nor the file are used.
///
/// # Errors
///
/// Pragmas that do not fit together, and what is no syntax tree.
pub fn read_dump(input: &Input<'_>, text: Vec<u8>, json: &[u8]) -> Result<SourceFile, Error> {
    read_tree(input, text, json, None, false)
}

fn read_tree(
    input: &Input<'_>,
    text: Vec<u8>,
    json: &[u8],
    mut macros: Option<Macros>,
    with_directives: bool,
) -> Result<SourceFile, Error> {
    let marks = pragmas::find(&text).map_err(|error| Error::Pragma { path: input.file.into(), error })?;
    let read = || -> Result<(Vec<SourceRegion>, Names, Vec<LoopDirective>), Error> {
        let unit = ast::parse(json)?;
        let declarations = Declarations::of(&unit);
        let mut directives = Vec::new();
        let found = with_directives.then_some(&mut directives);
        let mut regions = regions::regions(&declarations, input, (&marks, &text), found)?;
        for marked in &marks.regions {
            if !regions.iter().any(|region: &SourceRegion| region.bytes == *marked) {
                let at = marks.position(marked.start);
                let reason = "no function of this file has statements between the pragmas";
                regions.push(SourceRegion {
                    bytes: marked.clone(),
                    at,
                    function: String::new(),
                    unused: Vec::new(),
                    surroundings: None,
                    is_body: false,
                    assertions: Vec::new(),
                    tree: Err(Rejection::new(Rule::Model, at, reason)),
                });
            }
        }
        if let Some(macros) = &mut macros {
            let places = regions.iter().map(|region| (region.bytes.clone(), region.at.line as usize));
            let assertions = macros.assertions(input, &unit, &places.collect::<Vec<_>>())?;
            regions
                .iter_mut()
                .zip(assertions)
                .for_each(|(region, assertions)| region.assertions = assertions);
        }
        regions.sort_by_key(|region| (region.bytes.start, Reverse(region.bytes.end)));
        let mut end = 0;
        for region in regions.iter().filter(|region| region.tree.is_ok()) {
            if region.bytes.start < end {
                return Err(Error::SyntaxTree(format!("two regions overlap at byte {}", region.bytes.start)));
            }
            end = region.bytes.end;
        }
        let written = String::from_utf8_lossy(&text);
        let names = uses::words(&written).chain(declarations.names().map(String::from)).collect();
        Ok((regions, names, directives))
    };
    let (regions, names, directives) = thread::scope(|scope| {
        let reader = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, read);
        let reader = reader.map_err(|source| Error::Start { path: "a thread".into(), source })?;
        reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    Ok(SourceFile { text, regions, names, directives })
}

/// Says early what clang would say late, or not at all.
fn reject_other_languages(path: &Path) -> Result<(), Error> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let language = match extension.as_str() {
        "f" | "for" | "f77" | "f90" | "f95" | "f03" | "f08" | "f18" => "Fortran",
        "cu" | "cuh" => "CUDA",
        "rs" => "Rust",
        "ll" | "bc" => "LLVM IR",
        _ => return Ok(()),
    };
    Err(Error::Language { path: path.into(), language })
}
