// Makes equipment, and keeps that of communicators that are gone.

#include "api/call/equipment.hpp"

#include <algorithm>
#include <deque>
#include <mutex>

#include "api/call/at_hand.hpp"
#include "api/call/operation.hpp"
#include "api/call/private_communicator.hpp"
#include "api/process/finalize.hpp"
#include "api/process/settings.hpp"

namespace tutti::core {

namespace {

/// More would hold memory and communicators of the MPI for nothing.
constexpr std::size_t most_kept = 64;

struct Kept {
  std::mutex mutex;
  std::deque<std::unique_ptr<Equipment>> all;  // in the order in which they were kept
  bool is_closed = false;                      // the MPI ends
};
/// Never destroyed: communicators may be freed until the very end.
Kept& kept() {
  static auto* const value = new Kept;
  return *value;
}

void close_kept() {
  const std::scoped_lock lock(kept().mutex);
  kept().is_closed = true;
  kept().all.clear();
}

/// The largest tag of the MPI.
int last_tag() {
  void* largest = nullptr;
  int exists = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &exists);
  return exists ? *static_cast<int*>(largest) : 32767;
}

}  // namespace

Site Site::of(MPI_Comm comm, Rank rank, const std::vector<int>& in_the_world) {
  Site site;
  const Homes homes = homes_of(comm, in_the_world);
  site.topology = topology_of(homes, in_the_world);
  site.cores = homes.fewest_cores();
  site.is_crowded = homes.node_of_rank(rank).is_crowded();
  site.here = homes.neighbours_of(rank);
  return site;
}

Equipment::Equipment() : last_tag_(last_tag()) {}

Equipment::Print Equipment::print_of(const std::vector<int>& ranks) {
  // Two mixtures that have nothing in common: the rounds of splitmix64, and FNV-1a of words.
  Print print{ranks.size(), 0xcbf29ce484222325};
  for (const int rank : ranks) {
    std::uint64_t word = print[0] + 0x9e3779b97f4a7c15 + static_cast<std::uint32_t>(rank);
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
    word = (word ^ word >> 27) * 0x94d049bb133111eb;
    print[0] = word ^ word >> 31;
    print[1] = (print[1] ^ static_cast<std::uint32_t>(rank)) * 0x100000001b3;
  }
  return print;
}

std::unique_ptr<Equipment> Equipment::take_kept(const Print& ranks) {
  const std::scoped_lock lock(kept().mutex);
  auto first = kept().all.end();
  for (auto each = kept().all.begin(); each != kept().all.end(); ++each)
    if ((*each)->ranks_ == ranks &&
        (first == kept().all.end() || (*each)->number_ < (*first)->number_))
      first = each;
  if (first == kept().all.end()) return nullptr;
  std::unique_ptr<Equipment> result = std::move(*first);
  kept().all.erase(first);
  return result;
}

std::unique_ptr<Equipment> Equipment::for_ranks_of(MPI_Comm comm, int p, Rank rank,
                                                   const char*& why) {
  static std::once_flag once;
  std::call_once(once, at_finalize, close_kept);
  if (p > 1) meet(comm);
  const std::vector<int> ranks = told_in_the_world(comm);
  const auto print = ranks.empty() ? std::nullopt : std::optional(print_of(ranks));
  std::unique_ptr<Equipment> known = print ? take_kept(*print) : nullptr;
  if (known && p == 1) return known;
  std::unique_ptr<Equipment> made(new Equipment);
  if (p == 1) {
    made->site_.here = NodeRanks({0});
    made->site_.transport.why = "no two ranks share a node";
    made->is_new_ = false;
  } else {
    // Whoever has freed the same communicators has kept the same.
    const Agreement agreed =
        agree(comm, known ? known->number_ : -1, print.has_value() && at_hand::has_room(p));
    if (agreed.number >= 0) {
      known->is_for_hand_ = agreed.all_want;
      return known;
    }
    if (known) keep(std::move(known));
    made->is_for_hand_ = agreed.all_want;
    made->private_ = make_private(comm, agreed, made->number_, why);
    if (made->private_ == MPI_COMM_NULL) return nullptr;
    made->find_site(rank, ranks);
  }
  made->ranks_ = print;
  return made;
}

void Equipment::find_site(Rank rank, const std::vector<int>& in_the_world) {
  knowledge_ = share_knowledge(private_);
  site_ = Site::of(private_, rank, in_the_world);
  site_.memory = NodeMemory::share(private_, site_.here, site_.is_crowded, rank, site_.transport);
}

void Equipment::keep(std::unique_ptr<Equipment> equipment) {
  // What is not of this world is not found again.
  if (!equipment->ranks_ || equipment->has_failed()) return;
  const std::scoped_lock lock(kept().mutex);
  if (kept().is_closed) return;
  kept().all.push_back(std::move(equipment));
  // The program may need more of them at a time than it did.
  if (kept().all.size() > std::min(most_kept, settings().communicators / 2)) kept().all.pop_front();
}

Equipment::~Equipment() {
  int finalized = 0;
  PMPI_Finalized(&finalized);
  if (private_ != MPI_COMM_NULL && !finalized) free_private(private_);
}

}  // namespace tutti::core
