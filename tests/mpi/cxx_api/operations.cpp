// Operations that are under way: they overlap, are moved, and are waited for in the end.

#include "cxx_api.hpp"

namespace tutti::test {
namespace {

void operations_overlap() {
  Ints first = values(rank, 3000), second = values(rank, 10), total(3000), most(10);
  tutti::Operation a = world.iallreduce(first, total, tutti::sum);
  tutti::Operation b = world.iallreduce(second, most, tutti::max);
  EXPECT(world.allreduce(1, tutti::sum) == p);  // another between them
  b.wait();
  while (!a.test()) {
  }
  EXPECT(total == sums(p, 3000) && most == values(p - 1, 10));

  // A moved operation is the same one; one that is overwritten or destroyed is waited for.
  Ints third(10);
  {
    tutti::Operation c = world.iscan(second, third, tutti::sum);
    tutti::Operation d = std::move(c);
    EXPECT(c.handle() == nullptr && c.test());
    c.wait();
    d = world.ibcast(most, 0);
    EXPECT(third == sums(rank + 1, 10));
  }
  EXPECT(most == values(p - 1, 10));

  auto value = world.iallreduce(rank, tutti::sum);
  auto list = world.iallreduce(second, tutti::max);
  auto moved = std::move(list);
  while (!moved.test()) {
  }
  EXPECT(moved.get() == values(p - 1, 10) && value.get() == p * (p - 1) / 2);

  tutti::Operation plan = world.plan_barrier();
  EXPECT(plan.test());
  plan.start();
  EXPECT(!thrown_by<tutti::Error>([&] { plan.start(); }).empty());
  plan.wait();
  tutti::Operation nothing;
  nothing.wait();
  EXPECT(nothing.test() && !thrown_by<tutti::Error>([&] { nothing.start(); }).empty());
}

}  // namespace

const std::vector<Case> operation_cases = {CASE(operations_overlap)};

}  // namespace tutti::test
