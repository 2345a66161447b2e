// What ranks have noted of their calls, put together: the document that record.hpp reads.

#pragma once

#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measure/arrivals.hpp"
#include "model/profile.hpp"

namespace tutti::core {

/// Calls on a communicator that are alike, as one rank has noted them.
struct RecordedRow {
  std::string collective;  // with what it was called as
  int size_class = -1;
  std::string algorithm, parameters, why;
  // Of the first such call, for predictions.
  std::size_t element = 1;
  bool commutative = true;
  Work work = Work::sum_double;
  Rank root = 0;

  std::uint64_t calls = 0, nanoseconds = 0;
  std::uint64_t bytes = 0;
  bool knows_bytes = false;
  Arrivals arrivals{0};

  /// The same on all ranks.
  std::uint64_t key() const;
};

/// A communicator, or several, one after the other, with the same ranks.
struct RecordedCommunicator {
  std::vector<int> ranks;          // of the world; -1: of another
  std::size_t split = 0;           // where the second of two groups begins; 0: there is one
  int number = 0;                  // among those alive with the same ranks
  std::string name{};              // as the program calls it
  std::string topology{};          // empty: not known
  int cores = 0;                   // that its ranks of a node share; 0: one for each
  std::deque<RecordedRow> rows{};  // they stay where they are

  /// The same on all its ranks.
  std::uint64_t key() const;
  /// Of one rank: those of all ranks are told of together.
  bool is_one() const { return ranks.size() == 1; }
};

/// What a rank of the world tells of its calls, without arrivals.
std::string pack_recorded(const std::vector<const RecordedCommunicator*>& communicators, int rank);

/// Of the run.
struct RecordedRun {
  std::vector<std::string> command;
  std::string version, mpi;
  int ranks = 1;
  double wall_seconds = 0;
  int clocks = 1;
  double clock_error = 0;  // nanoseconds
  Profile profile;         // in force
};

/// What all ranks tell.
class Recorded {
 public:
  /// `texts`: as packed, by rank of the world.
  explicit Recorded(const std::vector<std::string>& texts);

  /// The rows in which it can be said who waited.
  struct RowKey {
    std::uint64_t communicator = 0, row = 0;
    auto operator<=>(const RowKey&) const = default;
  };
  std::vector<RowKey> rows_to_match() const;
  /// Works out who waited in such a row. `arrivals`: by rank of the world, on one clock.
  void match(RowKey key, const std::vector<std::vector<Arrival>>& arrivals);

  nlohmann::ordered_json document(const RecordedRun& run) const;

 private:
  /// Calls of all its ranks that are alike.
  struct Sum {
    RecordedRow row;  // as the first rank has it that tells of it
    std::uint64_t calls = 0, rank_calls = 0;
    double seconds = 0, most_seconds = 0;
    std::optional<double> bytes;
    int tellers = 0;  // ranks that tell of it
    bool sampled = true;
    std::optional<Waiting> waiting;

    /// Where a v-operation's ranks each told their part, the sum; where all told the same, that.
    double bytes_in_all(const RecordedCommunicator& communicator) const;
  };
  void add(const nlohmann::ordered_json& row, std::uint64_t communicator);
  static nlohmann::ordered_json row_of(const Sum& sum, const RecordedCommunicator& communicator,
                                       std::size_t number, const RecordedRun& run);

  std::map<std::uint64_t, RecordedCommunicator> communicators_;  // without rows
  std::map<RowKey, Sum> sums_;
};

/// A record as text: names of programs and communicators may be any bytes.
std::string format_record(const nlohmann::ordered_json& document);

}  // namespace tutti::core
