//! Compiles probes with llc, in batches. Probes that the back end rejects are left out.

use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use toolchain::{Error, Tools};

use super::ir::Probe;

/// One way to run llc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// The architecture.
    pub sm: &'static str,
    /// The PTX version: 78 for 7.8.
    pub ptx: u32,
}

/// A target, and the earlier stage whose accepted probes it compiles; without one, all probes.
type Stage = (Target, Option<usize>);

/// The stages for calls of intrinsics. A new architecture accepts most of them; an older one accepts nothing
/// that a newer one of its line rejects.
pub const CALLS: &[Stage] = &[
    (target("sm_100a", 90), None),
    (target("sm_100", 90), Some(0)),
    (target("sm_120", 90), Some(1)),
    (target("sm_90a", 90), None),
    (target("sm_90", 90), Some(3)),
    (target("sm_90", 78), Some(4)),
    (target("sm_80", 90), Some(4)),
    (target("sm_80", 70), Some(6)),
    (target("sm_75", 90), Some(6)),
    (target("sm_70", 90), Some(8)),
    (target("sm_70", 60), Some(9)),
];
/// The stages for plain IR: the newest only, because older ones reject much of it, and each rejection costs a
/// run of llc.
pub const PLAIN: &[Stage] = &[(target("sm_100", 90), None)];

/// Probes in one module.
const BATCH: usize = 128;
/// CPU seconds that one module may take.
const SECONDS: u32 = 2;
/// Rejected values of constants after which no more are tried with the same types.
const REJECTIONS_PER_TYPES: u32 = 3;
/// Threads that run llc at the same time.
const THREADS: usize = 2;

const fn target(sm: &'static str, ptx: u32) -> Target {
    Target { sm, ptx }
}

/// Compiles the probes for every stage and collects the forms.
pub fn run(tools: &Tools, probes: &[Probe], stages: &[Stage], seen: &mut Seen) -> Result<(), String> {
    let mut accepted: Vec<Vec<Probe>> = Vec::new();
    for (target, from) in stages {
        let given = from.map_or(probes, |stage| &accepted[stage]);
        // The first stage of a line finds out which probes of a group are valid at all.
        let ptx = stage(tools, *target, given, from.is_none())?;
        let mut kept = Vec::new();
        for (batch, text) in given.chunks(BATCH).zip(&ptx) {
            let names = defined(text);
            let whole = batch.iter().enumerate().filter(|(number, _)| names.contains(number));
            kept.extend(whole.map(|(_, probe)| probe.clone()));
            seen.add(target.sm, target.ptx, super::form::forms(text));
        }
        println!("{} PTX {}: {} of {}", target.sm, target.ptx, kept.len(), given.len());
        accepted.push(kept);
    }
    Ok(())
}

/// Numbers of the probes that a module defines.
fn defined(ptx: &str) -> BTreeSet<usize> {
    let begun = ptx.lines().filter_map(|line| line.split_once("// -- Begin function probe_"));
    begun.filter_map(|(_, name)| name.split('.').next()?.trim().parse().ok()).collect()
}

/// PTX of each batch.
fn stage(tools: &Tools, target: Target, probes: &[Probe], each: bool) -> Result<Vec<String>, String> {
    let batches: Vec<&[Probe]> = probes.chunks(BATCH).collect();
    let next = AtomicUsize::new(0);
    let compile_batches = || {
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(batch) = batches.get(number) else { return Ok(done) };
            done.push((number, cached(tools, target, batch, each).map_err(|error| error.to_string())?));
        }
    };
    let done: Result<Vec<Vec<_>>, String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(compile_batches)).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread does not panic")).collect()
    });
    let mut done = done?.concat();
    done.sort();
    Ok(done.into_iter().map(|(_, ptx)| ptx).collect())
}

fn cached(tools: &Tools, target: Target, batch: &[Probe], each: bool) -> Result<String, Error> {
    let texts: Vec<String> = batch.iter().enumerate().map(|(n, probe)| numbered(probe, n)).collect();
    let ptx = target.ptx.to_string();
    let version = tools.llvm.version.to_string();
    let mut parts = vec![version.as_str(), target.sm, &ptx, "-O2", if each { "each" } else { "groups" }];
    parts.extend(texts.iter().map(String::as_str));
    let entry = tools.cache().keep("census", &parts, |dir| {
        let path = dir.join("forms.ptx");
        std::fs::write(&path, accepted(tools, target, batch, &texts, each)?).map_err(|source| Error::Io {
            action: "write",
            path,
            source,
        })
    })?;
    let path = entry.join("forms.ptx");
    std::fs::read_to_string(&path).map_err(|source| Error::Io { action: "read", path, source })
}

