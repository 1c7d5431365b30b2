//! A census of PTX: the forms that LLVM 22's back end prints, and which of them the emulator supports.
//!
//! The forms come from each of LLVM's NVPTX intrinsics, from plain IR over all types, and from the corpus.
//! They are stored in `docs/ptx-forms.tsv`; `docs/ptx.md` has their counts. A form is checked by loading a module
//! that contains only this form.

mod compile;
mod form;
mod ir;
mod llvm;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use ptx_emulator::Program;
use toolchain::{OptLevel, Tools};

use compile::Seen;
use form::Form;
use ir::Probe;

/// A line of docs/ptx-forms.tsv.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    form: Form,
    /// The lowest architecture of those tried.
    sm: String,
    /// The lowest PTX version of those tried: 78 for 7.8.
    ptx: u32,
    /// The emulator's message if it rejects the form.
    rejected: Option<String>,
}

/// Families of opcodes, in the order of the document.
const FAMILIES: &[(&str, &str)] = &[
    (
        "integer arithmetic",
        "add sub mul mad mul24 mad24 sad div rem abs neg min max addc subc madc dp4a dp2a",
    ),
    (
        "bits and logic",
        "and or xor not cnot lop3 shl shr shf prmt popc clz bfind fns brev bfe bfi szext bmsk",
    ),
    ("floating point", "fma rcp sqrt rsqrt sin cos lg2 ex2 tanh testp copysign"),
    ("comparison and selection", "set setp selp slct"),
    ("conversion and moves", "cvt mov cvta isspacep mapa getctarank pack"),
    (
        "memory",
        "ld ldu st prefetch prefetchu discard applypriority createpolicy alloca stacksave stackrestore",
    ),
    ("atomics and fences", "atom red membar fence"),
    ("barriers and warps", "bar barrier shfl vote match redux activemask elect griddepcontrol mbarrier"),
    ("control flow", "bra brx call ret exit trap brkpt nanosleep pmevent setmaxnreg"),
    ("bulk and asynchronous copies", "cp clusterlaunchcontrol multimem st.async red.async"),
    ("textures and surfaces", "tex tld4 txq suq suld sust sured istypep"),
    ("tensor cores", "wmma mma wgmma ldmatrix stmatrix movmatrix tcgen05 tensormap"),
    ("directives", ""),
];

fn family(key: &str) -> &'static str {
    if key.starts_with('.') {
        return "directives";
    }
    let opcode = key.split(['.', ' ']).next().unwrap_or_default();
    let found = FAMILIES.iter().find(|(_, opcodes)| opcodes.split(' ').any(|name| name == opcode));
    found.map_or("others", |(name, _)| name)
}

/// Checks the forms of the list with the emulator, or of LLVM if they are to be collected again, which takes minutes the first
/// time; compares what is found with docs/ptx-forms.tsv and docs/ptx.md, or, to `bless`, writes it there. Prints how many forms run.
///
/// # Errors
///
/// The files differ, or cannot be read or written; LLVM is missing, or another version.
pub fn run(bless: bool, is_collected: bool) -> Result<(), String> {
    let entries = match is_collected {
        true => collect()?,
        false => checked(stored()?),
    };
    let (list, document) = (listed(&entries), document(&entries));
    for (name, text) in [("ptx-forms.tsv", list), ("ptx.md", document)] {
        let path = docs(name);
        if bless {
            fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        } else if read(name)? != text {
            return Err(format!("docs/{name} is out of date; `cargo xtask census --bless` writes it"));
        }
    }
    let rejected = entries.iter().filter(|entry| entry.rejected.is_some()).count();
    println!("{} forms: {} run, {rejected} rejected", entries.len(), entries.len() - rejected);
    Ok(())
}

fn docs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

fn read(name: &str) -> Result<String, String> {
    fs::read_to_string(docs(name)).map_err(|error| format!("docs/{name}: {error}"))
}

/// Every form, from LLVM and the corpus.
fn collect() -> Result<Vec<Entry>, String> {
    let tools = Tools::find().map_err(|error| error.to_string())?;
    let version = tools.llvm.version.to_string();
    if !version.starts_with("22.") {
        return Err(format!("the census needs LLVM 22, but found LLVM {version}"));
    }
    let llvm = llvm::Llvm::load()?;
    let calls = valid(&llvm, llvm.intrinsics()?.iter().flat_map(ir::calls).collect())?;
    let plain = valid(&llvm, ir::plain())?;
    let mut seen = Seen::default();
    for (probes, stages) in [(calls, compile::CALLS), (plain, compile::PLAIN)] {
        println!("{} probes", probes.len());
        compile::run(&tools, &probes, stages, &mut seen)?;
    }
    for (sm, levels) in
        [(90, &[OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3][..]), (80, &[OptLevel::O2])]
    {
        let version = toolchain::ptx_version(sm).unwrap_or_default();
        let name = if sm == 90 { "sm_90" } else { "sm_80" };
        for level in levels {
            corpus_forms(&tools, sm, *level)?
                .into_iter()
                .for_each(|(_, forms)| seen.add(name, version, forms));
        }
    }
    let forms = seen.forms.into_iter().map(|(key, (sm, ptx, example))| Entry {
        form: Form { key, example },
        sm: sm.to_owned(),
        ptx,
        rejected: None,
    });
    Ok(checked(forms.collect()))
}

