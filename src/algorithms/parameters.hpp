#pragma once

#include "algorithms/row.hpp"

namespace tutti::core {

// Parameters that several algorithms have, with the model's defaults.

/// Of a reduction's chain: bytes per segment.
extern const Parameter reduce_segment;
/// Of a tree by splitting ranges.
extern const Parameter tree_radix;
/// The mesh of a hybrid; how many of its dimensions are long, where data only move ...
extern const Parameter shape_parameter;
extern const Parameter long_parameter;
/// ... and where rings combine: they do not keep the order of ranks.
extern const Parameter reduction_long_parameter;

/// The best segment of a pipelined chain, in bytes.
std::size_t chain_segment(const Problem& problem, double alpha, double beta);
/// The best number of blocks over the circulant graph.
std::size_t circulant_blocks(const Problem& problem, double alpha, double beta);
/// Into how many pieces a vector falls, for Parameter::pieces.
std::size_t cut_to(const Problem& problem, std::size_t segment);
std::size_t cut_into(const Problem& problem, std::size_t blocks);
bool equal_blocks(const Problem& problem);

}  // namespace tutti::core
