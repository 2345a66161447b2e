// What trees cost where counts travel ahead of the data.

#include "algorithms/cost/cost.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "algorithms/cost/after.hpp"
#include "algorithms/pattern/halving.hpp"

namespace tutti::core {

namespace {

/// The sizes of the subtrees that the root of a range of m places hands over, largest range first;
/// the root stands at place `root`. See pattern/halving.hpp.
std::vector<int> subtrees(int m, int root) {
  std::vector<int> sizes;
  while (m > 1) {
    const int lower = (m + 1) / 2;
    sizes.push_back(root < lower ? m - lower : lower);
    m -= sizes.back();
    if (root >= lower) root -= lower;
  }
  return sizes;
}

/// A message of data, which is not sent if there are none.
double data_message(const Rates& rates, double n) { return n > 0 ? one_way(rates, n) : 0; }

/// A subtree of binomial scatterv: when its last rank is done, after its root got the counts and
/// after it got the data.
class ScattervTree {
 public:
  ScattervTree(double block, const Rates& rates) : block_(block), rates_(rates) {}

  /// Until its root has sent the counts on.
  double headers(std::span<const int> children) const {
    double time = 0;
    for (const int size : children) time += header(size);
    return time;
  }

  struct Done {
    double after_header, after_data;
  };
  Done done(int m) {
    if (const auto known = known_.find(m); known != known_.end()) return known->second;
    return known_[m] = done(subtrees(m, 0));
  }
  /// The same for the ranks below a root with these subtrees.
  Done done(const std::vector<int>& children) {
    Done last{never, 0};
    double sent_header = 0;
    Done sent{never, 0};  // the root's data so far
    for (const int size : children) {
      sent_header += header(size);
      const double ready = size > 1 ? sent_header + headers(subtrees(size, 0)) : never;
      const double time = data_message(rates_, size * block_);
      sent = {std::max(sent.after_header, ready) + time, sent.after_data + time};
      const Done below = done(size);
      last.after_header =
          std::max({last.after_header, sent.after_header, sent_header + below.after_header,
                    sent.after_header + below.after_data});
      last.after_data = std::max(last.after_data, sent.after_data + below.after_data);
    }
    return last;
  }

 private:
  /// A rank that speaks for nobody else needs no counts.
  double header(int size) const { return size > 1 ? one_way(rates_, size * bytes_per_count) : 0; }

  double block_;
  const Rates& rates_;
  std::map<int, Done> known_;
};

/// A subtree of binomial gatherv: when its root has the counts below it, and its data as a function
/// of the time when it has sent the counts up.
class GathervTree {
 public:
  GathervTree(double block, const Rates& rates) : block_(block), rates_(rates) {}

  struct Gathered {
    double counts = 0;
    After data = After::self();
  };
  const Gathered& gathered(int m) {
    if (const auto known = known_.find(m); known != known_.end()) return known->second;
    std::vector<int> children = subtrees(m, 0);
    std::reverse(children.begin(), children.end());
    Gathered all;
    std::vector<double> ready;  // when each child has its data
    for (const int size : children) {
      const Gathered& child = gathered(size);
      all.counts = std::max(all.counts, child.counts) + one_way(rates_, size * bytes_per_count);
      ready.push_back(child.data.at(all.counts));
    }
    for (std::size_t i = 0; i < children.size(); ++i)
      all.data = max(all.data, {ready[i], never}) + data_message(rates_, children[i] * block_);
    return known_[m] = all;
  }

 private:
  double block_;
  const Rates& rates_;
  std::map<int, Gathered> known_;
};

}  // namespace

double scatterv_tree_cost(int p, Rank root, double block, const Rates& rates) {
  ScattervTree tree(block, rates);
  const std::vector<int> children = subtrees(p, root);
  const ScattervTree::Done done = tree.done(children);
  return children.empty() ? 0
                          : std::max(done.after_header, tree.headers(children) + done.after_data);
}

// The root knows the counts: its children keep theirs, and send data as soon as they have all.
double gatherv_tree_cost(int p, Rank root, double block, const Rates& rates) {
  GathervTree tree(block, rates);
  std::vector<int> children = subtrees(p, root);
  std::reverse(children.begin(), children.end());
  double time = 0;
  for (const int size : children) {
    const GathervTree::Gathered& child = tree.gathered(size);
    time = std::max(time, child.data.at(child.counts)) + data_message(rates, size * block);
  }
  return time;
}

}  // namespace tutti::core