/// The probes that are valid IR, without duplicates.
fn valid(llvm: &llvm::Llvm, mut probes: Vec<Probe>) -> Result<Vec<Probe>, String> {
    let mut texts = BTreeSet::new();
    probes.retain(|probe| texts.insert(probe.text.clone()));
    let mut valid = Vec::new();
    for probe in probes {
        if llvm.valid(&probe.text)? {
            valid.push(probe);
        }
    }
    Ok(valid)
}

/// The forms of each program of the corpus. Without flang, Fortran's programs are left out.
fn corpus_forms(
    tools: &Tools,
    sm: u32,
    level: OptLevel,
) -> Result<Vec<(&'static str, BTreeSet<Form>)>, String> {
    let fortran = tools.flang().is_ok();
    let programs =
        corpus::PROGRAMS.iter().filter(|program| fortran || program.language != corpus::Language::Fortran);
    programs
        .map(|program| {
            let ptx = program.ptx(tools, sm, level).map_err(|error| error.to_string())?;
            Ok((program.name, form::forms(&ptx)))
        })
        .collect()
}

/// The entries in order, each checked with the emulator.
fn checked(mut entries: Vec<Entry>) -> Vec<Entry> {
    entries.iter_mut().for_each(|entry| entry.rejected = check(entry).err());
    entries.sort_by(|a, b| a.form.cmp(&b.form));
    entries
}

/// Loads a module that contains only this form. If it is rejected, the error must be at the form's line.
fn check(entry: &Entry) -> Result<(), String> {
    let (text, line) = form::module(&entry.form, &entry.sm, entry.ptx);
    Program::load("form", text.as_bytes()).map(drop).map_err(|error| {
        let words = error.message.rsplit_once(" in `").map_or(error.message.as_str(), |(words, _)| words);
        if error.line == line { words.to_owned() } else { format!("elsewhere: {words}") }
    })
}

fn opcode(key: &str) -> &str {
    key.split(' ').next().unwrap_or_default()
}

fn listed(entries: &[Entry]) -> String {
    let mut text = String::from("form\tsm\tptx\texample\trejected\n");
    for Entry { form, sm, ptx, rejected } in entries {
        let rejected = rejected.as_deref().unwrap_or_default();
        // Most examples begin with the form's opcode.
        let opcode = opcode(&form.key);
        let example = match form.example.strip_prefix(opcode) {
            Some(rest) => format!("~{rest}"),
            None => form.example.clone(),
        };
        let _ = writeln!(text, "{}\t{sm}\t{ptx}\t{example}\t{rejected}", form.key);
    }
    text
}

/// The entries of `docs/ptx-forms.tsv`.
fn stored() -> Result<Vec<Entry>, String> {
    let text = read("ptx-forms.tsv")?;
    let entry = |(number, line): (usize, &str)| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [key, sm, ptx, example, rejected] = fields[..] else {
            return Err(format!("line {}", number + 1));
        };
        Ok(Entry {
            form: Form {
                key: key.to_owned(),
                example: match example.strip_prefix('~') {
                    Some(rest) => format!("{}{rest}", opcode(key)),
                    None => example.to_owned(),
                },
            },
            sm: sm.to_owned(),
            ptx: ptx.parse().map_err(|error| format!("line {}: {error}", number + 1))?,
            rejected: (!rejected.is_empty()).then(|| rejected.to_owned()),
        })
    };
    let entries = text.lines().enumerate().skip(1).map(entry).collect::<Result<_, _>>();
    entries.map_err(|problem| format!("docs/ptx-forms.tsv: {problem}"))
}