/// A probe's text with names of its own.
fn numbered(probe: &Probe, number: usize) -> String {
    let text = probe.text.replace("%probe.", &format!("%probe_{number}."));
    text.replace("@probe", &format!("@probe_{number}"))
}

/// The PTX of all probes that llc accepts. The back end works function by function and stops at the first
/// that it rejects; the probes before it are good. Without `each`, the rest of the rejected probe's group is
/// left out, too.
fn accepted(
    tools: &Tools,
    target: Target,
    batch: &[Probe],
    texts: &[String],
    each: bool,
) -> Result<String, Error> {
    let run = |numbers: &[usize]| {
        llc(tools, target, &numbers.iter().map(|&n| texts[n].as_str()).collect::<String>())
    };
    let patience = if each { REJECTIONS_PER_TYPES } else { 1 };
    let mut rejections: HashMap<&str, u32> = HashMap::new();
    let mut good: Vec<usize> = Vec::new();
    let mut left: Vec<usize> = (0..texts.len()).collect();
    while !left.is_empty() {
        let message = match run(&left)? {
            Ok(ptx) if good.is_empty() => return Ok(ptx),
            // Compile all good ones again, together.
            Ok(_) => {
                good.append(&mut left);
                std::mem::swap(&mut good, &mut left);
                continue;
            }
            Err(message) => message,
        };
        // If the message names no probe, the first is tried alone.
        let named = culprit(&message).and_then(|number| left.iter().position(|n| *n == number));
        if named.is_none() && run(&left[..1])?.is_ok() {
            good.push(left.remove(0));
            continue;
        }
        good.extend(left.drain(..named.unwrap_or(0)));
        let group = batch[left.remove(0)].group.as_str();
        let rejected = rejections.entry(group).or_insert(0);
        *rejected += 1;
        left.retain(|n| *rejected < patience || group.is_empty() || batch[*n].group != group);
        if left.is_empty() {
            std::mem::swap(&mut good, &mut left);
        }
    }
    Ok(String::new())
}

/// The number of the probe whose function a message of llc's names last.
fn culprit(message: &str) -> Option<usize> {
    let numbers = message.rmatch_indices("probe_").filter_map(|(at, name)| {
        let rest = &message[at + name.len()..];
        rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
    });
    numbers.into_iter().next()
}

/// llc's output, or its message if it fails.
fn llc(tools: &Tools, target: Target, ir: &str) -> Result<Result<String, String>, Error> {
    let program = tools.llvm.dir.join(format!("llc{}", tools.llvm.suffix));
    let failed = |source| Error::Io { action: "run", path: program.clone(), source };
    // Some IR makes the back end run forever. At the limit it names the function that it is in, as in a
    // crash.
    let limited = format!("ulimit -St {SECONDS}; exec \"$0\" \"$@\"");
    let mut child = Command::new("sh")
        .args(["-c", &limited])
        .arg(&program)
        .args(["-mtriple=nvptx64-nvidia-cuda", "-o", "-", "-O2"])
        .args([format!("-mcpu={}", target.sm), format!("-mattr=+ptx{}", target.ptx)])
        // A crash counts as a rejection; its stack trace is not needed.
        .env("LLVM_DISABLE_SYMBOLIZATION", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut stdin = child.stdin.take().expect("the pipe was asked for");
    // llc reads all of its input before it writes; if it ends early, its status shows that.
    let _ = stdin.write_all(ir.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().map_err(failed)?;
    Ok(match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    })
}

/// The lowest targets by form.
#[derive(Default)]
pub struct Seen {
    /// For each form's key: lowest architecture, lowest PTX version, an example.
    pub forms: HashMap<String, (&'static str, u32, String)>,
}

impl Seen {
    /// Adds the forms of a module.
    pub fn add(
        &mut self,
        sm: &'static str,
        version: u32,
        forms: impl IntoIterator<Item = super::form::Form>,
    ) {
        for form in forms {
            let entry = self.forms.entry(form.key).or_insert_with(|| (sm, version, form.example.clone()));
            if rank(sm) < rank(entry.0) {
                entry.0 = sm;
            }
            entry.1 = entry.1.min(version);
            // The shortest example, and of these the first in order, whatever the order of modules.
            if (form.example.len(), &form.example) < (entry.2.len(), &entry.2) {
                entry.2 = form.example;
            }
        }
    }
}

/// The position of an architecture in their order.
fn rank(sm: &str) -> usize {
    let order = ["sm_70", "sm_75", "sm_80", "sm_90", "sm_90a", "sm_100", "sm_120", "sm_100a"];
    order.iter().position(|name| *name == sm).unwrap_or(order.len())
}
