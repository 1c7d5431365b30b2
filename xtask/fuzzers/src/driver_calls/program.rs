//! What the threads of a program share: handles and addresses that calls have returned.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::random::Random;

/// Handles of each kind, and addresses, that are remembered.
const HANDLES: usize = 4;
const ADDRESSES: usize = 12;
/// Bytes of the program's own memory.
const OWN_BYTES: usize = 64 << 10;
const PAGE: usize = 4096;

/// What a handle stands for.
#[derive(Clone, Copy)]
pub enum HandleKind {
    Context,
    Stream,
    Event,
    Module,
    Function,
    Pool,
}

impl HandleKind {
    pub const ALL: [HandleKind; 6] = [
        HandleKind::Context,
        HandleKind::Stream,
        HandleKind::Event,
        HandleKind::Module,
        HandleKind::Function,
        HandleKind::Pool,
    ];
}

/// One run of calls.
pub struct Program {
    handles: [[AtomicUsize; HANDLES]; HandleKind::ALL.len()],
    addresses: [AtomicU64; ADDRESSES],
    /// Contexts that were created.
    contexts: Mutex<Vec<usize>>,
    /// Pageable memory. The driver only ever gets its address: several threads copy to and from it.
    own: Vec<AtomicU64>,
}

/// Emulated devices.
pub const DEVICES: i32 = 2;

impl Program {
    /// A program whose threads use the primary context.
    pub fn new() -> Result<Program, String> {
        let program = Program {
            handles: [const { [const { AtomicUsize::new(0) }; HANDLES] }; HandleKind::ALL.len()],
            addresses: [const { AtomicU64::new(0) }; ADDRESSES],
            contexts: Mutex::new(Vec::new()),
            own: (0..OWN_BYTES / 8 + PAGE / 8).map(|_| AtomicU64::new(0)).collect(),
        };
        let mut context = 0usize;
        match call!(cuDevicePrimaryCtxRetain(&mut context => *mut usize, 0 => i32)) {
            0 => program.keep_handle(HandleKind::Context, context, &mut Random::new(0, 0)),
            status => return Err(format!("cuDevicePrimaryCtxRetain returned {status}")),
        }
        Ok(program)
    }

    /// A handle that a call has returned.
    pub fn handle(&self, kind: HandleKind, random: &mut Random) -> usize {
        self.handles[kind as usize][random.below(HANDLES)].load(Relaxed)
    }

    pub fn keep_handle(&self, kind: HandleKind, handle: usize, random: &mut Random) {
        self.handles[kind as usize][random.below(HANDLES)].store(handle, Relaxed);
    }

    /// An address that a call has returned.
    pub fn address(&self, random: &mut Random) -> u64 {
        self.addresses[random.below(ADDRESSES)].load(Relaxed)
    }

    pub fn keep_address(&self, address: u64, random: &mut Random) {
        self.addresses[random.below(ADDRESSES)].store(address, Relaxed);
    }

    pub fn keep_context(&self, context: usize) {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner).push(context);
    }

    /// The start of the program's own memory, a page, and its size.
    pub fn own(&self) -> (u64, usize) {
        let start = self.own.as_ptr() as u64;
        (start.next_multiple_of(PAGE as u64), OWN_BYTES)
    }

    /// Destroys all contexts.
    pub fn end(&self) -> Result<(), String> {
        for context in self.contexts.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // It may be destroyed already.
            call!(cuCtxDestroy_v2(context => usize));
        }
        for device in 0..DEVICES {
            match call!(cuDevicePrimaryCtxReset_v2(device => i32)) {
                0 => {}
                status => return Err(format!("cuDevicePrimaryCtxReset returned {status}")),
            }
        }
        Ok(())
    }
}
