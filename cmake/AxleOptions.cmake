# SPDX-License-Identifier: Apache-2.0
# Options, language level, warnings and the tools that make builds quick.

option(AXLE_DEVELOPER "Build tests, fuzzers and benchmarks" ON)
set(AXLE_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined or thread")
option(AXLE_FUZZ "Build the fuzz targets with libFuzzer (clang)" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(AXLE_CCACHE ccache)
if(AXLE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${AXLE_CCACHE})
endif()
find_program(AXLE_MOLD mold)
if(AXLE_MOLD AND NOT AXLE_SANITIZE)
  add_link_options(-fuse-ld=mold)
endif()

add_library(axle_flags INTERFACE)
target_compile_options(axle_flags INTERFACE -Wall -Wextra -Werror=switch -Wno-sign-compare
                                            -Wno-missing-field-initializers -ffp-contract=off)
target_include_directories(axle_flags INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/src)
if(AXLE_SANITIZE)
  target_compile_options(axle_flags INTERFACE -fsanitize=${AXLE_SANITIZE} -fno-omit-frame-pointer -g1)
  target_link_options(axle_flags INTERFACE -fsanitize=${AXLE_SANITIZE})
  if(AXLE_SANITIZE MATCHES "undefined")
    target_compile_options(axle_flags INTERFACE -fno-sanitize-recover=all)
  endif()
endif()
