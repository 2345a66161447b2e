// Makes and joins shared memory, and finds out whether neighbours may be read.

#include "api/machine/node_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <random>

#include "api/machine/exchange.hpp"
#include "api/process/native.hpp"
#include "api/process/settings.hpp"

namespace tutti::core {

namespace {

/// What a node's first rank tells the others: where its memory is found, and how they know it.
struct Invitation {
  long long process = -1, file = -1;
  unsigned long long mark = 0;
};

/// Before the channels, on a page of its own.
struct Head {
  unsigned long long mark;
};
constexpr std::size_t head_bytes = 4096;

/// Not zero, as fresh memory is.
unsigned long long random_word() {
  std::random_device random;
  return (static_cast<unsigned long long>(random()) << 32 | random()) | 1;
}

void* map(int file, std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

/// Makes the memory. A file without a name: nothing is left of it when its processes are gone.
void* make(std::size_t bytes, Invitation& invitation, int& file) {
  file = memfd_create("tutti", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) return nullptr;
  void* const memory = map(file, bytes);
  if (memory == nullptr) return nullptr;
  invitation = {getpid(), file, random_word()};
  static_cast<Head*>(memory)->mark = invitation.mark;
  return memory;
}

/// Maps what the first rank has made. Another process may have its number where ranks do not share
/// what they claim to: the mark tells.
void* join(std::size_t bytes, const Invitation& invitation) {
  if (invitation.process < 0) return nullptr;
  const std::string path = fmt::format("/proc/{}/fd/{}", invitation.process, invitation.file);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return nullptr;
  void* memory = lseek(file, 0, SEEK_END) == static_cast<off_t>(bytes) ? map(file, bytes) : nullptr;
  close(file);
  if (memory != nullptr && static_cast<Head*>(memory)->mark != invitation.mark) {
    munmap(memory, bytes);
    memory = nullptr;
  }
  return memory;
}

/// Whether the kernel lets this process read that one's memory.
bool may_read(const ProcessMemory& from, unsigned long long expected) {
  unsigned long long found = 0;
  return read_memory(from, reinterpret_cast<char*>(&found), sizeof found) == 0 && found == expected;
}

/// What a neighbour may read to try it: full of a number that no other process has, since
/// numbers of processes mean nothing elsewhere.
const std::vector<unsigned long long>& sample() {
  static const std::vector<unsigned long long> words(16 * 1024 / sizeof(unsigned long long),
                                                     random_word());
  return words;
}

/// What a byte in that process's sample takes to read, in copies. The shortest of some tries:
/// neighbours try at the same time, and may want the same core.
double measure_reading(const ProcessMemory& from) {
  constexpr int tries = 4;
  const std::size_t bytes = sample().size() * sizeof sample()[0];
  std::vector<char> mine(bytes);
  double copy = std::numeric_limits<double>::infinity();
  const auto copy_once = [&] { std::memcpy(mine.data(), sample().data(), bytes); };
  const auto times = reading_times(from, {bytes}, tries, [&] {
    copy = std::min(copy, time_calls(
                              1, 1, [] {}, copy_once)
                              .front());
  });
  if (times.empty()) return 1;
  return *std::min_element(times[0].begin(), times[0].end()) / std::max(1e-9, copy);
}

/// All ranks of a communicator come here; those that did before do not say it again for the next.
void tell_once(std::atomic_flag& told, const char* why, const char* what, Rank rank) {
  if (!told.test_and_set() && rank == 0) std::fprintf(stderr, "tutti: %s: %s\n", why, what);
}

/// Each rank of a node tells where its sample stands, and what is in it.
struct Card {
  long long process, address;
  unsigned long long word;
};

/// The ranks of a node, by place, get the memory that the first of them makes, and each other's
/// cards. It invites the others by messages: not all ranks have neighbours. `file`: to be closed
/// when all have the memory; -1: there is none.
void* meet_neighbours(MPI_Comm comm, const std::vector<Rank>& ranks, int place, std::size_t bytes,
                      std::vector<Card>& cards, int& file) {
  constexpr int tag = 1;
  const auto size = static_cast<int>(ranks.size());
  Invitation invitation;
  void* memory = nullptr;
  cards[place] = {getpid(),
                  static_cast<long long>(reinterpret_cast<std::uintptr_t>(sample().data())),
                  sample().front()};
  if (size == 1) return memory;
  if (place == 0) {
    memory = make(bytes, invitation, file);
    for (int i = 1; i < size; ++i)
      PMPI_Send(&invitation, sizeof invitation, MPI_BYTE, ranks[i], tag, comm);
    for (int i = 1; i < size; ++i)
      PMPI_Recv(&cards[i], sizeof(Card), MPI_BYTE, ranks[i], tag, comm, MPI_STATUS_IGNORE);
    for (int i = 1; i < size; ++i)
      PMPI_Send(cards.data(), static_cast<int>(cards.size() * sizeof(Card)), MPI_BYTE, ranks[i],
                tag, comm);
  } else {
    PMPI_Recv(&invitation, sizeof invitation, MPI_BYTE, ranks[0], tag, comm, MPI_STATUS_IGNORE);
    memory = join(bytes, invitation);
    PMPI_Send(&cards[place], sizeof(Card), MPI_BYTE, ranks[0], tag, comm);
    PMPI_Recv(cards.data(), static_cast<int>(cards.size() * sizeof(Card)), MPI_BYTE, ranks[0], tag,
              comm, MPI_STATUS_IGNORE);
  }
  return memory;
}

}  // namespace

std::unique_ptr<NodeMemory> NodeMemory::share(MPI_Comm comm, const NodeRanks& here, bool crowded,
                                              Rank rank, NodeTransport& transport) {
  const std::vector<Rank>& ranks = here.ranks();  // by place
  const int size = here.size(), place = here.place_of(rank);
#ifdef TUTTI_SIMULATED
  transport.why = "all ranks are one process";
  return nullptr;
#endif
  if (settings().node == Settings::Node::off) {
    transport.why = "TUTTI_NODE=off";
    return nullptr;
  }
  std::unique_ptr<NodeMemory> result(new NodeMemory);
  result->bytes_ = head_bytes + Channels::memory_for(size);
  int file = -1;
  std::vector<Card> cards(ranks.size());
  result->memory_ = meet_neighbours(comm, ranks, place, result->bytes_, cards, file);
  const Card& next = cards[(place + 1) % cards.size()];
  const ProcessMemory neighbours{static_cast<pid_t>(next.process),
                                 static_cast<std::uint64_t>(next.address)};
  const bool attaches = settings().node != Settings::Node::copy && may_read(neighbours, next.word);
  double reading = 1;
  if (size > 1 && attaches && settings().node == Settings::Node::shared) {
    static const double measured = measure_reading(neighbours);
    reading = std::clamp(measured, 0.01, 1000.0);
  }
  // All alike: whether memory is shared, on every node; whether it may be read; who has to sleep;
  // whether there are neighbours; what reading takes, in hundredths.
  int mine[5] = {size <= 1 || result->memory_ != nullptr, size <= 1 || attaches, -crowded, -size,
                 -static_cast<int>(100 * reading)};
  int all[5] = {};
  native().allreduce(mine, all, 5, MPI_INT, MPI_MIN, comm);
  if (file >= 0) close(file);  // all have it
  transport.sleeps = all[2] != 0;
  if (-all[3] <= 1) {
    transport.why = "no two ranks share a node";
  } else if (all[0] == 0) {
    transport.why = "ranks of a node cannot share memory";
    static std::atomic_flag told;
    tell_once(told, transport.why, "their messages go to the MPI", rank);
  } else if (settings().node == Settings::Node::copy) {
    transport = {"copy", "TUTTI_NODE=copy", transport.sleeps};
  } else if (all[1] == 0) {
    transport = {"copy", "ranks may not read each other's memory", transport.sleeps};
    static std::atomic_flag told;
    tell_once(told, transport.why, "within a node all messages are copied twice", rank);
  } else {
    transport.way = "shared";
    transport.reading = -all[4] / 100.0;
    if (settings().node == Settings::Node::attach)
      transport = {"attach", "TUTTI_NODE=attach", transport.sleeps};
  }
  if (all[0] == 0 || size <= 1) return nullptr;
  std::vector<pid_t> processes;
  processes.reserve(cards.size());
  for (const Card& card : cards) processes.push_back(static_cast<pid_t>(card.process));
  result->channels_ =
      std::make_unique<Channels>(static_cast<char*>(result->memory_) + head_bytes, place,
                                 std::move(processes), all[1] != 0, transport.reading, all[2] != 0);
  return result;
}

NodeMemory::~NodeMemory() {
  if (memory_ != nullptr) munmap(memory_, bytes_);
}

}  // namespace tutti::core
