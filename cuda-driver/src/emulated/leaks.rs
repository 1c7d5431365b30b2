//! Reports what kernels have allocated from the device heap and never freed, when the heap is destroyed.

use ptx_emulator::{HeapAllocation, Machine};
use serde_json::{Value, json};

use crate::log;

/// Allocation sites that a report shows in full.
const MOST_SITES: usize = 2;

/// Where in a kernel blocks were allocated, through which calls, and how many.
struct AllocationSite<'b> {
    first: &'b HeapAllocation,
    blocks: usize,
    bytes: u64,
}

/// Reports what is left of the heap, if anything is.
pub(super) fn report(machine: &Machine) {
    let blocks = machine.heap_allocations();
    if blocks.is_empty() {
        return;
    }
    let sites = by_site(&blocks);
    log::fault_later(&text(&blocks, &sites), &json(&blocks, &sites));
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
        text += &format!("\n  {allocated}\n{}", site.first);
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
        "blocks": blocks.len(),
        "bytes": sum(blocks),
        "places": places,
    })
}
