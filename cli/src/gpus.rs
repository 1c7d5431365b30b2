//! The options that say which GPUs are emulated.

use cuda_driver::settings::{self, GpuModel, MachineDescription};

/// The GPUs to emulate.
#[derive(clap::Args)]
pub struct EmulatedGpus {
    /// The GPU to emulate: sm_100 (b200), sm_90 (h200), sm_80 (a100) or sm_70 (v100); several, separated by commas
    #[arg(
        long = "sm",
        value_name = "MODEL",
        default_value = "sm_90",
        env = "WARPFOLD_MACHINE",
        value_delimiter = ','
    )]
    models: Vec<GpuModel>,
    /// How many GPUs to emulate; those of `--sm` repeat in order [default: one for each of them]
    #[arg(long = "devices", value_name = "N", env = "WARPFOLD_DEVICES", value_parser = device_count)]
    count: Option<usize>,
}

fn device_count(text: &str) -> Result<usize, String> {
    settings::device_count(text).map_err(|_| format!("not a number from 1 to {}", settings::MOST_DEVICES))
}

impl EmulatedGpus {
    /// Device 0.
    pub fn first(&self) -> GpuModel {
        self.models.first().copied().unwrap_or_default()
    }

    /// The models, each as often as it was named.
    pub fn models(&self) -> &[GpuModel] {
        &self.models
    }

    /// All devices.
    pub fn descriptions(&self) -> Vec<MachineDescription> {
        settings::descriptions(&self.models, self.count)
    }

    /// What the driver reads from the environment.
    pub fn variables(&self) -> [(&'static str, Option<String>); 2] {
        let names: Vec<&str> = self.models.iter().map(|model| model.name()).collect();
        [
            ("WARPFOLD_MACHINE", Some(names.join(","))),
            ("WARPFOLD_DEVICES", self.count.map(|count| count.to_string())),
        ]
    }
}
