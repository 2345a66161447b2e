/**
 * @file
 * Which Tutti this is. The build reads its version here, so there is no other place to change it.
 *
 * @code
 * #if TUTTI_VERSION_MAJOR > 0 || TUTTI_VERSION_MINOR >= 1
 * @endcode
 */
#ifndef TUTTI_VERSION_H
#define TUTTI_VERSION_H

/** Counts changes that break programs; below 1 the minor version does. */
#define TUTTI_VERSION_MAJOR 0
/** Counts additions to the interface. */
#define TUTTI_VERSION_MINOR 1
/** Counts what changes neither. */
#define TUTTI_VERSION_PATCH 0
/** The three as a text. */
#define TUTTI_VERSION_STRING "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The version of the library that the program runs with, as `0.1.0`: it may be newer than
 * TUTTI_VERSION_STRING, with which the program was compiled. May be called at any time.
 */
const char* tutti_version(void);

#ifdef __cplusplus
}
#endif

#endif
