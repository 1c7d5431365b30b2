//! What the settings say at present.

use ptx_emulator::{Checks, LaunchOptions, Machine};

use super::profiles;
use crate::settings::{host_memory::default_limit, values::Settings};

/// Bytes of kernels' output that are kept unless a limit is set.
const PRINT_BUFFER_BYTES: u64 = 64 << 20;

/// The settings that hold until others are given.
pub(crate) struct Configuration {
    pub launch: LaunchOptions,
    /// Bytes of device memory, where they are set apart from the machine.
    pub device_memory: Option<u64>,
    /// Whether kernels can access all memory of the host.
    unified: bool,
    /// Bytes of host memory that the driver may take, and of kernels' output that are kept.
    host_memory: u64,
    pub print_buffer: u64,
    pub checks: Option<Checks>,
    /// Whether leaks of device memory and of the device heap are reported.
    pub checks_leaks: bool,
    /// Whether launches are profiled.
    pub profiling: bool,
}

impl Default for Configuration {
    fn default() -> Configuration {
        Configuration {
            launch: LaunchOptions::default(),
            device_memory: None,
            unified: false,
            host_memory: default_limit(),
            print_buffer: PRINT_BUFFER_BYTES,
            checks: None,
            checks_leaks: false,
            profiling: false,
        }
    }
}

impl Configuration {
    /// Takes the settings that are given, of those that are kept here.
    pub fn change(&mut self, settings: Settings) {
        self.launch = settings.launch.unwrap_or_else(|| self.launch.clone());
        self.host_memory = settings.host_memory.unwrap_or(self.host_memory);
        self.print_buffer = settings.print_buffer.unwrap_or(self.print_buffer);
        self.unified = settings.unified_memory.unwrap_or(self.unified);
        self.checks_leaks = settings.check_leaks.unwrap_or(self.checks_leaks);
        self.checks = settings.checks.filter(|checks| !checks.is_empty()).or(self.checks);
        if let Some(path) = settings.profile {
            profiles::set_file(Some(path));
            self.profiling = true;
        }
    }

    /// Makes a machine work by it.
    pub fn apply(&self, machine: &Machine) {
        machine.set_host_limit(self.host_memory);
        machine.set_output_limit(usize::try_from(self.print_buffer).unwrap_or(usize::MAX));
        // SAFETY: whoever asks for unified memory and launches a kernel promises, with the launch, that the
        // addresses that it uses are valid.
        unsafe { machine.unify_host(self.unified) };
        if let Some(checks) = self.checks {
            machine.set_checks(checks);
        }
        machine.set_profiling(self.profiling);
        if self.checks_leaks != machine.tracks_heap_allocations() {
            machine.track_heap_allocations(self.checks_leaks);
        }
    }
}
