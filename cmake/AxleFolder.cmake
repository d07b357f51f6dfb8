# SPDX-License-Identifier: Apache-2.0
# One static library per folder of src/, linked to exactly the folders that layers.txt names.

# target name of a folder: hlo/text -> axle_hlo_text
function(axle_target_name folder out)
  string(REPLACE "/" "_" name "axle_${folder}")
  set(${out} ${name} PARENT_SCOPE)
endfunction()

# The generated code of proto/*.proto, headers under <build>/proto/.
function(axle_protos)
  file(GLOB protos CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/proto/*.proto)
  set(out ${CMAKE_BINARY_DIR}/generated/proto)
  file(MAKE_DIRECTORY ${out})
  foreach(proto IN LISTS protos)
    get_filename_component(stem ${proto} NAME_WE)
    add_custom_command(
      OUTPUT ${out}/${stem}.pb.cc ${out}/${stem}.pb.h
      COMMAND protobuf::protoc --cpp_out=${CMAKE_BINARY_DIR}/generated -I${CMAKE_SOURCE_DIR}
              ${proto}
      DEPENDS ${protos})
    list(APPEND generated ${out}/${stem}.pb.cc)
  endforeach()
  if(generated)
    add_library(axle_proto STATIC ${generated})
    target_include_directories(axle_proto SYSTEM PUBLIC ${CMAKE_BINARY_DIR}/generated)
    target_link_libraries(axle_proto PUBLIC protobuf::libprotobuf)
    if(AXLE_SANITIZE)
      target_compile_options(axle_proto PRIVATE -fsanitize=${AXLE_SANITIZE})
    endif()
  else()
    add_library(axle_proto INTERFACE)
  endif()
endfunction()

# axle_folder(hlo/text base hlo hlo/ops): the library, and from its *_test.cc one test binary.
function(axle_folder folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${folder}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  axle_target_name(${folder} target)
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_link_libraries(${target} ${scope} axle_flags absl::status absl::statusor absl::strings
                        absl::str_format absl::flat_hash_map absl::flat_hash_set
                        absl::inlined_vector absl::span absl::hash
                        Threads::Threads)
  foreach(dependency IN LISTS ARGN)
    axle_target_name(${dependency} name)
    target_link_libraries(${target} ${scope} ${name})
  endforeach()
  if(tests AND AXLE_DEVELOPER)
    set_property(GLOBAL APPEND PROPERTY AXLE_TESTED_FOLDERS ${folder})
    set_property(GLOBAL PROPERTY AXLE_TESTS_${folder} ${tests})
  endif()
endfunction()

# The targets of the folders that test sources include; what those include in turn, they link already.
# So a test binary waits for no folder that it does not use.
function(axle_included_targets out)
  set(targets)
  foreach(source IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} includes REGEX "^#include \"[a-z_/]+/[a-z_0-9.]+\"")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE "^#include \"([a-z_/]+)/.*" "\\1" folder "${include}")
      axle_target_name(${folder} target)
      if(TARGET ${target})
        list(APPEND targets ${target})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES targets)
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

# Every folder that layers.txt lists.
function(axle_folders)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/layers.txt)
  file(STRINGS ${CMAKE_SOURCE_DIR}/layers.txt rows REGEX "^[a-z_/]+:")
  foreach(row IN LISTS rows)
    string(REGEX MATCH "^([a-z_/]+):(.*)$" _ "${row}")
    set(folder ${CMAKE_MATCH_1})
    string(STRIP "${CMAKE_MATCH_2}" dependencies)
    string(REPLACE " " ";" dependencies "${dependencies}")
    axle_folder(${folder} ${dependencies})
    axle_target_name(${folder} name)
    list(APPEND all ${name})
  endforeach()
  set_target_properties(axle_base PROPERTIES LINK_INTERFACE_MULTIPLICITY 2)
  add_library(axle_all INTERFACE)
  target_link_libraries(axle_all INTERFACE ${all})
  target_link_libraries(axle_base PUBLIC nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS})

  get_property(tested GLOBAL PROPERTY AXLE_TESTED_FOLDERS)
  foreach(folder IN LISTS tested)
    get_property(tests GLOBAL PROPERTY AXLE_TESTS_${folder})
    axle_target_name(${folder} target)
    file(GLOB testing_headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${folder}/*_testing.h)
    axle_included_targets(included ${tests} ${testing_headers})
    add_executable(${target}_test ${tests})
    target_link_libraries(${target}_test PRIVATE ${target} ${included} GTest::gtest_main
                          GTest::gmock)
    target_compile_definitions(${target}_test PRIVATE AXLE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                               AXLE_BINARY_DIR="${CMAKE_BINARY_DIR}")
    add_test(NAME unit/${folder} COMMAND ${target}_test --gtest_brief=1)
  endforeach()
endfunction()

# The `axle` binary: src/tools/main.cc on the library of the folder.
function(axle_tools)
  target_compile_definitions(axle_assembly PRIVATE AXLE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_compile_definitions(axle_tools PRIVATE AXLE_VERSION="${PROJECT_VERSION}")
  add_executable(axle ${CMAKE_SOURCE_DIR}/src/tools/main.cc)
  target_link_libraries(axle PRIVATE axle_tools)
endfunction()
