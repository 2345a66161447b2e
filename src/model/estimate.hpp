#pragma once

#include "model/sample.hpp"

namespace tutti::core {

/// Seconds that an algorithm takes on a machine with nodes, as the problem's topology has them
/// (none: all ranks share one). For any algorithm, compositions included.
///
/// Steps are what every rank does in its next round as soon as its partners are there. A node
/// begins one when it has done the one before, and so have those that it meets. For a step it takes
/// - for the network the longest of its ranks' messages, one after the other at alpha + n beta for
///   an exchange and alpha_uni + n beta_uni one way (those of the machine's steps for messages of
///   n bytes, if it has any), and of all its bytes, out or in, at the bandwidth that so many cores
///   get; where cores get less together than one alone, latency
///   grows alike;
/// - meanwhile for messages inside it latency, and the work of the busiest rank or of all shared by
///   the cores: for each message and each byte on both sides, since one writes what the other
///   reads (what goes to several neighbours is written once, what is combined is read by that, what
///   stays in its sender's memory is not written, and read at its own rate), and who only receives
///   waits for the first piece;
/// - after that copies and combining, shared by the cores alike;
/// - and where ranks outnumber cores a switch for every turn of the cores: beyond the first, and
///   for ranks that had nothing to do in the step before.
///
/// Where nodes are joined as a mesh a step takes at least what its busiest link takes: the bytes of
/// all messages that cross it, at the bandwidth that all cores of a node get.
///
/// Counts to learn are taken as equal. Long pipelines are extrapolated from two shorter ones. Where
/// all schedules would be too many, four whole nodes stand for all, but not on a mesh; their
/// partners elsewhere are then always there. With less care, and of more than `most_thorough`
/// ranks, also ranks of equal place stand for each other, and where rounds grow with the ranks a
/// few nodes tell what each one more takes.
double estimate(const Problem& problem, const Algorithm& algorithm, const Parameters& parameters,
                const Machine& machine, Care care = Care::thorough);

/// The problem on so many of its nodes; the vector or the blocks are as long as before, or the
/// vector has as much for each rank, and the blocks hold as much in all.
Problem on_nodes(const Problem& problem, int nodes, bool as_long);

}  // namespace tutti::core
