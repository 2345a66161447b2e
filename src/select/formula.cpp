// Closed forms as text: read from claims, and put into numbers.

#include "select/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <vector>

namespace tutti::core {

namespace {

constexpr std::array<std::pair<std::string_view, double Rates::*>, 5> letters{
    {{"alpha", &Rates::alpha},
     {"alpha_uni", &Rates::alpha_uni},
     {"beta", &Rates::beta},
     {"beta_uni", &Rates::beta_uni},
     {"gamma", &Rates::gamma}}};

/// What a term multiplies: p, q, n, and the letters.
enum Variable : std::size_t { p_, q_, n_, first_letter };
using Exponents = std::array<int, first_letter + letters.size()>;
using Polynomial = std::map<Exponents, double>;

Polynomial constant(double value) { return {{Exponents{}, value}}; }

Polynomial variable(std::size_t which) {
  Exponents exponents{};
  exponents[which] = 1;
  return {{exponents, 1.0}};
}

void add(Polynomial& sum, const Polynomial& other, double factor) {
  for (const auto& [exponents, value] : other)
    if ((sum[exponents] += factor * value) == 0) sum.erase(exponents);
}

Polynomial product(const Polynomial& a, const Polynomial& b, int sign = 1) {
  Polynomial result;
  for (const auto& [x, u] : a)
    for (const auto& [y, v] : b) {
      Exponents exponents{};
      for (std::size_t i = 0; i < exponents.size(); ++i) exponents[i] = x[i] + sign * y[i];
      add(result, {{exponents, sign > 0 ? u * v : u / v}}, 1);
    }
  return result;
}

/// Sums, products by juxtaposition, and quotients by one term.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<Polynomial> read() {
    auto result = sum();
    skip();
    return rest_.empty() ? result : std::nullopt;
  }

 private:
  void skip() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool at_factor() {
    skip();
    return !rest_.empty() && (rest_.front() == '(' || std::isalnum(rest_.front()) != 0);
  }

  std::optional<Polynomial> sum() {
    Polynomial result;
    for (double sign = 1;;) {
      const auto next = term();
      if (!next) return std::nullopt;
      add(result, *next, sign);
      if (take('+'))
        sign = 1;
      else if (take('-'))
        sign = -1;
      else
        return result;
    }
  }

  std::optional<Polynomial> term() {
    auto result = factor();
    while (result) {
      const bool divide = take('/');
      if (!divide && !at_factor()) break;
      const auto next = factor();
      if (!next || (divide && next->size() != 1)) return std::nullopt;
      result = product(*result, *next, divide ? -1 : 1);
    }
    return result;
  }

  std::optional<Polynomial> factor() {
    if (take('(')) {
      auto inside = sum();
      return inside && take(')') ? inside : std::nullopt;
    }
    std::size_t length = 0;
    const bool number = at_factor() && std::isdigit(rest_.front()) != 0;
    while (length < rest_.size() &&
           (std::isdigit(rest_[length]) != 0 ||
            (!number && (std::isalpha(rest_[length]) != 0 || rest_[length] == '_'))))
      ++length;
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (number) {
      int value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc{} || value == 0) return std::nullopt;
      return constant(value);
    }
    if (word == "p") return variable(p_);
    if (word == "q") return variable(q_);
    if (word == "n") return variable(n_);
    if (word == "lg") {
      skip();
      const bool of_p = rest_.starts_with("p") && (rest_.size() == 1 || rest_[1] != '_');
      if (!of_p) return std::nullopt;
      rest_.remove_prefix(1);
      return variable(q_);
    }
    for (std::size_t i = 0; i < letters.size(); ++i)
      if (word == letters[i].first) return variable(first_letter + i);
    return std::nullopt;
  }

  std::string_view rest_;
};

double value_of(const Coefficient& coefficient, int p) {
  const double q = std::bit_width(static_cast<unsigned>(std::max(0, p - 1)));
  double sum = 0;
  for (const auto& [powers, factor] : coefficient)
    sum += factor * std::pow(p, powers.first) * std::pow(q, powers.second);
  return sum;
}

double value_of(const LinearCost::Terms& terms, int p, const Rates& rates) {
  double sum = 0;
  for (const auto& [letter, rate] : letters)
    if (const auto found = terms.find(letter); found != terms.end())
      sum += value_of(found->second, p) * rates.*rate;
  return sum;
}

/// ` - 2 (p-1)/p`, or without sign and spaces at the beginning of a sum.
void append(std::string& text, double factor, std::string_view what) {
  if (factor == 0) return;
  text += text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
  const double size = std::abs(factor);
  if (what.empty() || size != 1)
    text += fmt::format("{}{}", size == 0.5 ? "1/2" : fmt::format("{:.6g}", size),
                        what.empty() ? "" : " ");
  text += what;
}

std::string power(std::string_view what, int exponent) {
  return exponent == 1 ? std::string(what) : fmt::format("{}^{}", what, exponent);
}

/// 1 - 1/p is written as the papers do: (p-1)/p.
std::string text_of(Coefficient coefficient, std::string_view logarithm) {
  const auto take = [&](int of_p, int of_q) {
    const auto found = coefficient.find({of_p, of_q});
    if (found == coefficient.end()) return 0.0;
    const double factor = found->second;
    coefficient.erase(found);
    return factor;
  };
  const double share = -take(-1, 0);
  const double rest = take(0, 0) - share;
  std::string text;
  for (auto each = coefficient.rbegin(); each != coefficient.rend(); ++each)
    if (each->first.second == 0) append(text, each->second, power("p", each->first.first));
  if (!text.empty()) append(text, rest, "");
  for (auto each = coefficient.rbegin(); each != coefficient.rend(); ++each) {
    const auto [of_p, of_q] = each->first;
    if (of_q == 0) continue;
    std::string what = of_p > 0 ? power("p", of_p) + " " : "";
    what += power(logarithm, of_q);
    if (of_p < 0) what += "/" + power("p", -of_p);
    append(text, each->second, what);
  }
  const bool had_p = std::any_of(coefficient.begin(), coefficient.end(),
                                 [](const auto& each) { return each.first.second == 0; });
  append(text, share, "(p-1)/p");
  if (!had_p) append(text, rest, "");
  return text;
}

