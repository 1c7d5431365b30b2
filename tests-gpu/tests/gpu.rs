//! Every case on the GPU, if there is one.

tests_gpu::cases!(host_rt::Select::Cuda);
