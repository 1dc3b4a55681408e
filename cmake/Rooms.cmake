# One library target per folder of src/, all sources of the folder in it but the
# main.cpp of a program.

# drover_room(NAME [LINKS target...] [PRIVATE_LINKS target...])
# Makes drover::NAME from src/NAME. LINKS are the rooms and libraries whose
# headers its own headers need; PRIVATE_LINKS are used by its sources alone.
function(drover_room name)
  cmake_parse_arguments(ARG "" "" "LINKS;PRIVATE_LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${name}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(NOT sources)
    add_library(drover_${name} INTERFACE)
    add_library(drover::${name} ALIAS drover_${name})
    target_include_directories(drover_${name} INTERFACE "${CMAKE_SOURCE_DIR}/src")
    target_link_libraries(drover_${name} INTERFACE ${ARG_LINKS})
    return()
  endif()
  add_library(drover_${name} STATIC ${sources})
  add_library(drover::${name} ALIAS drover_${name})
  target_include_directories(drover_${name} PUBLIC "${CMAKE_SOURCE_DIR}/src")
  target_link_libraries(drover_${name} PUBLIC ${ARG_LINKS} PRIVATE drover_options ${ARG_PRIVATE_LINKS})
  if(name STREQUAL "actors")
    target_precompile_headers(drover_${name} PRIVATE <caf/all.hpp> <nlohmann/json.hpp> <functional> <map> <string> <vector>)
  elseif(name STREQUAL "core" OR name STREQUAL "devices")
    # Pango's flags hold -pthread, so devices can't use the header of core.
    target_precompile_headers(drover_${name} PRIVATE <nlohmann/json.hpp> <functional> <map> <string> <vector> <chrono>)
  else()
    target_precompile_headers(drover_${name} REUSE_FROM drover_core)
  endif()
endfunction()

# drover_program(NAME MAIN target...) makes the program NAME from the source MAIN.
function(drover_program name main)
  add_executable(${name} ${main})
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}/src")
  target_link_libraries(${name} PRIVATE drover_options ${ARGN})
endfunction()
