// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {
namespace {

/// The in-order binary tree over ranks 1..n: the parent of a rank has one more zero bit at the end. Where that parent would lie
/// beyond n, the rank hangs below the one without its lowest bit. 0: the rank is the root.
int in_order_parent(int rank, int n) {
  const int lowest = rank & -rank;
  const int parent = (rank ^ lowest) | (lowest << 1);
  return parent <= n ? parent : rank ^ lowest;
}

struct Tree {
  std::vector<int> parent;  ///< position in the ring, -1: the root
  std::vector<int> depth;
};

/// Tree over positions 0..n-1 of the ring; `shift` moves every rank on by one, which turns leaves into inner ranks.
Tree make_tree(int n, int shift) {
  Tree tree{std::vector<int>(static_cast<std::size_t>(n), -1), std::vector<int>(static_cast<std::size_t>(n), 0)};
  const auto moved = [&](int rank) { return static_cast<std::size_t>((rank - 1 + shift) % n); };
  for (int rank = 1; rank <= n; ++rank) {
    const int parent = in_order_parent(rank, n);
    if (parent > 0) tree.parent[moved(rank)] = static_cast<int>(moved(parent));
  }
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    for (int at = tree.parent[i]; at >= 0; at = tree.parent[static_cast<std::size_t>(at)]) ++tree.depth[i];
  }
  return tree;
}

/// Adds what chunk `chunk` of a tree does: up from the deepest level, then down again.
void add_chunk(std::vector<Round>& rounds, const CardGroup& group, const Tree& tree, int chunk, double share, bool up,
               bool down) {
  const int deepest = *std::max_element(tree.depth.begin(), tree.depth.end());
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    if (tree.parent[i] < 0) continue;
    const int card = group.ring()[i], parent = group.ring()[static_cast<std::size_t>(tree.parent[i])];
    const auto place = [&](int round, int from, int to) {
      const auto at = static_cast<std::size_t>(round + chunk);
      if (rounds.size() <= at) rounds.resize(at + 1);
      rounds[at].transfers.push_back({from, to, share});
    };
    if (up) place(deepest - tree.depth[i], card, parent);
    if (down) place((up ? deepest : 0) + tree.depth[i] - 1, parent, card);
  }
}

}  // namespace

// Two binary trees, each for half of the message; a leaf of one is an inner rank of the other, so both directions of all links
// are in use. Chunks follow each other. Source: Sanders, Speck, Traeff, Parallel Computing 35 (2009) 581-594.
std::vector<Schedule> double_tree_schedules(const CardGroup& group, CollectiveOp op) {
  const int n = group.size();
  const bool up = op == CollectiveOp::all_reduce || op == CollectiveOp::reduce;
  const bool down = op == CollectiveOp::all_reduce || op == CollectiveOp::broadcast;
  if (n < 3 || n > 64 || !(up || down)) return {};
  std::vector<Schedule> choices;
  for (const int chunks : {1, 4, 16}) {
    Schedule schedule;
    for (const int shift : {0, 1}) {
      const auto tree = make_tree(n, shift);
      for (int chunk = 0; chunk < chunks; ++chunk) add_chunk(schedule.rounds, group, tree, chunk, 0.5 / chunks, up, down);
    }
    choices.push_back(std::move(schedule));
  }
  return choices;
}

}  // namespace rigplan
