//! Every case on the GPU, where there is one.

tests_gpu::cases!(host_rt::Select::Cuda);
