// A file is written beside its place and renamed.

#include "schedule/whole_file.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

namespace tutti::core {

bool write_whole(const std::filesystem::path& file, std::string_view text) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path target = fs::weakly_canonical(file, error);  // what a link leads to, not the link
  if (error) target = file;
  bool in_place = fs::exists(target, error) && !fs::is_regular_file(target, error);
  // Several programs may write it.
  fs::path fresh =
      in_place ? target : fs::path(target).concat("." + std::to_string(getpid()) + ".part");
  std::ofstream out(fresh, std::ios::binary);
  if (!out && !in_place && fs::exists(target, error)) {  // its folder lets nobody make a file
    in_place = true;
    fresh = target;
    out.clear();
    out.open(fresh, std::ios::binary);
  }
  out << text << std::flush;
  const bool is_written = out.good();
  out.close();
  error.clear();
  if (is_written && !in_place) fs::rename(fresh, target, error);
  if (is_written && !error) return true;
  if (!in_place) fs::remove(fresh, error);
  return false;
}

}  // namespace tutti::core
