#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "cli/command.hpp"

namespace tutti::core {

/// What the launchers tell a rank of two.
inline constexpr const char* openmpi = "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0";
inline constexpr const char* mpich = "PMI_SIZE=2 PMI_RANK=0 MPI_LOCALNRANKS=2";

inline void expect_one_line(const Outcome& errors, int status, const std::string& says) {
  EXPECT_EQ(errors.status, status) << errors.out;
  EXPECT_EQ(errors.out.rfind("tutti: ", 0), 0u) << errors.out;
  EXPECT_EQ(errors.out.find('\n'), errors.out.size() - 1) << errors.out;
  EXPECT_NE(errors.out.find(says), std::string::npos) << says << " in " << errors.out;
}

/// A folder with the command in build/core/bin, and beside it the parts for an MPI that a test puts
/// there: for verbs that look for them.
class CommandBeside : public testing::Test {
 protected:
  CommandBeside(std::string verb, std::filesystem::path part)
      : verb_(std::move(verb)), part_(std::move(part)) {}

  void SetUp() override {
    std::string pattern = testing::TempDir() + "tutti_beside_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = std::filesystem::canonical(pattern);
    std::filesystem::create_directories(command().parent_path());
    std::filesystem::copy_file(TUTTI_COMMAND, command());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path command() const { return folder_ / "build/core/bin/tutti"; }
  std::filesystem::path built(const std::string& mpi) const {
    return folder_ / "build" / mpi / part_;
  }
  std::filesystem::path installed(const std::string& mpi) const {
    return folder_ / "build/core/lib/tutti" / mpi / part_.filename();
  }

  /// A script in place of a part: prints its name and what it is given.
  static void write(const std::filesystem::path& file, bool executable = true) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\necho \"$0\"\nprintf '<%s>' \"$@\"\n";
    if (executable) std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }

  /// `tutti VERB ARGUMENTS` with no variables but PATH and these.
  Outcome run_with(const std::string& variables, const std::string& arguments) const {
    return shell("env -i PATH=\"$PATH\" " + variables + " " + command().string() + " " + verb_ +
                 " " + arguments);
  }
  Outcome errors_with(const std::string& variables, const std::string& arguments) const {
    return run_with(variables, arguments + " 2>&1 >/dev/null");
  }

  const std::string verb_;
  const std::filesystem::path part_;
  std::filesystem::path folder_;
};

}  // namespace tutti::core
