! Reductions of arrays by the processes of an MPI job: libwarpfold_mpi.so. warpfold_mpi.h says what the functions do, and
! has further ones for partial results.
!
! SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
!
! Communicators are the integers of mpif.h and `use mpi`; of `use mpi_f08` the component MPI_VAL.

module warpfold_mpi
  use, intrinsic :: iso_c_binding
  implicit none

  enum, bind(c)
    enumerator :: warpfold_i8 = 0, warpfold_i16, warpfold_i32, warpfold_i64
    enumerator :: warpfold_u8, warpfold_u16, warpfold_u32, warpfold_u64
    enumerator :: warpfold_f32, warpfold_f64, warpfold_complex_f32, warpfold_complex_f64
  end enum

  enum, bind(c)
    enumerator :: warpfold_sum = 0, warpfold_product, warpfold_min, warpfold_max
    enumerator :: warpfold_and, warpfold_or, warpfold_xor, warpfold_all, warpfold_any
    enumerator :: warpfold_argmin, warpfold_argmax
  end enum

  interface
    ! Elements are an array of the host, or of the device within `target data use_device_addr`.
    integer(c_int) function warpfold_reduce(elements, count, type, op, result, root, comm) &
        bind(c, name="warpfold_reduce_fortran")
      import :: c_int, c_size_t
      type(*), intent(in) :: elements(*)
      integer(c_size_t), value :: count
      integer(c_int), value :: type, op, root, comm
      type(*) :: result
    end function

    integer(c_int) function warpfold_allreduce(elements, count, type, op, result, comm) &
        bind(c, name="warpfold_allreduce_fortran")
      import :: c_int, c_size_t
      type(*), intent(in) :: elements(*)
      integer(c_size_t), value :: count
      integer(c_int), value :: type, op, comm
      type(*) :: result
    end function

    type(c_ptr) function warpfold_error_address() bind(c, name="warpfold_error")
      import :: c_ptr
    end function

    integer(c_size_t) function warpfold_length(text) bind(c, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
    end function
  end interface

contains

  ! What the last failure of this thread was.
  function warpfold_error() result(text)
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    type(c_ptr) :: address
    integer :: i
    address = warpfold_error_address()
    call c_f_pointer(address, letters, [warpfold_length(address)])
    allocate(character(len=size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function
end module
