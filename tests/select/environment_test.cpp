#include "select/environment.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tutti::core {
namespace {

/// What is said about an environment of one variable; empty if it is fine.
std::string complaint(const std::string& variable) {
  const char* const environment[] = {"HOME=/", variable.c_str(), nullptr};
  try {
    check_environment(environment);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Environment, TakesWhatTheLibraryReads) {
  for (const char* variable : {"TUTTI_ALGORITHM_ALLREDUCE=ring",
                               "TUTTI_ALGORITHM_ALLREDUCE=native",
                               "TUTTI_ALGORITHM_BCAST=chain:segment=32K",
                               "TUTTI_ALGORITHM_REDUCE_SCATTER_BLOCK=recursive_halving",
                               "TUTTI_ALGORITHM_BCAST=",
                               "TUTTI_OFF=all",
                               "TUTTI_OFF=scan",
                               "TUTTI_OFF=scan,exscan",
                               "TUTTI_OFF=",
                               "TUTTI_EXPLAIN=1",
                               "TUTTI_EXPLAIN=calls.json",
                               "TUTTI_CHECK=1",
                               "TUTTI_STRICT=0",
                               "TUTTI_PIECE=32K",
                               "TUTTI_PIECE=1",
                               "TUTTI_PIECE=1G",
                               "TUTTI_IN_FLIGHT=8",
                               "TUTTI_NODE=copy",
                               "TUTTI_PROFILE=fabric-100g",
                               "TUTTI_RECORD=record.json",
                               "TUTTI_LEARN=keep",
                               "TUTTI_YOUNG=0",
                               "TUTTI_YOUNG=1K",
                               "TUTTI_TOPOLOGY=3x4:cyclic",
                               "TUTTI_COMMUNICATORS=512",
                               "TUTTIFRUTTI=1",
                               "tutti_off=1",
                               "NOT_TUTTI_OFF=1"})
    EXPECT_EQ(complaint(variable), "");
}

TEST(Environment, SaysWhyAFileCannotBeWritten) {
  const std::string folder = testing::TempDir();
  EXPECT_EQ(cannot_write(folder + "/new.json"), "");
  EXPECT_EQ(cannot_write("new.json"), "");
  EXPECT_EQ(cannot_write("/dev/null"), "");
  EXPECT_NE(cannot_write(folder).find("is a folder"), std::string::npos);
  EXPECT_NE(cannot_write("/no/such/folder/x.json").find("no folder '/no/such/folder'"),
            std::string::npos);
}

TEST(Environment, NamesTheVariableAndTheRemedy) {
  struct Bad {
    const char* variable;
    const char* begins;
    const char* says;
  };
  for (const Bad& bad :
       {Bad{"TUTTI_EXPLIAN=1", "unknown variable TUTTI_EXPLIAN", "did you mean 'TUTTI_EXPLAIN'?"},
        Bad{"TUTTI_ALGORITHM_ALLREDUC=ring", "unknown variable TUTTI_ALGORITHM_ALLREDUC:",
            "did you mean 'TUTTI_ALGORITHM_ALLREDUCE'?"},
        Bad{"TUTTI_EXPLIAN=", "unknown variable TUTTI_EXPLIAN", "did you mean 'TUTTI_EXPLAIN'?"},
        Bad{"TUTTI_VERBOSITY=1", "unknown variable TUTTI_VERBOSITY", "docs/environment.md"},
        Bad{"TUTTI_ALGORITHM_ALLREDUCE=rnig",
            "TUTTI_ALGORITHM_ALLREDUCE: ", "did you mean 'allreduce/ring'?"},
        Bad{"TUTTI_ALGORITHM_BCAST=chain:segmnet=4",
            "TUTTI_ALGORITHM_BCAST: ", "did you mean 'segment'?"},
        Bad{"TUTTI_OFF=scan,exscna", "TUTTI_OFF: ", "did you mean 'exscan'?"},
        Bad{"TUTTI_OFF=scan,", "TUTTI_OFF: ", "''"},
        Bad{"TUTTI_CHECK=yes", "TUTTI_CHECK: ", "0 or 1"},
        Bad{"TUTTI_STRICT=2", "TUTTI_STRICT: ", "0 or 1"},
        Bad{"TUTTI_PIECE=12Q", "TUTTI_PIECE: ", "'12Q'"},
        Bad{"TUTTI_PIECE=0", "TUTTI_PIECE: ", "from 1 to 1G"},
        Bad{"TUTTI_PIECE=2G", "TUTTI_PIECE: ", "from 1 to 1G"},
        Bad{"TUTTI_IN_FLIGHT=0", "TUTTI_IN_FLIGHT: ", "from 1 to 64"},
        Bad{"TUTTI_IN_FLIGHT=65", "TUTTI_IN_FLIGHT: ", "from 1 to 64"},
        Bad{"TUTTI_TOPOLOGY=3x", "TUTTI_TOPOLOGY: ", "3x4"},
        Bad{"TUTTI_LEARN=1", "TUTTI_LEARN: ", "off, on, keep or any"},
        Bad{"TUTTI_YOUNG=soon", "TUTTI_YOUNG: ", "from 0 to 1G"},
        Bad{"TUTTI_NODE=on", "TUTTI_NODE: ", "shared, attach, copy or off"},
        Bad{"TUTTI_IN_FLIGHT=few", "TUTTI_IN_FLIGHT: ", "'few'"},
        Bad{"TUTTI_COMMUNICATORS=0", "TUTTI_COMMUNICATORS: ", "from 1 to 1G"},
        Bad{"TUTTI_COMMUNICATORS=-1", "TUTTI_COMMUNICATORS: ", "'-1'"},
        Bad{"TUTTI_COMMUNICATORS=99999999999", "TUTTI_COMMUNICATORS: ", "'99999999999'"}}) {
    const std::string said = complaint(bad.variable);
    EXPECT_EQ(said.rfind(bad.begins, 0), 0u) << bad.variable << ": " << said;
    EXPECT_NE(said.find(bad.says), std::string::npos) << bad.variable << ": " << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
}

TEST(Environment, EveryCollectiveHasItsVariable) {
  const std::vector<std::string> names = known_variables();
  for (int i = 0; i < collective_count; ++i)
    EXPECT_EQ(
        std::count(names.begin(), names.end(), algorithm_variable(static_cast<Collective>(i))), 1);
  EXPECT_EQ(algorithm_variable(Collective::reduce_scatter_block),
            "TUTTI_ALGORITHM_REDUCE_SCATTER_BLOCK");
}

TEST(Environment, AllIsEveryCollectiveOnce) {
  EXPECT_EQ(parse_off("all").size(), static_cast<std::size_t>(collective_count));
  EXPECT_EQ(parse_off("scan,barrier"), (std::vector{Collective::scan, Collective::barrier}));
}

TEST(Environment, RowsStandWhereTheirVariableIsLookedUp) {
  for (const VariableRow& row : variables()) {
    EXPECT_EQ(&row_of(row.variable), &row) << row.name;
    EXPECT_STRNE(row.meaning, "") << row.name;
  }
}

/// Sets a variable for as long as a test looks at it.
class Set {
 public:
  Set(Variable variable, const std::string& value)
      : name_(row_of(variable).name), before_(in_environment(name_)) {
    set_variable(name_, value, "a test");
  }
  ~Set() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;

 private:
  const char* name_;
  std::string before_;
};

TEST(Environment, ReadsWhatWasSet) {
  EXPECT_EQ(bytes_of(Variable::piece, 7), 7u);
  EXPECT_EQ(choice_of(Variable::learn, 1), 1);
  const Set piece(Variable::piece, "32K"), node(Variable::node, "copy"),
      learn(Variable::learn, "any"), topology(Variable::topology, "3x4");
  EXPECT_EQ(value_of(Variable::topology), "3x4");
  EXPECT_EQ(bytes_of(Variable::piece, 7), 32768u);
  EXPECT_EQ(choice_of(Variable::node, 0), 2);
  EXPECT_EQ(choice_of(Variable::learn, 1), 3);
  const Set nothing(Variable::node, "");
  EXPECT_EQ(choice_of(Variable::node, 0), 0);
  EXPECT_THROW(set_variable("TUTTI_NODE", "cpoy", "--node"), std::invalid_argument);
}

TEST(Environment, EveryVariableIsDocumented) {
  std::ostringstream page;
  page << std::ifstream(TUTTI_SOURCE_DIR "/docs/environment.md").rdbuf();
  for (const VariableRow& row : variables()) {
    const std::string option = row.option != nullptr ? fmt::format("`{}", row.option) : "none";
    EXPECT_NE(page.str().find(fmt::format("\n| `{}` | {}", row.name, option)), std::string::npos)
        << row.name;
  }
  for (const std::string& name : known_variables()) {
    const bool of_collective = name.starts_with("TUTTI_ALGORITHM_");
    const std::string written = of_collective ? "TUTTI_ALGORITHM_<COLLECTIVE>" : name;
    EXPECT_NE(page.str().find("`" + written + "`"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace tutti::core