/// The page: how to look a form up, and the counts of each family with the reasons of its rejections.
fn document(entries: &[Entry]) -> String {
    let mut text = String::from(
        "# PTX forms\n\n\
         Which PTX the emulator runs, of the forms that LLVM 22's NVPTX back end emits. A *form* is an opcode with all\n\
         its modifiers and the kinds of its operands: `x` a number or a register, `p` a predicate, `s` a symbol. A form\n\
         *runs* if a module that contains it loads: the emulator decodes a module when it loads it, and rejects an\n\
         unsupported form with its name and line.\n\n\
         | family | forms | run | rejected | reasons |\n|---|---:|---:|---:|---|\n",
    );
    let families = FAMILIES.iter().map(|(name, _)| *name).chain(["others"]);
    let mut row = |name: &str, entries: &[&Entry], with_reasons: bool| {
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        for message in entries.iter().filter_map(|entry| entry.rejected.as_deref()) {
            *reasons.entry(reason(message)).or_default() += 1;
        }
        let rejected: usize = reasons.values().sum();
        let reasons: Vec<String> =
            reasons.iter().map(|(reason, count)| format!("{reason} ({count})")).collect();
        let reasons = if with_reasons { reasons.join(", ") } else { String::new() };
        let run = entries.len() - rejected;
        let _ = writeln!(text, "| {name} | {} | {run} | {rejected} | {reasons} |", entries.len());
    };
    for name in families {
        let of: Vec<&Entry> = entries.iter().filter(|entry| family(&entry.form.key) == name).collect();
        if !of.is_empty() {
            row(name, &of, true);
        }
    }
    row("all", &entries.iter().collect::<Vec<_>>(), false);
    text.push_str(
        "\n## Products of matrices\n\n\
         `mma`, `wmma` and `ldmatrix` run for f16, bf16, tf32, f64 and bytes. Hardware rounds sums of floats in its own,\n\
         undocumented way. Here the products and their sum, from `c` on in the order of `k`, are computed in double\n\
         precision and rounded once to the type of the result; those of doubles are a chain of fused operations. The lanes\n\
         of a `wmma` fragment hold consecutive elements of a row of `a` or `c`, or of a column of `b`, which PTX leaves\n\
         open. Where an element is undefined, so are all results.\n",
    );
    text.push_str(
        "\n## Look a form up\n\n\
         [`ptx-forms.tsv`](ptx-forms.tsv), in `docs`, has a line for each form: the form, the lowest architecture and\n\
         PTX version at which it was found, an example (`~` stands for the opcode), and the emulator's message if it\n\
         rejects the form.\n\n\
         ```\n\
         # all forms of an opcode\n\
         grep '^shfl' docs/ptx-forms.tsv\n\
         # what is rejected, and why\n\
         awk -F'\\t' 'NR > 1 && $5 != \"\" {print $1 \"\\t\" $5}' docs/ptx-forms.tsv\n\
         ```\n\n\
         ## Where the forms come from\n\n\
         - Each `llvm.nvvm` intrinsic of LLVM's library, with the values of its constant arguments that the back end\n  \
         accepts, for sm_70, sm_75, sm_80, sm_90, sm_90a, sm_100, sm_100a and sm_120.\n\
         - Plain IR over all types, address spaces, memory orders and scopes, for sm_100. Forms that only plain IR on\n  \
         older architectures produces are missing.\n\
         - The corpus at -O0 to -O3 for sm_90 and at -O2 for sm_80.\n\n\
         `cargo xtask census` compares the stored forms and this page with what the emulator loads; `--bless` writes\n\
         both; `--collect` collects the forms from LLVM again. A test does the comparison, too, and a second one holds\n\
         the programs of the corpus to the listed forms.\n",
    );
    text
}

/// The reason of a message, without the names of what is rejected.
fn reason(message: &str) -> String {
    if let Some((_, reason)) = message.split_once(" is not supported: ") {
        return reason.to_owned();
    }
    let parts = message.split('`').enumerate();
    parts.map(|(place, part)| if place % 2 == 0 { part } else { "`…`" }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forms listed as running load; the others are rejected with the listed message, at their line.
    #[test]
    fn the_list_is_up_to_date() {
        let entries = stored().unwrap();
        assert!(entries.len() > 3000, "{} forms", entries.len());
        let now = checked(entries.clone());
        let differences: Vec<String> = entries
            .iter()
            .zip(&now)
            .filter(|(then, now)| then != now)
            .map(|(then, now)| {
                format!("{}: listed {:?}, now {:?}", then.form.key, then.rejected, now.rejected)
            })
            .collect();
        let some = differences.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
        assert!(
            differences.is_empty(),
            "{} differ (if intended, run `cargo xtask census --bless`):\n{some}",
            differences.len()
        );
        for entry in &entries {
            let words = entry.rejected.as_deref().unwrap_or_default();
            assert!(!words.starts_with("elsewhere"), "{}: {words}", entry.form.key);
        }
        assert_eq!(
            read("ptx.md").unwrap(),
            document(&entries),
            "`cargo xtask census --bless` writes docs/ptx.md"
        );
    }

    /// Every form in the corpus' programs is listed.
    #[test]
    fn the_corpus_has_no_other_forms() {
        let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
        let listed: BTreeSet<String> = stored().unwrap().into_iter().map(|entry| entry.form.key).collect();
        for level in [OptLevel::O0, OptLevel::O2] {
            for (program, forms) in corpus_forms(&tools, 90, level).unwrap() {
                for form in forms {
                    assert!(listed.contains(&form.key), "{program} at {level}: {}", form.key);
                }
            }
        }
    }

    #[test]
    fn reasons_leave_out_names() {
        assert_eq!(reason("`st.bulk` is not supported: bulk stores"), "bulk stores");
        assert_eq!(reason("`.ftz` is not supported here"), "`…` is not supported here");
        assert_eq!(reason("the operands do not fit"), "the operands do not fit");
    }

    #[test]
    fn opcodes_have_families() {
        assert_eq!(family("atom.global.add.u32 x, [x], x"), "atomics and fences");
        assert_eq!(family(".visible .global .u32 s"), "directives");
        assert_eq!(family("nonsense"), "others");
    }
}
