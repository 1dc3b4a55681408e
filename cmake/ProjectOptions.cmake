# Options that every target of the project gets: the standard, the warnings,
# the sanitizers, ccache and where programs are put.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

option(DROVER_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(DROVER_WERROR "Treat warnings as errors" OFF)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # A precompiled header can only be cached when these are not part of the hash.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${CCACHE_PROGRAM}")
endif()

add_library(drover_options INTERFACE)
target_compile_features(drover_options INTERFACE cxx_std_20)
target_compile_options(drover_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wundef
  -Werror=switch -Werror=return-type -fpch-preprocess)
target_compile_definitions(drover_options INTERFACE CAF_ENABLE_TYPE_ID_CHECKS)
if(DROVER_WERROR)
  target_compile_options(drover_options INTERFACE -Werror -Wno-error=deprecated -Wno-error=deprecated-declarations)
endif()
if(NOT DROVER_SANITIZE)
  # Messages are allocated on one thread and freed on another, which the C library's
  # allocator answers with a lock each time: tcmalloc costs a fifth less CPU a step.
  pkg_check_modules(TCMALLOC REQUIRED libtcmalloc_minimal)
  target_link_options(drover_options INTERFACE "LINKER:--no-as-needed" ${TCMALLOC_LDFLAGS} "LINKER:--as-needed")
endif()
if(DROVER_SANITIZE)
  target_compile_options(drover_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer)
  target_link_options(drover_options INTERFACE -fsanitize=address,undefined)
  target_compile_definitions(drover_options INTERFACE _GLIBCXX_ASSERTIONS)
endif()
