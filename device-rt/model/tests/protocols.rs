//! Every order of small grids. One test, because the fence that is left out is a setting of the process.

use std::cell::Cell;
use std::num::NonZero;
use std::sync::atomic::Ordering;

use device_rt_model::arch::atomic::Word;
use device_rt_model::grid_of_blocks::{Copies, Model, Records, explore, notices_without_fence};
use device_rt_model::reduce::grid::{self, Control, ImageSlots, TeamSlots};
use device_rt_model::reduce::multiprocessor_slots::{self, Slots};
use device_rt_model::reduce::private::{Accumulate, Fold, Load, Store};

const fn all(blocks: u32) -> Model {
    Model { launches: 1, blocks, preemptions: None }
}

const fn bounded(blocks: u32, preemptions: usize) -> Model {
    Model { launches: 1, blocks, preemptions: Some(preemptions) }
}

struct Workspace {
    words: Vec<Word>,
    records: Records,
}

impl Workspace {
    fn new(words: u32, records: u32) -> Workspace {
        Workspace { words: (0..words).map(|_| Word::new(0)).collect(), records: Records::new(records) }
    }

    fn words(&self) -> Vec<u32> {
        self.words.iter().map(|word| word.load(Ordering::Relaxed)).collect()
    }
}

/// A slot per block; the last to deliver folds.
fn own_slots(model: Model) -> Vec<Vec<u32>> {
    fn reduce(shared: &Workspace, _: u32, copies: &mut Copies) -> bool {
        // SAFETY: every block comes here once; the workspace is this launch's.
        unsafe { grid::reduce(copies, &raw const shared.words[0], &shared.records, &shared.records) }
    }
    let blocks = model.blocks;
    explore(model, move || Workspace::new(1, blocks), reduce, |shared| assert_eq!(shared.words(), [0]))
}

/// `records` slots, which blocks use by tickets.
fn tickets(model: Model, records: u32) -> Vec<Vec<u32>> {
    let reduce = move |shared: &Workspace, _: u32, copies: &mut Copies| {
        let control = Control { delivered: &raw const shared.words[0], tickets: &raw const shared.words[1] };
        let (len, slots) = (NonZero::new(records).expect("a slot"), &shared.records);
        let none = ImageSlots {
            in_use: std::ptr::null(),
            bytes: 0,
            stride: 1,
            to: Now(&Cell::new(slots)),
            move_to: || (),
        };
        let slots = TeamSlots { control, records: len, to: slots, into: slots, from: slots, image: &none };
        // SAFETY: every block comes here once; the workspace is this launch's.
        unsafe { grid::reduce_teams(copies, || grid::Callers::Block, &slots) }
    };
    explore(model, move || Workspace::new(2, records), reduce, |_| ())
}

/// Launches with one slot each, and an image with enough for one launch.
fn image_slots(model: Model) -> Vec<Vec<u32>> {
    struct Shared {
        launches: Vec<Workspace>,
        image: Workspace,
    }
    let (launches, blocks) = (model.launches, model.blocks);
    let reduce = move |shared: &Shared, launch: u32, copies: &mut Copies| {
        let (own, image) = (&shared.launches[launch as usize], &shared.image);
        let control = Control { delivered: &raw const own.words[0], tickets: &raw const own.words[1] };
        let records = Cell::new(&own.records);
        let image = ImageSlots {
            in_use: &raw const image.words[0],
            bytes: u64::from(blocks),
            stride: 1,
            to: Now(&Cell::new(&image.records)),
            move_to: || records.set(&image.records),
        };
        let (callers, one, now) = (|| grid::Callers::Block, NonZero::<u32>::MIN, Now(&records));
        let slots = TeamSlots { control, records: one, to: &now, into: &now, from: &now, image: &image };
        // SAFETY: every block comes here once; the workspace is its launch's, and the image's slots serve only this.
        unsafe { grid::reduce_teams(copies, callers, &slots) }
    };
    let shared = move || Shared {
        launches: (0..launches).map(|_| Workspace::new(2, 1)).collect(),
        image: Workspace::new(1, blocks),
    };
    explore(model, shared, reduce, |shared| assert_eq!(shared.image.words(), [0], "free again"))
}

/// The records that a cell has at the time.
struct Now<'a>(&'a Cell<&'a Records>);

impl Store<Copies> for Now<'_> {
    unsafe fn store(&self, copies: &mut Copies, record: u32) {
        // SAFETY: the caller's contract is the same.
        unsafe { self.0.get().store(copies, record) }
    }
}

impl Accumulate<Copies> for Now<'_> {
    unsafe fn accumulate(&self, copies: &mut Copies, record: u32) {
        // SAFETY: the caller's contract is the same.
        unsafe { self.0.get().accumulate(copies, record) }
    }
}

