// How fast the reduction kernels are: bandwidth of left = left op right, as the executors call
// them, over that of the fastest loop that only moves as much (two reads, one write): in place, or
// to a third buffer with ordinary or with streaming stores. The loops take turns, each after a run
// that brings its own data into the caches; a ratio is the median of many. What a kernel does with
// the result in a third buffer stands beside it.

#include <fmt/format.h>
#include <sys/mman.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "reduce/kernels.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace tutti::core {
namespace {

constexpr double threshold = 0.8;

using Copy = void (*)(const char* left, const char* right, char* result, std::size_t bytes);

#ifdef __x86_64__
template <bool streaming>
[[gnu::target("avx512f")]] void copy_avx512(const char* left, const char* right, char* result,
                                            std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 64) {
    const __m512i word =
        _mm512_xor_si512(_mm512_loadu_si512(left + i), _mm512_loadu_si512(right + i));
    if constexpr (streaming)
      _mm512_stream_si512(reinterpret_cast<__m512i*>(result + i), word);
    else
      _mm512_storeu_si512(result + i, word);
  }
  _mm_sfence();
}

template <bool streaming>
[[gnu::target("avx2")]] void copy_avx2(const char* left, const char* right, char* result,
                                       std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 32) {
    const __m256i word =
        _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(left + i)),
                         _mm256_loadu_si256(reinterpret_cast<const __m256i*>(right + i)));
    auto* const to = reinterpret_cast<__m256i*>(result + i);
    if constexpr (streaming)
      _mm256_stream_si256(to, word);
    else
      _mm256_storeu_si256(to, word);
  }
  _mm_sfence();
}

template <bool streaming>
void copy_baseline(const char* left, const char* right, char* result, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 16) {
    const __m128i word =
        _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(left + i)),
                      _mm_loadu_si128(reinterpret_cast<const __m128i*>(right + i)));
    auto* const to = reinterpret_cast<__m128i*>(result + i);
    if constexpr (streaming)
      _mm_stream_si128(to, word);
    else
      _mm_storeu_si128(to, word);
  }
  _mm_sfence();
}

template <bool streaming>
Copy copy_loop() {
  switch (best_level()) {
    case Level::avx512: return copy_avx512<streaming>;
    case Level::avx2: return copy_avx2<streaming>;
    case Level::baseline: break;
  }
  return copy_baseline<streaming>;
}
#else
template <bool>
Copy copy_loop() {
  return [](const char* left, const char* right, char* result, std::size_t bytes) {
    kernel_for(Operator::bxor, Type::uint64)(left, right, result, bytes / 8);
  };
}
#endif

/// Memory on a boundary that streaming stores need, in large pages where the system has them: which
/// small pages one gets is luck, and worth a fifth of the bandwidth.
class Memory {
 public:
  explicit Memory(std::size_t bytes) {
    constexpr std::size_t page = 2u << 20;
    bytes = (bytes + page - 1) / page * page;
    data_.reset(static_cast<char*>(std::aligned_alloc(page, bytes)));
    if (data_ == nullptr) throw std::bad_alloc();
    madvise(data_.get(), bytes, MADV_HUGEPAGE);
    std::memset(data_.get(), 0, bytes);
  }
  char* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };
  std::unique_ptr<char, Free> data_;
};

struct Operands {
  explicit Operands(std::size_t size) : left(size), right(size), result(size), bytes(size) {}
  Memory left, right, result;
  std::size_t bytes;
};

template <class T>
void fill(const Operands& operands) {
  std::minstd_rand random(1);
  std::uniform_real_distribution<T> values(-1, 1);
  for (const Memory* memory : {&operands.left, &operands.right})
    for (std::size_t i = 0; i < operands.bytes; i += sizeof(T)) {
      const T value = values(random);
      std::memcpy(memory->data() + i, &value, sizeof(T));
    }
}

