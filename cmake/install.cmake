# Program, manual and examples (component runtime); library, headers and the package that find_package(rigplan) finds
# (component development). `cmake --install` installs both.
include(CMakePackageConfigHelpers)
install(TARGETS rigplan_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(FILES cmake/package/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)

install(TARGETS rigplan EXPORT rigplan_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY include/rigplan DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT rigplan_targets FILE rigplan-targets.cmake NAMESPACE rigplan:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rigplan
        COMPONENT development)
configure_package_config_file(cmake/rigplan-config.cmake.in ${PROJECT_BINARY_DIR}/rigplan-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rigplan)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rigplan-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rigplan-config.cmake ${PROJECT_BINARY_DIR}/rigplan-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/rigplan COMPONENT development)
