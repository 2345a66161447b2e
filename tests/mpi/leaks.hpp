// Looks for lost memory before the MPI unloads its parts: afterwards nobody can tell whose it was.
#pragma once

namespace tutti::test {

#ifdef __SANITIZE_ADDRESS__
extern "C" int __lsan_do_recoverable_leak_check();
inline bool loses_memory() { return __lsan_do_recoverable_leak_check() != 0; }
#else
inline bool loses_memory() { return false; }
#endif

}  // namespace tutti::test
