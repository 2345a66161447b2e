// Counts the first calls of each class.

#include "select/young.hpp"

#include <algorithm>

#include "select/predict.hpp"

namespace tutti::core {

std::size_t Young::calls(std::size_t few, Collective collective, int size_class, int p) {
  const std::size_t bytes =
      size_class < 0 ? guessed_bytes(collective, p) : std::size_t{1} << size_class;
  return few * few_bytes / (few_bytes + bytes);
}

bool Young::note(Collective collective, int size_class, int p) {
  auto found = std::find_if(classes_.begin(), classes_.end(), [&](const Class& each) {
    return each.collective == collective && each.size_class == size_class;
  });
  if (found == classes_.end())
    found = classes_.insert(classes_.end(),
                            {collective, size_class, calls(few_, collective, size_class, p)});
  if (found->left == 0) return false;
  --found->left;
  return true;
}

}  // namespace tutti::core
