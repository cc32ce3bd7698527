# Program, library, headers, and the package that find_package(rigplan) finds.
include(CMakePackageConfigHelpers)
install(TARGETS rigplan_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(TARGETS rigplan EXPORT rigplan_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/rigplan DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT rigplan_targets FILE rigplan-targets.cmake NAMESPACE rigplan:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rigplan)
configure_package_config_file(cmake/rigplan-config.cmake.in ${PROJECT_BINARY_DIR}/rigplan-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rigplan)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rigplan-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rigplan-config.cmake ${PROJECT_BINARY_DIR}/rigplan-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rigplan)
