// Which Tutti the library is, for programs that ask.

#include <tutti/version.h>

const char* tutti_version() { return TUTTI_VERSION_STRING; }