/// Of several terms, outside of parentheses.
bool is_sum(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && (text.substr(i, 3) == " + " || text.substr(i, 3) == " - ")) return true;
  }
  return false;
}

std::string in_parentheses_if(bool needed, const std::string& text) {
  return needed ? "(" + text + ")" : text;
}

/// Letters with the same coefficient stand together.
std::string text_of(const LinearCost::Terms& terms, std::string_view logarithm) {
  std::vector<std::pair<Coefficient, std::vector<std::string_view>>> groups;
  for (const auto& [letter, rate] : letters) {
    const auto found = terms.find(letter);
    if (found == terms.end()) continue;
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&](const auto& each) { return each.first == found->second; });
    if (group == groups.end())
      groups.push_back({found->second, {letter}});
    else
      group->second.push_back(letter);
  }
  // What is taken away comes last.
  std::string added, taken;
  for (const auto& [coefficient, members] : groups) {
    std::string sum;
    for (const std::string_view letter : members) append(sum, 1, letter);
    std::string before = text_of(coefficient, logarithm);
    const bool several = is_sum(before), negative = !several && before.starts_with('-');
    if (negative) before.erase(0, 1);
    std::string& text = negative ? taken : added;
    if (negative || !text.empty()) text += negative ? " - " : " + ";
    if (before != "1") text += in_parentheses_if(several, before) + " ";
    text += in_parentheses_if(is_sum(sum), sum);
  }
  return added.empty() ? "-" + taken.substr(3) : added + taken;
}

/// a - b
LinearCost::Terms difference(const LinearCost::Terms& a, const LinearCost::Terms& b) {
  auto result = a;
  for (const auto& [letter, coefficient] : b)
    for (const auto& [powers, factor] : coefficient) result[letter][powers] -= factor;
  for (auto& [letter, coefficient] : result)
    std::erase_if(coefficient, [](const auto& each) { return std::abs(each.second) < 1e-12; });
  std::erase_if(result, [](const auto& each) { return each.second.empty(); });
  return result;
}

}  // namespace

double LinearCost::seconds(int p, double n, const Rates& rates) const {
  return value_of(fixed, p, rates) + n * value_of(per_byte, p, rates);
}

std::optional<LinearCost> linear_cost(std::string_view claim) {
  claim = claim.substr(0, claim.find(';'));
  for (const std::string_view where : {" (2^k)", " (root 0)"})
    if (claim.ends_with(where)) claim.remove_suffix(where.size());
  const auto read = Reader(claim).read();
  if (!read) return std::nullopt;
  LinearCost cost;
  for (const auto& [exponents, factor] : *read) {
    int rates = 0;
    std::string_view letter;
    for (std::size_t i = 0; i < letters.size(); ++i)
      if (exponents[first_letter + i] != 0)
        rates += exponents[first_letter + i], letter = letters[i].first;
    if (rates != 1 || letter.empty() || exponents[n_] < 0 || exponents[n_] > 1) return std::nullopt;
    auto& side = exponents[n_] == 0 ? cost.fixed : cost.per_byte;
    side[std::string(letter)][{exponents[p_], exponents[q_]}] = factor;
  }
  return cost;
}

std::optional<LinearCost> linear_cost(const Algorithm& algorithm, const Size& size,
                                      const Rates& rates) {
  const auto seconds = [&](double n, const Rates& of) {
    Size other = size;
    other.n = n;
    return algorithm.seconds(other, of);
  };
  LinearCost cost;
  for (const auto& [letter, rate] : letters) {
    Rates alone;
    alone.*rate = 1;
    const double once = seconds(size.n, alone), twice = seconds(2 * size.n, alone);
    const double per_byte = (twice - once) / size.n, fixed = once - size.n * per_byte;
    // What only rounding leaves is nothing.
    if (std::abs(fixed) > 1e-9 * once) cost.fixed[std::string(letter)][{0, 0}] = fixed;
    if (std::abs(per_byte) * size.n > 1e-9 * once)
      cost.per_byte[std::string(letter)][{0, 0}] = per_byte;
  }
  const double all = seconds(size.n, rates);
  if (std::abs(cost.seconds(size.p, size.n, rates) - all) > 1e-9 * all) return std::nullopt;
  return cost;
}

std::optional<Cutoff> cutoff(const LinearCost& a, const LinearCost& b, int p, const Rates& rates) {
  auto above = difference(b.fixed, a.fixed), below = difference(a.per_byte, b.per_byte);
  if (value_of(above, p, rates) < 0) {
    above = difference({}, above);
    below = difference({}, below);
  }
  const double latency = value_of(above, p, rates), bytes = value_of(below, p, rates);
  if (!(latency > 0 && bytes > 0)) return std::nullopt;
  const std::string_view logarithm = std::has_single_bit(static_cast<unsigned>(p)) ? "lg p" : "q";
  const std::string numerator = text_of(above, logarithm), denominator = text_of(below, logarithm);
  return Cutoff{
      fmt::format("{} / {}", in_parentheses_if(is_sum(numerator), numerator),
                  in_parentheses_if(denominator.find(' ') != std::string::npos, denominator)),
      latency / bytes};
}

}  // namespace tutti::core
