// An operation of Tutti's interface that is prepared once and started often.
#pragma once

#include "semantics.hpp"

namespace tutti::test {

/// An operation, what it is to give, and what it gave.
struct Prepared {
  const char* name = "";
  std::vector<int> out;
  std::function<int(int)> expected;  // -1: left alone
  tutti_operation handle = nullptr;

  Prepared() = default;
  Prepared(const Prepared&) = delete;
  ~Prepared() {
    if (handle != nullptr) tutti_free(&handle);
  }
  void check() const {
    for (std::size_t i = 0; i < out.size(); ++i)
      expect(out[i] == expected(static_cast<int>(i)), fmt::format("{}: wrong number", name));
  }
};

}  // namespace tutti::test
