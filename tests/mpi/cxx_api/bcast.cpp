// Barrier and broadcast in all their forms.

#include "cxx_api.hpp"

namespace tutti::test {
namespace {

void barrier() {
  const auto nothing = [] {};
  FORMS(barrier, nothing, nothing);
}

void bcast() {
  for (const std::size_t n : sizes)
    for (int root = 0; root < p; ++root) {
      Ints list;
      const auto reset = [&] {
        list.resize(n);
        const Ints mine = values(rank, n);
        std::copy(mine.begin(), mine.end(), list.begin());
      };
      FORMS(bcast, reset, RIGHT(list == values(root, n)), list, root);
    }
}

}  // namespace

const std::vector<Case> bcast_cases = {CASE(barrier), CASE(bcast)};

}  // namespace tutti::test
