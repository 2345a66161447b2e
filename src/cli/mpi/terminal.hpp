#pragma once

namespace tutti::core::cli {

/// Whether a descriptor of the launcher, through which this process speaks, is a terminal.
bool launcher_has_terminal(int descriptor);

}  // namespace tutti::core::cli
