//! The emulated devices: GPUs of one host, with one address space.

use std::sync::Arc;

use ptx_emulator::{Machine, MachineDescription};

use super::{
    abi::Handle,
    host_compiler::LazyCompiler,
    objects::{Ordinal, Primary},
};
use crate::Status;

/// What belongs to a device as a whole.
pub(crate) struct Device {
    pub machine: Arc<Machine>,
    pub primary: Primary,
    /// Its default pool, once it was asked for, and the pool that was set in its place.
    pub default_pool: Option<Handle>,
    pub current_pool: Option<Handle>,
}

/// All devices, at least one.
pub(crate) struct Devices(Vec<Device>);

impl Default for Devices {
    fn default() -> Devices {
        Devices::new(Vec::new())
    }
}

impl Devices {
    /// Devices with these limits and sizes; without any, one that is as by default.
    pub fn new(mut descriptions: Vec<MachineDescription>) -> Devices {
        if descriptions.is_empty() {
            descriptions.push(MachineDescription::default());
        }
        let device = |machine: Machine| {
            machine.set_compiler(Arc::new(LazyCompiler));
            let machine = Arc::new(machine);
            Device { machine, primary: Primary::default(), default_pool: None, current_pool: None }
        };
        Devices(Machine::group(descriptions).into_iter().map(device).collect())
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The device that a program names.
    pub fn find(&self, device: i32) -> Result<Ordinal, Status> {
        let known = usize::try_from(device).ok().filter(|&at| at < self.0.len());
        known.map(Ordinal).ok_or(Status::INVALID_DEVICE)
    }

    pub fn get(&self, device: Ordinal) -> &Device {
        &self.0[device.0]
    }

    pub fn get_mut(&mut self, device: Ordinal) -> &mut Device {
        &mut self.0[device.0]
    }

    pub fn ordinals(&self) -> impl Iterator<Item = Ordinal> + use<> {
        (0..self.0.len()).map(Ordinal)
    }

    pub fn machines(&self) -> impl Iterator<Item = &Arc<Machine>> {
        self.0.iter().map(|device| &device.machine)
    }

    /// The number of a device, if there are others.
    pub fn number_if_several(&self, device: Ordinal) -> Option<usize> {
        (self.count() > 1).then_some(device.0)
    }

    /// The device whose own memory has this address.
    pub fn at(&self, address: u64) -> Option<Ordinal> {
        self.0.iter().position(|device| device.machine.addresses().contains(&address)).map(Ordinal)
    }
}
