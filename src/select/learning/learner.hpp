#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tutti::core {

/// Finds out, while a program runs, which of a few candidates is the fastest. In laps they take
/// turns; when a lap is over, all ranks agree on the times of its turns, and whoever is clearly
/// slower is out. Between laps the best so far runs. In the first lap turns change with every call;
/// later each has its turns in a row, more in every lap: so a choice will run, and a call after its
/// own kind may take a time that is far from what it takes after another.
///
/// What it does follows from the number of calls and from agreed times alone. So, as ranks make the
/// same calls in the same order, they all do the same.
class Learner {
 public:
  /// What turns may cost beyond the fastest candidate, and agreeing on times, as a share of all
  /// time in these calls after the first lap: laps wait until it is met.
  static constexpr double share = 0.05;
  /// After so many laps the choice is fixed.
  static constexpr int laps = 5;
  /// Turns of each in a lap. In the first one there is one more, to warm up, which does not count.
  static constexpr int turns[laps] = {1, 2, 4, 8, 16};
  /// Out, after each lap, is whose usual time is so much above the best one's, and whose shortest
  /// is above it, too: the fewer the turns, the more it takes.
  static constexpr double slower[laps] = {3, 2, 1.5, 1.25, 1.1};
  /// A turn tells little: after the first lap only those are out who cost so many seconds more,
  /// and were so much slower each time.
  static constexpr double dear = 1e-3;
  /// From this lap on all are given up if none can be told from the first, by more than so much and
  /// not by what disturbances do alone: the longest laps are for those who can.
  static constexpr int told_by = 2;
  static constexpr double like = 1.1;
  /// Of those within this factor of the fastest the first one is taken.
  static constexpr double tie = 1.03;
  /// The same where calls of all sizes learn together: what few bytes tell is no word on many.
  static constexpr double tie_of_sizes = 1.5;

  /// In the order of preference: the model's.
  explicit Learner(std::size_t candidates, double within = tie);

  /// What has come out.
  struct Outcome {
    std::size_t best = 0;
    std::vector<double> seconds;  // the usual ones of each
    std::vector<bool> like_best;
  };
  /// Settled by what another has found out.
  explicit Learner(const Outcome& outcome);
  Outcome outcome() const;

  /// Nothing is explored any more: next() is the choice.
  bool settled() const { return settled_; }
  /// The candidate for the next call.
  std::size_t next() const;
  /// When a call began and ended on this rank, by a clock that all ranks have, or by one that
  /// begins with the call, or ends with it. True: a lap is over, and agree() must come next.
  bool note(double begin, double end);
  /// This rank's times of the lap: to be given to agree() as the latest of all ranks. What lies
  /// between the last one's begin and the last one's end counts: to wait for whoever comes late is
  /// no work. By clocks that begin with the call it is the longest time, by those that end with it
  /// the shortest.
  std::span<const double> lap() const { return own_; }
  void agree(std::span<const double> latest);
  /// How long agreeing took on this rank: it is agreed on with the next lap, and counts then.
  void note_agreement(double seconds) { own_agreement_ = seconds; }

  /// It was given up because its times cannot be told from the choice's.
  bool is_like_best(std::size_t candidate) const { return candidates_[candidate].like_best; }
  bool is_out(std::size_t candidate) const { return candidates_[candidate].out; }
  /// The usual agreed time; 0 if there is none yet.
  double seconds(std::size_t candidate) const;
  /// The mean of the shorter two thirds: disturbances do not count, but who is slow every other
  /// time is slow, even if quick by the median.
  static double usual(std::vector<double> times);

 private:
  struct Candidate {
    std::vector<double> times;  // agreed
    double shortest = 0;        // of all turns, those that warm up among them
    bool out = false, like_best = false;
  };
  void begin_lap();
  void drop_slower();
  void give_up();
  /// What disturbances leave unknown of a candidate's usual time.
  double doubt(std::size_t candidate) const;
  /// The calls until the next lap.
  std::size_t calls_to_wait() const;

  std::vector<Candidate> candidates_;
  double tie_;
  std::vector<std::size_t> order_;  // of the lap's turns
  std::vector<double> own_;         // begin and end of its turns, and what the last agreement took
  std::size_t best_ = 0;
  std::size_t wait_ = 0;  // calls
  int lap_ = 0;
  bool settled_ = false;
  double own_agreement_ = 0;
  double agreement_ = 0;          // what one takes; as long as nobody knows, as a call
  double spent_ = 0, total_ = 0;  // seconds after the first lap
};

}  // namespace tutti::core
