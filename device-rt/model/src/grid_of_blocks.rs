//! A grid whose blocks loom runs in every order.

use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::sync::Arc;

use crate::arch::{atomic::LEFT_OUT, enter};
use crate::reduce::private::{Accumulate, Algorithm, Fold, InterWarp, Shuffle, Store};

/// What a block holds: the numbers of the blocks that went into it, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Copies(pub Vec<u32>);

impl Shuffle for Copies {
    unsafe fn shuffle_reduce(&mut self, _: u32, _: u32, _: Algorithm) {
        unreachable!("a block has one thread");
    }
}

impl InterWarp for Copies {
    unsafe fn inter_warp_copy(&mut self, _: u32) {
        unreachable!("a block has one thread");
    }
}

/// Records, whose accesses loom watches.
pub struct Records(Vec<UnsafeCell<Option<Copies>>>);

impl Records {
    /// So many records, none of them stored.
    pub fn new(len: u32) -> Records {
        Records((0..len).map(|_| UnsafeCell::new(None)).collect())
    }
}

// SAFETY: loom reports two accesses that are not ordered, before they are done.
unsafe impl Sync for Records {}

impl Store<Copies> for Records {
    unsafe fn store(&self, copies: &mut Copies, record: u32) {
        // SAFETY: loom has checked that no other thread accesses it.
        self.0[record as usize].with_mut(|to| unsafe { *to = Some(copies.clone()) });
    }
}

impl Accumulate<Copies> for Records {
    unsafe fn accumulate(&self, copies: &mut Copies, record: u32) {
        self.0[record as usize].with_mut(|to| {
            // SAFETY: loom has checked that no other thread accesses it.
            unsafe { (*to).as_mut() }.expect("a record that was stored").0.append(&mut copies.0);
        });
    }
}

impl Fold<Copies> for Records {
    unsafe fn load(&self, copies: &mut Copies, record: u32) {
        copies.0.clear();
        // SAFETY: the caller's contract is the same.
        unsafe { self.combine(copies, record) };
    }

    unsafe fn combine(&self, copies: &mut Copies, record: u32) {
        self.0[record as usize].with(|from| {
            // SAFETY: loom has checked that no other thread writes it.
            copies.0.extend(&unsafe { (*from).as_ref() }.expect("a record that was stored").0);
        });
    }
}

/// How much of a model is explored.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Blocks of the grid.
    pub blocks: u32,
    /// The most times that a block is preempted; without a limit, all orders are explored.
    pub preemptions: Option<usize>,
}

/// Runs `reduce` in every block of a grid, in every order, on what `shared` makes anew for each. The copies
/// that it gets hold the block's number, and it returns whether they hold the result. Exactly one block must,
/// with every number in it once. `check` then examines what was shared. Returns all results, sorted.
pub fn explore<S: Sync + Send + 'static>(
    model: Model,
    shared: impl Fn() -> S + Sync + Send + 'static,
    reduce: impl Fn(&S, &mut Copies) -> bool + Sync + Send + Copy + 'static,
    check: impl Fn(&S) + Sync + Send + 'static,
) -> Vec<Vec<u32>> {
    let Model { blocks, preemptions } = model;
    let mut builder = Builder::new();
    builder.preemption_bound = preemptions;
    let results = std::sync::Arc::new(Mutex::new(std::collections::BTreeSet::new()));
    let seen = results.clone();
    builder.check(move || {
        let shared = Arc::new(shared());
        let run = move |number, shared: &S| {
            enter(number, blocks);
            let mut copies = Copies(vec![number]);
            reduce(shared, &mut copies).then_some(copies.0)
        };
        // The model's own thread is block 0.
        let others: Vec<_> = (1..blocks)
            .map(|number| {
                let shared = shared.clone();
                loom::thread::spawn(move || run(number, &shared))
            })
            .collect();
        let mut results: Vec<Vec<u32>> = run(0, &shared).into_iter().collect();
        results.extend(others.into_iter().filter_map(|other| other.join().expect("a block that ends")));
        let [result] = &results[..] else { panic!("{} blocks hold the result", results.len()) };
        let mut sorted = result.clone();
        sorted.sort();
        assert_eq!(sorted, (0..blocks).collect::<Vec<_>>(), "{result:?}");
        check(&shared);
        seen.lock().expect("no panic while held").insert(result.clone());
    });
    results.lock().expect("no panic while held").iter().cloned().collect()
}

/// Whether `model` notices, by a panic, that fence `number` of every block is left out.
///
/// Tests that use this must not run beside others in one process.
pub fn notices_without_fence(number: u32, model: impl FnOnce() + std::panic::UnwindSafe) -> bool {
    LEFT_OUT.store(number, Relaxed);
    let caught = std::panic::catch_unwind(model).is_err();
    LEFT_OUT.store(0, Relaxed);
    caught
}
