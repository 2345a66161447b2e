# Writes TARGET, a header with the commit of SOURCE; touches it only when the commit changes.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit unknown)
endif()
set(text "#define TUTTI_COMMIT \"${commit}\"\n")
if(EXISTS ${TARGET})
  file(READ ${TARGET} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${TARGET} ${text})
endif()
