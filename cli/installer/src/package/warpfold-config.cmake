# OpenMP offloading to NVIDIA GPUs with clang and warpfold's device runtime:
#
#   find_package(warpfold REQUIRED)
#   target_link_libraries(program PRIVATE warpfold::openmp)
#
# WARPFOLD_OFFLOAD_ARCH is the GPU architecture to compile for, or a list of several.

foreach(_warpfold_language C CXX Fortran)
  if(CMAKE_${_warpfold_language}_COMPILER_ID AND NOT (CMAKE_${_warpfold_language}_COMPILER_ID MATCHES "^(Clang|LLVMFlang)$"
      AND CMAKE_${_warpfold_language}_COMPILER_VERSION VERSION_GREATER_EQUAL @CLANG@))
    set(warpfold_FOUND FALSE)
    set(warpfold_NOT_FOUND_MESSAGE "${CMAKE_${_warpfold_language}_COMPILER} \
(${CMAKE_${_warpfold_language}_COMPILER_ID} ${CMAKE_${_warpfold_language}_COMPILER_VERSION}) cannot use this runtime: \
it needs clang @CLANG@ or flang @CLANG@, or newer. In a fresh build folder: \
-DCMAKE_C_COMPILER=clang-@CLANG@ -DCMAKE_CXX_COMPILER=clang++-@CLANG@ -DCMAKE_Fortran_COMPILER=flang-@CLANG@")
    return()
  endif()
endforeach()
unset(_warpfold_language)

if(NOT DEFINED WARPFOLD_OFFLOAD_ARCH)
  set(WARPFOLD_OFFLOAD_ARCH sm_90 CACHE STRING "GPU architectures that OpenMP code is offloaded to")
endif()

get_filename_component(_warpfold_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(WARPFOLD_RUNTIME_DIR "${_warpfold_prefix}/lib/nvptx64-nvidia-cuda")
set(WARPFOLD_INCLUDE_DIR "${_warpfold_prefix}/include")

if(NOT TARGET warpfold::openmp)
  string(REPLACE ";" "," _warpfold_arch "${WARPFOLD_OFFLOAD_ARCH}")
  set(_warpfold_offload -fopenmp --offload-arch=${_warpfold_arch})
  add_library(warpfold::openmp INTERFACE IMPORTED)
  set(_warpfold_clang "--config=\"${_warpfold_prefix}/share/warpfold/clang.cfg\"")
  # With -foffload-lto clang reads the bitcode when it links, and would warn that the path is unused here.
  set_target_properties(warpfold::openmp PROPERTIES
    INTERFACE_COMPILE_OPTIONS
      "${_warpfold_offload};$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:${_warpfold_clang} --start-no-unused-arguments --libomptarget-nvptx-bc-path=\"${WARPFOLD_RUNTIME_DIR}\" --end-no-unused-arguments>"
    INTERFACE_LINK_OPTIONS
      "${_warpfold_offload};$<$<LINK_LANGUAGE:C,CXX>:SHELL:${_warpfold_clang}>;-Wl,--device-linker=-L${WARPFOLD_RUNTIME_DIR}"
    INTERFACE_INCLUDE_DIRECTORIES "${WARPFOLD_INCLUDE_DIR}")
  unset(_warpfold_arch)
  unset(_warpfold_clang)
  unset(_warpfold_offload)
endif()
unset(_warpfold_prefix)
