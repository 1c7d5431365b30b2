//! The GPUs that can be emulated, and how people name them.

use std::{fmt, str::FromStr};

use ptx_emulator::MachineDescription;

/// A GPU that can be emulated. It is parsed from its name or its architecture: `h200`, `sm_90` and `90` are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuModel {
    name: &'static str,
    sm: u32,
}

impl GpuModel {
    /// All of them, the newest first.
    pub const ALL: [GpuModel; 4] = [
        GpuModel { name: "b200", sm: 100 },
        GpuModel { name: "h200", sm: 90 },
        GpuModel { name: "a100", sm: 80 },
        GpuModel { name: "v100", sm: 70 },
    ];

    /// Its name, such as `h200`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The number of its architecture: 90 for sm_90.
    pub fn sm(self) -> u32 {
        self.sm
    }

    /// Its architecture, as compilers name it: `sm_90`.
    pub fn architecture(self) -> String {
        format!("sm_{}", self.sm)
    }

    /// Its limits and sizes.
    pub fn description(self) -> MachineDescription {
        match self.sm {
            100 => MachineDescription::b200(),
            80 => MachineDescription::a100(),
            70 => MachineDescription::v100(),
            _ => MachineDescription::h200(),
        }
    }
}

/// A text names no GPU that can be emulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGpuModel;

impl fmt::Display for UnknownGpuModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = GpuModel::ALL.map(|model| format!("{} ({})", model.architecture(), model.name));
        write!(f, "supported: {}", known.join(", "))
    }
}

impl std::error::Error for UnknownGpuModel {}

impl Default for GpuModel {
    /// The H200.
    fn default() -> GpuModel {
        GpuModel::ALL[1]
    }
}

impl FromStr for GpuModel {
    type Err = UnknownGpuModel;

    fn from_str(text: &str) -> Result<GpuModel, UnknownGpuModel> {
        let text = text.to_ascii_lowercase();
        let named = |model: &GpuModel| {
            let architecture = model.architecture();
            text == model.name || text == architecture || text == architecture["sm_".len()..]
        };
        GpuModel::ALL.into_iter().find(named).ok_or(UnknownGpuModel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_found_by_name_and_by_architecture() {
        for text in ["sm_90", "90", "h200", "H200"] {
            assert_eq!(text.parse(), Ok(GpuModel::ALL[1]), "{text}");
        }
        for text in ["sm_61", "", "sm_", "h100", "9"] {
            assert_eq!(text.parse::<GpuModel>(), Err(UnknownGpuModel), "{text}");
        }
        assert_eq!(
            UnknownGpuModel.to_string(),
            "supported: sm_100 (b200), sm_90 (h200), sm_80 (a100), sm_70 (v100)"
        );
    }

    #[test]
    fn a_model_has_the_description_of_its_name() {
        for model in GpuModel::ALL {
            let description = model.description();
            assert_eq!(description.sm, model.sm());
            assert!(description.name.to_lowercase().starts_with(model.name()), "{description:?}");
        }
    }
}
