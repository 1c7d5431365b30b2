//! Which bytes of global and shared memory nobody has written.
//!
//! A byte is defined, undefined (never written, or a copy of such a byte) or computed from undefined bytes. Undefined
//! bytes may be copied, as the padding of structs is; only what was computed from them is a mistake, once the host
//! copies it. (A branch, an address or an atomic that depends on them is a fault of the launch.)

use std::collections::{BTreeMap, HashMap};

use super::pages::{PAGE, PageTable};
use crate::observer::{UndefinedBytes, UndefinedSource};

/// What is known of a byte.
const DEFINED: u8 = 0;
const UNDEFINED: u8 = 1;
const COMPUTED: u8 = 2;

/// The states of [`PAGE`] bytes.
#[derive(Clone, Debug, Default)]
enum Page {
    /// Not accessed yet.
    #[default]
    Unknown,
    Same(u8),
    /// The state of each byte, and how many are not defined.
    Each(Box<[u8; PAGE as usize]>, u16),
}

impl Page {
    #[inline]
    fn range(&self, offset: usize, size: usize) -> Option<&[u8]> {
        match self {
            Page::Same(_) | Page::Unknown => None,
            Page::Each(states, _) => Some(&states[offset..offset + size]),
        }
    }

    /// Sets the state of bytes.
    #[inline]
    fn set(&mut self, offset: usize, size: usize, state: u8) {
        match self {
            Page::Same(all) if *all == state => return,
            _ if size == PAGE as usize => {
                *self = Page::Same(state);
                return;
            }
            _ => {}
        }
        let (states, left) = self.each();
        for byte in &mut states[offset..offset + size] {
            *left = *left + u16::from(state != DEFINED) - u16::from(*byte != DEFINED);
            *byte = state;
        }
        if *left == 0 {
            *self = Page::Same(DEFINED);
        }
    }

    fn each(&mut self) -> (&mut [u8; PAGE as usize], &mut u16) {
        if let Page::Same(state) = *self {
            let left = if state == DEFINED { 0 } else { PAGE as u16 };
            *self = Page::Each(Box::new([state; PAGE as usize]), left);
        }
        match self {
            Page::Each(states, left) => (states, left),
            Page::Same(_) | Page::Unknown => unreachable!("its state is known"),
        }
    }
}

/// Where an undefined value came from: the sites that brought it into a register, and that first computed with it; and
/// what it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OriginSites {
    pub read: u16,
    pub computed: Option<u16>,
    pub from: UndefinedSource,
}

pub(super) type OriginSite = Option<OriginSites>;

/// Memory whose bytes are defined or not.
#[derive(Clone, Debug, Default)]
pub(super) struct Definedness {
    pages: PageTable<Page>,
    /// Ranges whose pages are undefined until they are written: address and size.
    fresh: BTreeMap<u64, u64>,
    /// Where the values of computed words came from, by address / 4.
    origins: HashMap<u64, OriginSite>,
}

impl Definedness {
    /// Memory that is undefined.
    pub fn add(&mut self, address: u64, bytes: u64) {
        self.remove(address, bytes);
        self.fresh.insert(address, bytes);
    }

    /// Memory that there is no more.
    pub fn remove(&mut self, address: u64, bytes: u64) {
        if self.fresh.remove(&address).is_none() {
            return;
        }
        let (first, last) = (address / PAGE, (address + bytes.max(1) - 1) / PAGE);
        self.pages.clear(first..=last, |page| *page = Page::Unknown);
        if !self.origins.is_empty() {
            self.origins.retain(|&word, _| !(address / 4..(address + bytes).div_ceil(4)).contains(&word));
        }
    }

    /// Whether memory is kept track of at an address.
    fn is_fresh(&self, address: u64) -> bool {
        self.fresh.range(..=address).next_back().is_some_and(|(&base, &bytes)| address - base < bytes)
    }

    /// The page of an address; `None` for memory of others, which counts as defined.
    #[inline]
    fn page(&mut self, address: u64) -> Option<&mut Page> {
        if let Page::Unknown = self.pages.page(address / PAGE) {
            if !self.is_fresh(address) {
                return None;
            }
            *self.pages.page(address / PAGE) = Page::Same(UNDEFINED);
        }
        Some(self.pages.page(address / PAGE))
    }

    /// A range of bytes gets one state.
    fn set(&mut self, address: u64, bytes: u64, state: u8) {
        let mut at = address;
        while at < address + bytes {
            let size = (PAGE - at % PAGE).min(address + bytes - at);
            if let Some(page) = self.page(at) {
                page.set((at % PAGE) as usize, size as usize, state);
            }
            at += size;
        }
    }

    /// The host writes a range.
    pub fn define(&mut self, address: u64, bytes: u64) {
        self.set(address, bytes, DEFINED);
    }

