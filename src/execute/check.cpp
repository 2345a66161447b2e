// Runs schedules on random data and compares every byte with the definition.

#include "execute/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "verify/definition.hpp"

namespace tutti::core {

namespace {

/// A well mixed number (splitmix64's last step).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::uint64_t mix(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
  return mix(mix(mix(seed + 0x9e3779b97f4a7c15) + a) + b);
}

std::uint64_t sum(std::uint64_t left, std::uint64_t right) { return left + right; }

/// The map x -> a x + b (a, b: 32 bits each), left applied first. Not commutative.
std::uint64_t compose(std::uint64_t left, std::uint64_t right) {
  const auto a1 = static_cast<std::uint32_t>(left), b1 = static_cast<std::uint32_t>(left >> 32);
  const auto a2 = static_cast<std::uint32_t>(right), b2 = static_cast<std::uint32_t>(right >> 32);
  return std::uint64_t{a2 * b1 + b2} << 32 | a1 * a2;
}

/// The data of one run.
class Data {
 public:
  Data(const Problem& problem, std::uint64_t seed) : problem_(problem), seed_(seed) {
    for (Rank r = 0; r < problem.p; ++r) {
      LocalBuffers mine{rubbish(r, problem.input_count(r)),
                        rubbish(-1 - r, problem.output_count(r))};
      for (const Given& g : given(problem, r)) {
        auto& buffer = g.where.buffer == Buffer::input ? mine.input : mine.output;
        for (std::size_t i = 0; i < g.where.count; ++i)
          store(buffer, g.where.offset + i, contribution(g.rank, g.index + i));
      }
      before_.push_back(mine);
      for (const Wanted& w : wanted(problem, r))
        for (std::size_t i = 0; i < w.where.count; ++i) {
          std::uint64_t value = contribution(w.first, w.index + i);
          for (Rank other = w.first + 1; other <= w.last; ++other)
            value = combine_(value, contribution(other, w.index + i));
          store(mine.output, w.where.offset + i, value);
        }
      after_.push_back(std::move(mine));
    }
  }

  const std::vector<LocalBuffers>& before() const { return before_; }

  LocalOptions options(const CheckOptions& check, Rank late) const {
    return {.element_bytes = element_bytes_,
            .reduction =
                [combine = combine_](const std::byte* left, const std::byte* right,
                                     std::byte* result, std::size_t count) {
                  for (std::size_t i = 0; i < count * sizeof(std::uint64_t);
                       i += sizeof(std::uint64_t)) {
                    std::uint64_t l, r;
                    std::memcpy(&l, left + i, sizeof l);
                    std::memcpy(&r, right + i, sizeof r);
                    l = combine(l, r);
                    std::memcpy(result + i, &l, sizeof l);
                  }
                },
            .seed = check.seed,
            .synchronous = check.synchronous,
            .late = late};
  }

  std::string compare(const LocalExecution& execution) const {
    for (Rank r = 0; r < problem_.p; ++r) {
      if (const auto at = difference(after_[r].input, execution.input(r)))
        return fmt::format("rank {}: input[{}] has changed", r, *at);
      if (const auto at = difference(after_[r].output, execution.output(r)))
        return fmt::format("rank {}: output[{}] is wrong", r, *at);
    }
    return {};
  }

 private:
  std::uint64_t contribution(Rank rank, std::size_t index) const {
    // The last bit keeps the maps invertible, so that no value swallows another.
    return mix(seed_, static_cast<std::uint64_t>(rank), index) | (problem_.commutative ? 0 : 1);
  }
  std::vector<std::byte> rubbish(int salt, std::size_t count) const {
    std::vector<std::byte> bytes(count * element_bytes_);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<std::byte>(mix(~seed_, static_cast<std::uint64_t>(salt), i));
    return bytes;
  }
  void store(std::vector<std::byte>& buffer, std::size_t element, std::uint64_t value) const {
    std::memcpy(buffer.data() + element * element_bytes_, &value, element_bytes_);
  }
  std::optional<std::size_t> difference(std::span<const std::byte> a,
                                        std::span<const std::byte> b) const {
    const auto [at, other] = std::ranges::mismatch(a, b);
    if (at == a.end()) return std::nullopt;
    return static_cast<std::size_t>(at - a.begin()) / element_bytes_;
  }

  const Problem& problem_;
  const std::uint64_t seed_;
  const std::size_t element_bytes_ = reduces(problem_.collective) ? sizeof(std::uint64_t) : 1;
  std::uint64_t (*const combine_)(std::uint64_t, std::uint64_t) = problem_.commutative ? sum
                                                                                       : compose;
  std::vector<LocalBuffers> before_, after_;
};

template <class... What>
std::string check(const Problem& problem, const CheckOptions& options, const What&... what) {
  const Data data(problem, options.seed);
  const bool barrier = problem.collective == Collective::barrier;
  for (Rank late = barrier ? 0 : -1; late < (barrier ? problem.p : 0); ++late) {
    LocalExecution execution(what..., data.options(options, late));
    execution.start(data.before());
    while (execution.progress()) {
      if (!barrier || execution.entered(late)) continue;
      for (Rank r = 0; r < problem.p; ++r)
        if (execution.done(r))
          return fmt::format("rank {} has left the barrier before rank {} came", r, late);
    }
    std::string wrong = execution.failure().empty() ? data.compare(execution) : execution.failure();
    if (!wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace

std::string run_and_check(const Problem& problem, const std::vector<Schedule>& schedules,
                          const CheckOptions& options) {
  return check(problem, options, schedules);
}

std::string run_and_check(const Problem& problem, const Algorithm& algorithm,
                          const Parameters& parameters, const CheckOptions& options) {
  return check(problem, options, problem, algorithm, parameters);
}

}  // namespace tutti::core
