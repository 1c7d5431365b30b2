//! A grid whose blocks loom runs in every order.

use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::sync::Arc;

use crate::arch::{atomic::LEFT_OUT, enter};
use crate::reduce::private::{Accumulate, Algorithm, Fold, InterWarp, Load, Shuffle, Store};

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

impl Load<Copies> for Records {
    unsafe fn load(&self, copies: &mut Copies, record: u32) {
        copies.0.clear();
        // SAFETY: the caller's contract is the same.
        unsafe { self.combine(copies, record) };
    }
}

impl Fold<Copies> for Records {
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
    /// Launches that run at the same time.
    pub launches: u32,
    /// Blocks of each grid.
    pub blocks: u32,
    /// The most times that a block is preempted; without a limit, all orders are explored.
    pub preemptions: Option<usize>,
}

/// Runs `reduce` in every block of a grid, in every order, on what `shared` makes anew for each. It gets the number
/// of its launch, and copies that hold the block's number, and returns whether they hold the result. Exactly one block
/// of a launch must, with every number in it once. `check` then examines what was shared. Returns all results, sorted.
pub fn explore<S: Sync + Send + 'static>(
    model: Model,
    shared: impl Fn() -> S + Sync + Send + 'static,
    reduce: impl Fn(&S, u32, &mut Copies) -> bool + Sync + Send + Copy + 'static,
    check: impl Fn(&S) + Sync + Send + 'static,
) -> Vec<Vec<u32>> {
    let Model { launches, blocks, preemptions } = model;
    let mut builder = Builder::new();
    builder.preemption_bound = preemptions;
    let results = std::sync::Arc::new(Mutex::new(std::collections::BTreeSet::new()));
    let seen = results.clone();
    builder.check(move || {
        let shared = Arc::new(shared());
        let run = move |thread: u32, shared: &S| {
            let (launch, number) = (thread / blocks, thread % blocks);
            enter(number, blocks);
            let mut copies = Copies(vec![number]);
            reduce(shared, launch, &mut copies).then_some((launch, copies.0))
        };
        // The model's own thread is block 0 of launch 0.
        let others: Vec<_> = (1..launches * blocks)
            .map(|thread| {
                let shared = shared.clone();
                loom::thread::spawn(move || run(thread, &shared))
            })
            .collect();
        let mut results: Vec<(u32, Vec<u32>)> = run(0, &shared).into_iter().collect();
        results.extend(others.into_iter().filter_map(|other| other.join().expect("a block that ends")));
        results.sort();
        let with_result: Vec<u32> = results.iter().map(|(launch, _)| *launch).collect();
        assert_eq!(
            with_result,
            (0..launches).collect::<Vec<_>>(),
            "the launches of blocks that hold a result"
        );
        for (_, result) in results {
            let mut sorted = result.clone();
            sorted.sort();
            assert_eq!(sorted, (0..blocks).collect::<Vec<_>>(), "{result:?}");
            seen.lock().expect("no panic while held").insert(result);
        }
        check(&shared);
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