    /// Copies the states of a range.
    pub fn copy(&mut self, to: u64, from: u64, bytes: u64) {
        let states: Vec<u8> = (0..bytes).map(|i| self.state(from + i)).collect();
        let origins: Vec<_> =
            (0..bytes).step_by(4).filter_map(|i| Some((i, *self.origins.get(&((from + i) / 4))?))).collect();
        let mut at = 0;
        for same in states.chunk_by(|a, b| a == b) {
            self.set(to + at, same.len() as u64, same[0]);
            at += same.len() as u64;
        }
        for (i, origin) in origins {
            self.origins.insert((to + i) / 4, origin);
        }
    }

    fn state(&self, address: u64) -> u8 {
        match self.pages.get(address / PAGE) {
            Some(Page::Same(state)) => *state,
            Some(Page::Each(states, _)) => states[(address % PAGE) as usize],
            _ if self.is_fresh(address) => UNDEFINED,
            _ => DEFINED,
        }
    }

    /// The first byte of a range that was computed from undefined ones, and where these came from.
    pub fn first_computed(&self, address: u64, bytes: u64) -> Option<(u64, OriginSite)> {
        let mut at = address;
        while at < address + bytes {
            let size = (PAGE - at % PAGE).min(address + bytes - at);
            let offset = (at % PAGE) as usize;
            let found = match self.pages.get(at / PAGE) {
                Some(Page::Same(COMPUTED)) => Some(0),
                Some(page @ Page::Each(..)) => page
                    .range(offset, size as usize)
                    .and_then(|states| states.iter().position(|&state| state == COMPUTED)),
                _ => None,
            };
            if let Some(found) = found {
                let address = at + found as u64;
                return Some((address, self.origins.get(&(address / 4)).copied().flatten()));
            }
            at += size;
        }
        None
    }

    /// What of the accesses of lanes is undefined.
    #[inline]
    pub fn load(&mut self, addresses: &[u64; 32], lanes: u32, size: usize) -> Option<Loaded> {
        let mut loaded: Option<Loaded> = None;
        let (mut last, mut clean) = (u64::MAX, false);
        for lane in (0..32).filter(|lane| lanes >> lane & 1 != 0) {
            let address = addresses[lane];
            if address / PAGE != last {
                last = address / PAGE;
                clean = matches!(self.page(address), None | Some(Page::Same(DEFINED)));
            }
            if clean {
                continue;
            }
            let page = &*self.pages.page(last);
            let (mut bytes, mut computed) = (0u32, false);
            let offset = (address % PAGE) as usize;
            match page {
                Page::Unknown => {}
                Page::Same(state) => {
                    (bytes, computed) = (((1u64 << size) - 1) as u32, *state == COMPUTED);
                }
                Page::Each(states, _) => {
                    for (byte, &state) in states[offset..offset + size].iter().enumerate() {
                        bytes |= u32::from(state != DEFINED) << byte;
                        computed |= state == COMPUTED;
                    }
                }
            }
            if bytes == 0 {
                continue;
            }
            let loaded = loaded.get_or_insert_default();
            loaded.bytes[lane] = bytes;
            if computed {
                loaded.computed |= 1 << lane;
                loaded.origin = loaded.origin.or(self.origins.get(&(address / 4)).copied().flatten());
            }
        }
        loaded
    }

    /// Lanes store values that are undefined as `undefined` says.
    #[inline]
    pub fn store(
        &mut self,
        addresses: &[u64; 32],
        lanes: u32,
        size: usize,
        undefined: Option<(&UndefinedBytes, OriginSite)>,
    ) {
        let (mut last, mut clean) = (u64::MAX, false);
        for lane in (0..32).filter(|lane| lanes >> lane & 1 != 0) {
            let address = addresses[lane];
            if address / PAGE != last {
                last = address / PAGE;
                clean = undefined.is_none() && matches!(self.page(address), None | Some(Page::Same(DEFINED)));
            }
            if clean {
                continue;
            }
            let offset = (address % PAGE) as usize;
            let Some(page) = self.page(address) else { continue };
            let (bytes, computed) = match undefined {
                Some((undefined, _)) => (undefined.bytes[lane], undefined.computed >> lane & 1 != 0),
                None => (0, false),
            };
            if bytes == 0 {
                page.set(offset, size, DEFINED);
                continue;
            }
            for byte in 0..size {
                let state = match (bytes >> byte & 1 != 0, computed) {
                    (false, _) => DEFINED,
                    (true, false) => UNDEFINED,
                    (true, true) => COMPUTED,
                };
                page.set(offset + byte, 1, state);
            }
            if let (true, Some((_, origin))) = (computed, undefined) {
                for word in address / 4..(address + size as u64).div_ceil(4) {
                    self.origins.insert(word, origin);
                }
            }
        }
    }

    /// Bytes of the host's memory that it takes.
    pub fn host_bytes(&self) -> usize {
        let each = self.pages.all().filter(|page| matches!(page, Page::Each(..))).count();
        each * PAGE as usize
            + self.pages.host_bytes()
            + self.origins.capacity() * size_of::<(u64, OriginSite)>()
    }
}

/// What of a load is undefined.
#[derive(Clone, Debug, Default)]
pub(super) struct Loaded {
    pub bytes: [u32; 32],
    pub computed: u32,
    pub origin: OriginSite,
}
