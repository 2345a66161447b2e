#pragma once

#include <string>
#include <vector>

namespace tutti::core {

/// One of several ways to do the same, while they are measured side by side: some leave early.
struct Contender {
  std::string name{};
  double predicted = 0;           // seconds; 0: no model knows it
  bool is_first_choice = false;   // kept unless another is faster, see regrets()
  std::vector<double> seconds{};  // in the order taken; who left has fewer, from the first on
  bool is_out = false;
};

/// Whether times vary. Simulated ones do not: the first sample says it all.
enum class Noise : bool { none, some };

/// Who is clearly slower than the fastest leaves: the whole interval of the ratios, taken side by
/// side, lies above 1, and for few samples, and for the first choice, well above.
void leave_out(std::vector<Contender>& contenders, Noise noise);

/// More samples would not matter: one is left, or all who are left are known to be as good as
/// equal.
bool is_settled(const std::vector<Contender>& contenders);

/// What a contender's median is over that of the fastest, at least 1; infinite if it is slower
/// beyond noise, or has no samples. Of the first choice 0 unless another is faster by more than a
/// person would care about; while that may be noise, with samples enough to say something, half of
/// it, as a power: of many comparisons some go wrong, but neighbouring sizes may say the same.
std::vector<double> regrets(const std::vector<Contender>& contenders, Noise noise);

/// The same where nobody was measured, from predictions: each is taken to be off as far as at the
/// nearest size that was measured, whose contenders are `near`. Infinite for others than the first
/// choice who were not measured there.
std::vector<double> regrets_as_near(const std::vector<Contender>& contenders,
                                    const std::vector<Contender>& near);

/// How far a model's predictions for one collective are off, against each other: a factor that
/// follows from what was measured, and from a guess where that is little.
class ModelError {
 public:
  /// The measured contenders of one case.
  void add(const std::vector<Contender>& contenders);
  /// Who is predicted to take longer than so many times the best is not worth a measurement.
  double factor() const;

 private:
  double squares_ = 0;  // of the logarithms' deviations
  double number_ = 0;
};

}  // namespace tutti::core
