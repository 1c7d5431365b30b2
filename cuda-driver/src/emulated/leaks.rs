//! What kernels have taken from the device heap and never freed, told when the heap ends.

use ptx_emulator::{HeapAllocation, Machine};
use serde_json::{Value, json};

use crate::log;

/// Places that a report has in full.
const PLACES: usize = 2;

/// Blocks that were taken at one place, through the same calls.
struct Place<'b> {
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
    let places = by_place(&blocks);
    log::fault(&text(&blocks, &places), &record(&blocks, &places));
}

/// The places, that with the most bytes first.
fn by_place(blocks: &[HeapAllocation]) -> Vec<Place<'_>> {
    let mut places: Vec<Place> = Vec::new();
    for block in blocks {
        let same = |place: &&mut Place| {
            let first = place.first;
            first.kernel == block.kernel && first.place == block.place && first.calls == block.calls
        };
        match places.iter_mut().find(same) {
            Some(place) => {
                place.blocks += 1;
                place.bytes += block.bytes;
            }
            None => places.push(Place { first: block, blocks: 1, bytes: block.bytes }),
        }
    }
    places.sort_by_key(|place| std::cmp::Reverse(place.bytes));
    places
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

fn text(blocks: &[HeapAllocation], places: &[Place]) -> String {
    let mut text = sentence(blocks);
    for place in &places[..places.len().min(PLACES)] {
        let taken = match place.blocks {
            1 => format!("{} bytes, taken", place.bytes),
            blocks => format!("{blocks} of them, {} bytes in all, the first taken", place.bytes),
        };
        text += &format!("\n  {taken}\n{}", place.first);
    }
    if places.len() > PLACES {
        text += &format!("\n  … and {} more", counted(places.len() - PLACES, "place"));
    }
    text
}

fn record(blocks: &[HeapAllocation], places: &[Place]) -> Value {
    let places: Vec<Value> = places
        .iter()
        .map(|place| json!({ "blocks": place.blocks, "bytes": place.bytes, "first": place.first }))
        .collect();
    json!({
        "kind": "leak",
        "message": sentence(blocks),
        "blocks": blocks.len(),
        "bytes": sum(blocks),
        "places": places,
    })
}