/// Processor time, which other work on the machine does not add to.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Function>
double seconds(int repeats, Function function) {
  function();
  const double begin = now();
  for (int i = 0; i < repeats; ++i) function();
  return (now() - begin) / repeats;
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

nlohmann::ordered_json measure(const char* op_name, Operator op, const char* type_name, Type type,
                               const Operands& numbers, const Operands& words) {
  const std::size_t bytes = numbers.bytes;
  const Kernel kernel = kernel_for(op, type);
  const auto reduce = [&](const Memory& result) {
    kernel(numbers.left.data(), numbers.right.data(), result.data(), bytes / size_of(type));
  };
  const auto copy = [&](Copy loop, const Memory& result) {
    loop(words.left.data(), words.right.data(), result.data(), bytes);
  };
  // A sample moves 4 MB at least, so that the clock's own cost is out of sight.
  const int repeats = static_cast<int>(std::max<std::size_t>(1, (4 << 20) / (3 * bytes)));
  std::vector<double> in_place, apart;
  std::array<std::vector<double>, 3> copies;
  for (int sample = 0; sample < 61; ++sample) {
    in_place.push_back(seconds(repeats, [&] { reduce(numbers.left); }));
    copies[0].push_back(seconds(repeats, [&] { copy(copy_loop<false>(), words.left); }));
    apart.push_back(seconds(repeats, [&] { reduce(numbers.result); }));
    copies[1].push_back(seconds(repeats, [&] { copy(copy_loop<false>(), words.result); }));
    copies[2].push_back(seconds(repeats, [&] { copy(copy_loop<true>(), words.result); }));
  }
  const auto& fastest = *std::min_element(
      copies.begin(), copies.end(),
      [](const auto& a, const auto& b) { return quantile(a, 0.5) < quantile(b, 0.5); });
  std::vector<double> ratios;
  for (std::size_t i = 0; i < in_place.size(); ++i) ratios.push_back(fastest[i] / in_place[i]);
  const auto gb_per_s = [&](const std::vector<double>& times) {
    return 3e-9 * static_cast<double>(bytes) / quantile(times, 0.5);
  };
  const double ratio = quantile(ratios, 0.5);
  return {{"operator", op_name},
          {"type", type_name},
          {"bytes", bytes},
          {"ratio", ratio},
          {"ratio_quartiles", {quantile(ratios, 0.25), quantile(ratios, 0.75)}},
          {"holds", ratio >= threshold},
          {"gb_per_s",
           {{"kernel", gb_per_s(in_place)},
            {"kernel_apart", gb_per_s(apart)},
            {"copy", gb_per_s(copies[0])},
            {"copy_apart", gb_per_s(copies[1])},
            {"copy_streaming", gb_per_s(copies[2])}}}};
}

nlohmann::ordered_json measure_all() {
  auto rows = nlohmann::ordered_json::array();
  for (const std::size_t bytes :
       {std::size_t{64} << 10, std::size_t{1} << 20, std::size_t{16} << 20}) {
    // The copies have buffers of their own: what they leave would be slow to compute with.
    const Operands numbers(bytes), words(bytes);
    for (const auto& [op_name, op] : {std::pair{"sum", Operator::sum}, {"max", Operator::max}}) {
      fill<float>(numbers);
      rows.push_back(measure(op_name, op, "float", Type::float32, numbers, words));
      fill<double>(numbers);
      rows.push_back(measure(op_name, op, "double", Type::float64, numbers, words));
    }
  }
  constexpr std::array levels{"baseline", "avx2", "avx512"};
  return {{"level", levels[static_cast<std::size_t>(best_level())]},
          {"threshold", threshold},
          {"kernels", rows}};
}

void print(const nlohmann::ordered_json& report) {
  std::cout << fmt::format("level {}, threshold {}; bandwidths in GB/s\n",
                           report["level"].get<std::string>(), report["threshold"].get<double>())
            << fmt::format("{:<4} {:<7} {:>9} {:>6} {:>12}  {:<11}", "op", "type", "bytes", "ratio",
                           "quartiles", "");
  for (const auto& [name, value] : report["kernels"][0]["gb_per_s"].items())
    std::cout << fmt::format(" {:>14}", name);
  std::cout << "\n";
  for (const auto& row : report["kernels"]) {
    std::cout << fmt::format(
        "{:<4} {:<7} {:>9} {:>6.2f} {:>4.2f} .. {:.2f}  {:<11}", row["operator"].get<std::string>(),
        row["type"].get<std::string>(), row["bytes"].get<std::size_t>(), row["ratio"].get<double>(),
        row["ratio_quartiles"][0].get<double>(), row["ratio_quartiles"][1].get<double>(),
        row["holds"].get<bool>() ? "holds" : "falls short");
    for (const auto& value : row["gb_per_s"])
      std::cout << fmt::format(" {:>14.1f}", value.get<double>());
    std::cout << "\n";
  }
}

}  // namespace
}  // namespace tutti::core

int main(int argc, char** argv) {
  CLI::App app("Bandwidth of the reduction kernels over that of a copy with as many streams.",
               "reduce_bench");
  bool json = false;
  app.add_flag("--json", json, "As JSON");
  CLI11_PARSE(app, argc, argv);
  const nlohmann::ordered_json report = tutti::core::measure_all();
  if (json)
    std::cout << report.dump(2) << "\n";
  else
    tutti::core::print(report);
}
