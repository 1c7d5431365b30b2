//! The names of the variables that a target region uses, from the program's own debugging information.
//!
//! clang compiles each region for the host as well, as a function with the kernel's name and with its parameters, apart
//! from one that device code has before them. For each variable that is mapped, it stores the expression of the map and
//! the place of the variable's declaration, as a text; LLVM's host runtime shows these texts with `LIBOMPTARGET_INFO`.

use std::{env, path::Path};

use gimli::{AttributeValue, DebuggingInformationEntry, EndianSlice, LittleEndian, Unit};
use object::read::{Object, ObjectSection};
use ptx_emulator::NearMemory;

use crate::debug_info::{self, File, FileDwarf};

type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// Entries of debugging information that are looked at.
const MOST_ENTRIES: usize = 1 << 24;

/// A parameter of a region's function.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Parameter {
    name: String,
    /// The file, without its folder, and the line of the variable's declaration; empty and 0 if they are not known.
    file: String,
    line: u64,
}

/// The variable that memory belongs to: the expression that it was mapped by, or at least its name. None if that is not
/// certain.
pub(crate) fn name_of(kernel: &str, memory: &NearMemory) -> Option<String> {
    let [number] = memory.parameters[..] else { return None };
    debug_info::with_file(&env::current_exe().ok()?, |file, dwarf| {
        let parameters = parameters(&dwarf, kernel)?;
        // Device code has one more, at the beginning.
        let count = usize::try_from(memory.parameter_count).ok()?.checked_sub(1)?;
        let parameter = parameters.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
        (parameters.len() == count)
            .then(|| expression(file, parameter).unwrap_or_else(|| parameter.name.clone()))
    })
}

/// The parameters of the region's function, which is artificial, and has the variables' declarations in a second one.
fn parameters(dwarf: &FileDwarf<'_>, kernel: &str) -> Option<Vec<Parameter>> {
    let described = format!("{kernel}_debug__");
    let mut units = dwarf.units();
    let mut left = MOST_ENTRIES;
    while let Ok(Some(header)) = units.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        let mut found: [Option<Vec<Parameter>>; 2] = [None, None];
        let (mut entries, mut open) = (unit.entries(), None);
        while let Ok(Some(entry)) = entries.next_dfs() {
            left = left.checked_sub(1)?;
            match entry.tag() {
                gimli::DW_TAG_subprogram => {
                    let name = name(dwarf, &unit, entry);
                    open = [kernel, &described].iter().position(|wanted| name.as_deref() == Some(*wanted));
                    if let Some(at) = open {
                        found[at].get_or_insert_default();
                    }
                }
                gimli::DW_TAG_formal_parameter => {
                    if let Some(list) = open.and_then(|at| found[at].as_mut()) {
                        let name = name(dwarf, &unit, entry)?;
                        let line =
                            entry.attr_value(gimli::DW_AT_decl_line).and_then(|line| line.udata_value());
                        let file = declared_in(dwarf, &unit, entry).unwrap_or_default();
                        list.push(Parameter { name, file, line: line.unwrap_or(0) });
                    }
                }
                _ => open = None,
            }
        }
        if let [Some(own), Some(described)] = found {
            let names = |list: &[Parameter]| list.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
            return (names(&own) == names(&described)).then_some(described);
        }
    }
    None
}

/// The file of a declaration, without its folder.
fn declared_in<'a>(
    dwarf: &FileDwarf<'a>,
    unit: &Unit<Slice<'a>>,
    entry: &DebuggingInformationEntry<Slice<'a>>,
) -> Option<String> {
    let AttributeValue::FileIndex(number) = entry.attr_value(gimli::DW_AT_decl_file)? else { return None };
    let file = unit.line_program.as_ref()?.header().file(number)?;
    let path = dwarf.attr_string(unit, file.path_name()).ok()?;
    let path = String::from_utf8_lossy(Slice::slice(&path)).into_owned();
    Some(Path::new(&path).file_name()?.to_string_lossy().into_owned())
}

fn name<'a>(
    dwarf: &FileDwarf<'a>,
    unit: &Unit<Slice<'a>>,
    entry: &DebuggingInformationEntry<Slice<'a>>,
) -> Option<String> {
    let name: AttributeValue<Slice<'a>> = entry.attr_value(gimli::DW_AT_name)?;
    let name = dwarf.attr_string(unit, name).ok()?;
    Some(String::from_utf8_lossy(Slice::slice(&name)).into_owned())
}

/// The expression that a variable is mapped by, if it is the same everywhere.
fn expression(file: &File<'_>, parameter: &Parameter) -> Option<String> {
    let sections =
        file.sections().filter(|section| section.name().is_ok_and(|name| name.starts_with(".rodata")));
    let mut found: Option<String> = None;
    for section in sections {
        for text in section.data().unwrap_or_default().split(|&byte| byte == 0) {
            let Some(expression) = std::str::from_utf8(text).ok().and_then(|text| mapped(text, parameter))
            else {
                continue;
            };
            if found.as_deref().is_some_and(|known| known != expression) {
                return None;
            }
            found.get_or_insert_with(|| expression.to_owned());
        }
    }
    found
}

/// The expression in a text such as `;a[0:n];k.c;7;11;;`, if it is one of this variable.
fn mapped<'t>(text: &'t str, parameter: &Parameter) -> Option<&'t str> {
    let mut parts = text.strip_prefix(';')?.strip_suffix(";;")?.rsplitn(4, ';');
    let (_column, line, file, expression) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let rest = expression.strip_prefix(&*parameter.name)?;
    let is_it = line.parse() == Ok(parameter.line)
        && Path::new(file).file_name().is_some_and(|name| *name == *parameter.file);
    (is_it && (rest.is_empty() || rest.starts_with('['))).then_some(expression)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_map_names_its_variable() {
        let a = Parameter { name: "a".into(), file: "k.c".into(), line: 7 };
        assert_eq!(mapped(";a[0:n];k.c;7;11;;", &a), Some("a[0:n]"));
        assert_eq!(mapped(";a;dir/k.c;7;1;;", &a), Some("a"));
        assert_eq!(mapped(";a[0:s.n;2];k.c;7;11;;", &a), Some("a[0:s.n;2]"));
        for other in [
            ";a[0:n];k.c;8;11;;",
            ";a[0:n];j.c;7;11;;",
            ";ab[0:n];k.c;7;11;;",
            ";a.b[0:n];k.c;7;11;;",
            ";k.c;a;7;1;;",
            "a;k.c;7;1",
            "",
        ] {
            assert_eq!(mapped(other, &a), None, "{other}");
        }
    }

    #[test]
    fn other_programs_have_no_regions() {
        let memory = NearMemory { address: 0, bytes: 1, parameters: vec![1], parameter_count: 2 };
        assert_eq!(name_of("__omp_offloading_1_1_main_l1", &memory), None);
    }
}
