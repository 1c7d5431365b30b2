//! Reports what was never freed: what the program has allocated on the device, when its context ends, and what kernels
//! have allocated from the device heap, when the heap is destroyed.

use ptx_emulator::{HeapAllocation, Machine};
use serde_json::{Value, json};

use crate::{
    host_site::{HostCalls, HostSite},
    log, report_style,
};

/// Allocation sites that a report shows in full.
const MOST_SITES: usize = 2;

/// Where in a kernel blocks were allocated, through which calls, and how many.
struct AllocationSite<'b> {
    first: &'b HeapAllocation,
    blocks: usize,
    bytes: u64,
}

/// Reports what is left of the heap, if anything is.
pub(super) fn report_heap(machine: &Machine) {
    let blocks = machine.heap_allocations();
    if blocks.is_empty() {
        return;
    }
    let sites = by_site(&blocks);
    log::report_later(&text(&blocks, &sites), &json(&blocks, &sites));
}

/// Lines of the program that a report of device memory names.
const MOST_HOST_SITES: usize = 8;

/// Device memory that was allocated at one place in the program.
struct HostAllocations {
    site: Option<HostSite>,
    count: usize,
    bytes: u64,
}

/// Reports device memory that is left: its sizes, and the calls that allocated it.
pub(super) fn report_device<'c>(left: impl Iterator<Item = (u64, Option<&'c HostCalls>)>) {
    let mut sites: Vec<HostAllocations> = Vec::new();
    for (bytes, calls) in left {
        let site = calls.and_then(HostCalls::site);
        // A line that was inlined at several places is one.
        let same = |known: &&mut HostAllocations| match (&known.site, &site) {
            (Some(known), Some(site)) => known.to_string() == site.to_string(),
            (known, site) => known.is_none() && site.is_none(),
        };
        match sites.iter_mut().find(same) {
            Some(known) => {
                known.count += 1;
                known.bytes += bytes;
            }
            None => sites.push(HostAllocations { site, count: 1, bytes }),
        }
    }
    if sites.is_empty() {
        return;
    }
    sites.sort_by_key(|site| std::cmp::Reverse(site.bytes));
    let (count, bytes) =
        sites.iter().fold((0, 0), |(count, bytes), site| (count + site.count, bytes + site.bytes));
    let were = if count == 1 { "was" } else { "were" };
    let sentence =
        format!("{} of device memory {were} never freed, {bytes} bytes in all", counted(count, "allocation"));
    let mut text = sentence.clone();
    for HostAllocations { site, count, bytes } in &sites[..sites.len().min(MOST_HOST_SITES)] {
        let place = site.as_ref().map_or("at an unknown place".to_owned(), |site| format!("at {site}"));
        text += &match count {
            1 => format!("\n  {bytes} bytes, allocated {place}"),
            _ => format!("\n  {count} of them, {bytes} bytes in all, allocated {place}"),
        };
    }
    if sites.len() > MOST_HOST_SITES {
        text += &format!("\n  … and at {} more", counted(sites.len() - MOST_HOST_SITES, "place"));
    }
    let places: Vec<Value> = sites
        .iter()
        .map(|HostAllocations { site, count, bytes }| {
            let source = site.as_ref().and_then(HostSite::source);
            let source = source.map(|(file, line)| json!({ "file": file, "line": line }));
            json!({ "allocations": count, "bytes": bytes, "source": source })
        })
        .collect();
    let json = json!({
        "kind": "leak",
        "message": sentence,
        "memory": "device",
        "allocations": count,
        "bytes": bytes,
        "places": places,
    });
    log::report_later(&text, &json);
}

/// The allocation sites, the one with the most bytes first.
fn by_site(blocks: &[HeapAllocation]) -> Vec<AllocationSite<'_>> {
    let mut sites: Vec<AllocationSite> = Vec::new();
    for block in blocks {
        let same = |site: &&mut AllocationSite| {
            let first = site.first;
            first.kernel == block.kernel && first.place == block.place && first.calls == block.calls
        };
        match sites.iter_mut().find(same) {
            Some(site) => {
                site.blocks += 1;
                site.bytes += block.bytes;
            }
            None => sites.push(AllocationSite { first: block, blocks: 1, bytes: block.bytes }),
        }
    }
    sites.sort_by_key(|site| std::cmp::Reverse(site.bytes));
    sites
}

fn sum(blocks: &[HeapAllocation]) -> u64 {
    blocks.iter().map(|block| block.bytes).sum()
}

fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

fn sentence(blocks: &[HeapAllocation]) -> String {
    let were = if blocks.len() == 1 { "was" } else { "were" };
    let count = counted(blocks.len(), "block");
    format!("{count} of the device heap {were} never freed, {} bytes in all", sum(blocks))
}

fn text(blocks: &[HeapAllocation], sites: &[AllocationSite]) -> String {
    let mut text = sentence(blocks);
    for site in &sites[..sites.len().min(MOST_SITES)] {
        let allocated = match site.blocks {
            1 => format!("{} bytes, allocated", site.bytes),
            blocks => format!("{blocks} of them, {} bytes in all, the first allocated", site.bytes),
        };
        text += &format!("\n  {allocated}\n{}", report_style::with_style(|style| site.first.report(style)));
    }
    if sites.len() > MOST_SITES {
        text += &format!("\n  … and {} more", counted(sites.len() - MOST_SITES, "allocation site"));
    }
    text
}

fn json(blocks: &[HeapAllocation], sites: &[AllocationSite]) -> Value {
    let places: Vec<Value> = sites
        .iter()
        .map(|site| json!({ "blocks": site.blocks, "bytes": site.bytes, "first": site.first }))
        .collect();
    json!({
        "kind": "leak",
        "message": sentence(blocks),
        "memory": "heap",
        "blocks": blocks.len(),
        "bytes": sum(blocks),
        "places": places,
    })
}
