// The kernel of fill.ptx, for builds with debug information.
__attribute__((address_space(4))) unsigned table[3] = {1, 2, 3};

__attribute__((device_kernel)) void fill(unsigned *numbers, unsigned first) {
    unsigned i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
    numbers[i] = first + table[0] + i;
}
