//! Modules on a device, and the handles of their kernels.

use std::{collections::BTreeMap, mem, sync::OnceLock};

use cust::{
    error::{CudaError, CudaResult},
    function::Function,
    module::Module,
};

use crate::{Device, Error, device::Owned};

/// A module on a device. A kernel's handle is looked up at the first use and kept, because a look-up is a call of the
/// driver.
#[derive(Debug)]
pub(crate) struct Loaded {
    module: Owned<Module>,
    /// Handles of the module's functions: valid as long as the module, which is dropped with them and is never
    /// replaced. No function has them for longer than a borrow of this.
    functions: BTreeMap<String, OnceLock<Function<'static>>>,
}

impl Loaded {
    /// Loads PTX that has these kernels.
    pub fn new(
        device: &Device,
        doing: impl FnOnce() -> String,
        ptx: &str,
        kernels: impl IntoIterator<Item = String>,
    ) -> Result<Loaded, Error> {
        let module = Owned::new(device, doing, || Module::from_ptx(ptx, &[]))?;
        Ok(Loaded { module, functions: kernels.into_iter().map(|name| (name, OnceLock::new())).collect() })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.module.device()
    }

    /// A kernel, with the device's context current.
    pub fn function(&self, name: &str) -> CudaResult<&Function<'_>> {
        let known = self.functions.get(name).ok_or(CudaError::NotFound)?;
        if let Some(function) = known.get() {
            return Ok(function);
        }
        let function = self.module.get_function(name)?;
        // SAFETY: only the lifetime changes. A function is a handle and no reference, and who gets it borrows `self`,
        // and with it the module.
        let function = unsafe { mem::transmute::<Function<'_>, Function<'static>>(function) };
        Ok(known.get_or_init(|| function))
    }
}
