//! Every case on the emulator.

tests_gpu::cases!(host_rt::Select::Emulator);
