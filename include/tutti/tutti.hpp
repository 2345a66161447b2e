/// @file
/// The C++ interface: collectives of values and ranges, over the C interface of tutti.h.
///
/// @code
/// #include <tutti/tutti.hpp>
///
/// const auto world = tutti::Communicator::world();          // after MPI_Init
/// double total = world.allreduce(mine, tutti::sum);         // a value, or a vector
/// tutti::Pieces<int> all = world.allgatherv(numbers);       // all[2]: what rank 2 gave
/// world.bcast(table, 0, tutti::Algorithm("chain:segment=32K"));
///
/// auto next = world.iallreduce(in, out, tutti::max);        // started
/// while (!next.test()) work();
///
/// const tutti::Grid grid(world, {2, 3});                    // ranks in rows and columns
/// grid.row().bcast(panel, 0);
/// @endcode
///
/// Link with libtutti and the MPI; nothing else is needed.

/// @namespace tutti
/// What programs use: Communicator, and what goes with it.

#pragma once

#include <tutti/version.h>

#include <string_view>
#include <tutti/communicator.hpp>
#include <tutti/grid.hpp>

namespace tutti {
inline namespace api {

/// The version of the library that the program runs with: tutti_version().
inline std::string_view version() { return tutti_version(); }

}  // namespace api
}  // namespace tutti