impl Load<Copies> for Now<'_> {
    unsafe fn load(&self, copies: &mut Copies, record: u32) {
        // SAFETY: the caller's contract is the same.
        unsafe { self.0.get().load(copies, record) }
    }
}

impl Fold<Copies> for Now<'_> {
    unsafe fn combine(&self, copies: &mut Copies, record: u32) {
        // SAFETY: the caller's contract is the same.
        unsafe { self.0.get().combine(copies, record) }
    }
}

/// Rows of slots that blocks use in turn.
fn rows(model: Model, rows: u32, per_row: u32) -> Vec<Vec<u32>> {
    let reduce = move |shared: &Workspace, _: u32, copies: &mut Copies| {
        let slots = Slots {
            rows: NonZero::new(rows).expect("a row"),
            per_row,
            delivered: &raw const shared.words[0],
            busy: &raw const shared.words[1],
            filled: &raw const shared.words[1 + rows as usize],
        };
        // SAFETY: every block comes here once; the workspace is this launch's.
        unsafe {
            multiprocessor_slots::reduce(copies, &slots, &shared.records, &shared.records, &shared.records)
        }
    };
    let shared = move || Workspace::new(1 + 2 * rows, rows * per_row);
    explore(model, shared, reduce, |shared| assert!(shared.words().iter().all(|&word| word == 0)))
}

#[test]
fn every_order_of_a_small_grid_gives_one_whole_result() {
    let started = std::time::Instant::now();
    let after = |what: &str| println!("{what}: after {:?}", started.elapsed());
    assert_eq!(own_slots(all(2)), [[0, 1]]);
    assert_eq!(own_slots(all(3)), [[0, 1, 2]]);
    after("own slots, all orders");
    assert_eq!(own_slots(bounded(4, 2)), [[0, 1, 2, 3]]);
    after("own slots, 4 blocks");

    assert_eq!(tickets(all(2), 1), [[0, 1], [1, 0]]);
    after("tickets, 2 blocks");
    assert_eq!(tickets(all(3), 1).len(), 6);
    after("tickets, 3 blocks 1 record");
    assert_eq!(tickets(all(3), 2).len(), 6);
    after("tickets, 3 blocks 2 records");
    assert_eq!(tickets(bounded(4, 2), 2).len(), 24);
    after("tickets, 4 blocks");

    assert_eq!(image_slots(all(2)), [[0, 1]]);
    after("the image's slots, 2 blocks");
    assert_eq!(image_slots(bounded(3, 3)), [[0, 1, 2]]);
    after("the image's slots, 3 blocks");
    // The launch that comes second has the image's slots if the first is done with them, else its own.
    assert_eq!(image_slots(Model { launches: 2, ..bounded(2, 2) }), [[0, 1], [1, 0]]);
    after("the image's slots, 2 launches of 2 blocks");

    assert_eq!(rows(all(2), 1, 1), [[0, 1], [1, 0]]);
    after("rows, 2 blocks");
    assert_eq!(rows(bounded(3, 3), 1, 1).len(), 6);
    after("rows, 3 blocks");
    assert_eq!(rows(bounded(3, 3), 2, 1).len(), 6);
    after("rows, 3 blocks, 2 rows");
    assert_eq!(rows(bounded(3, 2), 1, 2).len(), 6);
    after("rows, 3 blocks, 2 a row");

    // Without any one of the fences the models find an access that is not ordered.
    for number in 1..=2 {
        assert!(notices_without_fence(number, || drop(own_slots(all(2)))), "own slots, fence {number}");
    }
    // A block of a later round has one fence more, before the other two. Its last one is for the slots of
    // other blocks.
    for (number, blocks, records) in [(1, 3, 1), (2, 3, 1), (3, 4, 2)] {
        let model = move || drop(tickets(bounded(blocks, 2), records));
        assert!(notices_without_fence(number, model), "tickets, fence {number}");
    }
    // Of the image's slots: what acquires the first block's decision; that block's fence, or the second poll's, which a
    // longer wait would have as its third; the delivery; and the fence before the slots are free again, the fourth or
    // fifth.
    for number in 1..=5 {
        let model = || drop(image_slots(Model { launches: 2, ..bounded(2, 2) }));
        assert!(notices_without_fence(number, model), "the image's slots, fence {number}");
    }
    // The third only repeats the second, which also serves the slot's next user.
    for number in [1, 2, 4] {
        let model = || drop(rows(all(2), 1, if number == 4 { 2 } else { 1 }));
        assert!(notices_without_fence(number, model), "rows, fence {number}");
    }
    assert!(!notices_without_fence(3, || drop(rows(all(2), 1, 2))), "rows, fence 3");
    after("fences left out");
}
