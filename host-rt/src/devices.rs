//! Reductions on several devices together.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread;

use cuda_driver::Select;
use device_code::{Items, Portable};
use device_rt::reduce::canonical::CHUNK;
use device_rt::reduce::op::{Identity, Lift, Plain, Storable};

use crate::{Device, Error, Partial, Stream, TypedReduction, typed::PIECE};

/// Devices that reduce together, each a part of the elements.
///
/// ```
/// use host_rt::{Devices, Select, Sum, canonical};
///
/// # fn main() -> Result<(), host_rt::Error> {
/// let numbers: Vec<f32> = (0..100_000).map(|i| (i as f32).sin()).collect();
/// let devices = Devices::open(Select::Emulator)?;
/// let sum = devices.reduce(&numbers, Sum)?;
/// // However many they are, the result has the same bits.
/// let expected = canonical::reduce(Sum, 100_000, |i| numbers[i as usize]);
/// assert_eq!(Some(sum.to_bits()), expected.map(f32::to_bits));
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Devices(Vec<Device>);

impl Devices {
    /// All devices of the requested driver.
    ///
    /// # Errors
    ///
    /// As [`Device::open`].
    pub fn open(select: Select) -> Result<Devices, Error> {
        let count = Device::count(select)?.max(1);
        (0..count).map(|number| Device::open_number(select, number)).collect::<Result<_, _>>().map(Devices)
    }

    /// The devices, at least one.
    pub fn list(&self) -> &[Device] {
        &self.0
    }

    /// Reduces the elements of a slice, and waits for it. Without elements the result is the operator's identity. Each call
    /// loads the kernel; a [`MultiDeviceReduction`] keeps it.
    ///
    /// # Errors
    ///
    /// As [`TypedReduction::with_opt`] and [`TypedReduction::partial`].
    pub fn reduce<I, O>(&self, items: &[I], op: O) -> Result<O::Value, Error>
    where
        I: Items + Plain + Sync,
        O: Lift<I> + Identity<O::Value> + Portable + Send + Sync,
        O::Value: Storable + Send,
    {
        MultiDeviceReduction::new(self, op)?.reduce(items)
    }
}

impl TryFrom<Vec<Device>> for Devices {
    type Error = Error;

    /// These devices.
    ///
    /// # Errors
    ///
    /// [`Error::NoDevice`] for none.
    fn try_from(devices: Vec<Device>) -> Result<Devices, Error> {
        if devices.is_empty() { Err(Error::NoDevice) } else { Ok(Devices(devices)) }
    }
}

/// Threads for each device: one copies elements to it while another one waits for the kernel.
const THREADS: usize = 2;

/// An operator over elements of type `I`, compiled for several devices, which reduce in the [canonical](crate::canonical)
/// order.
///
/// The elements are cut into as many neighbouring parts of equal size as there are devices: what takes the time is to copy
/// them to a device, which is equally fast for all. Two threads for each device take turns, so that it reduces a
/// piece while the next one is copied.
#[derive(Debug)]
pub struct MultiDeviceReduction<I, O> {
    op: O,
    devices: Vec<(TypedReduction<I, O>, [Stream; THREADS])>,
}

impl<I, O> MultiDeviceReduction<I, O>
where
    I: Items + Plain + Sync,
    O: Lift<I> + Portable + Send + Sync,
    O::Value: Storable + Send,
{
    /// The operator, for these devices.
    ///
    /// # Errors
    ///
    /// As [`TypedReduction::new`].
    pub fn new(devices: &Devices, op: O) -> Result<Self, Error> {
        let one =
            |device: &Device| Ok((TypedReduction::new(device, op)?, [device.stream()?, device.stream()?]));
        Ok(MultiDeviceReduction { op, devices: devices.0.iter().map(one).collect::<Result<_, Error>>()? })
    }

    /// Reduces the elements of a slice, and waits for it; without elements the result is the operator's identity.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`].
    pub fn reduce(&self, items: &[I]) -> Result<O::Value, Error>
    where
        O: Identity<O::Value>,
    {
        let (value, identity) = (self.partial(0, items)?.finish()?, self.op.identity());
        Ok(value.map_or(identity, |value| self.op.combine(identity, value)))
    }

    /// Reduces some of the elements, and waits for that; `first` is the first one's index among all.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`].
    pub fn partial(&self, first: u64, items: &[I]) -> Result<Partial<I, O>, Error> {
        let result = Mutex::new(Ok(Partial::new(self.op)));
        let locked = || result.lock().unwrap_or_else(PoisonError::into_inner);
        let pieces = pieces(first, items.len() as u64, self.devices.len());
        thread::scope(|scope| {
            for ((reduction, streams), pieces) in self.devices.iter().zip(&pieces) {
                for (number, stream) in streams.iter().enumerate() {
                    scope.spawn(move || {
                        for piece in pieces.iter().skip(number).step_by(THREADS) {
                            // Nobody needs the rest after an error.
                            if locked().is_err() {
                                break;
                            }
                            let part = &items[(piece.start - first) as usize..(piece.end - first) as usize];
                            let part = reduction.partial(stream, piece.start, part);
                            let mut all = locked();
                            if let Ok(known) = &mut *all
                                && let Err(error) = part.and_then(|part| known.merge(part))
                            {
                                *all = Err(error);
                            }
                        }
                    });
                }
            }
        });
        result.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The pieces of each device, of `count` elements from the index `first` on: they begin and end at whole chunks, as far as
/// the elements do.
fn pieces(first: u64, count: u64, devices: usize) -> Vec<Vec<Range<u64>>> {
    let (begin, end) = (first / CHUNK, (first + count).div_ceil(CHUNK));
    let border = |device: usize| begin + ((end - begin) as u128 * device as u128 / devices as u128) as u64;
    let of_device = |device: usize| {
        let (begin, end) = (border(device), border(device + 1));
        // At least one piece for each thread.
        let step = (end - begin).div_ceil(THREADS as u64).clamp(1, PIECE as u64 / CHUNK);
        let elements = |chunk: u64| (chunk * CHUNK).clamp(first, first + count);
        (begin..end)
            .step_by(step as usize)
            .map(|chunk| elements(chunk)..elements((chunk + step).min(end)))
            .filter(|piece| !piece.is_empty())
            .collect()
    };
    (0..devices).map(of_device).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_all_elements_in_order_and_devices_get_the_same() {
        for devices in [1, 2, 3, 8] {
            for first in [0, 1, CHUNK - 1, CHUNK, 3 * CHUNK + 5] {
                for count in [0, 1, CHUNK, 10 * CHUNK + 1, 40 * PIECE as u64 + 17] {
                    let all = pieces(first, count, devices);
                    assert_eq!(all.len(), devices);
                    let mut at = first;
                    for piece in all.iter().flatten() {
                        assert_eq!(piece.start, at);
                        assert!(piece.start < piece.end && piece.end - piece.start <= PIECE as u64);
                        assert!(piece.end.is_multiple_of(CHUNK) || piece.end == first + count);
                        at = piece.end;
                    }
                    assert_eq!(at, first + count);
                    let sizes = all.iter().map(|pieces| pieces.iter().map(|p| p.end - p.start).sum::<u64>());
                    let (least, most) =
                        sizes.fold((u64::MAX, 0), |(least, most), n| (n.min(least), n.max(most)));
                    assert!(most - least <= 2 * CHUNK, "{least} to {most}");
                }
            }
        }
    }
}
