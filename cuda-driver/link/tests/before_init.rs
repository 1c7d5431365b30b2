//! Calls before a driver is chosen. One test, because the choice belongs to the process.

use cuda_driver::{DriverKind, Select};
use cust::{CudaFlags, device::Device, error::CudaError};

#[test]
fn a_call_before_init_fails_and_the_driver_is_chosen_once() {
    cuda_driver_link::ensure_linked();

    assert_eq!(cust::init(CudaFlags::empty()), Err(CudaError::NotInitialized));
    assert_eq!(Device::num_devices(), Err(CudaError::NotInitialized));
    // cust gets the text from the driver.
    assert_eq!(CudaError::NotInitialized.to_string(), "\"the driver is not initialised\"");
    assert_eq!(cuda_driver::kind(), None);

    assert_eq!(cuda_driver::init(Select::Emulator), Ok(DriverKind::Emulator));
    assert_eq!(cuda_driver::init(Select::Auto), Ok(DriverKind::Emulator));
    let error = cuda_driver::init(Select::Cuda).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cuda was requested, but this process already runs on emulator; the driver is chosen once"
    );

    // The driver itself still requires cuInit first.
    assert_eq!(Device::num_devices(), Err(CudaError::NotInitialized));
    assert_eq!(cust::init(CudaFlags::empty()), Ok(()));
    assert_eq!(Device::num_devices(), Ok(1));
}
