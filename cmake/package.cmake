# A package for Debian of what `cmake --install` puts into the component runtime: cpack -G DEB, or the target `package`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rigplan)
set(CPACK_PACKAGE_VENDOR "rigplan contributors")
set(CPACK_PACKAGE_CONTACT "rigplan contributors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/package/compress.cmake)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "planner of GPU rigs: what to buy, how fast, what it costs")
set(CPACK_PACKAGE_DESCRIPTION
"Plans rigs of used and new graphics cards for language models: which cards
to buy, where to plug them, how fast they will be, and what a usable TFLOP/s
costs in yuan.

Cards, boards, PCIe lanes, model shapes and dated prices are built in; answers
come with ranges, sources and the thing that limits.")
include(CPack)
