#include "draw/picture.hpp"

#include <gtest/gtest.h>

#include "draw/notation.hpp"
#include "figures.hpp"

namespace tutti::core {
namespace {

using Rows = std::vector<std::string>;

std::vector<std::string> titles(const Picture& picture) {
  std::vector<std::string> all;
  for (const Frame& frame : picture.frames) all.push_back(frame.title);
  return all;
}

TEST(RanksText, NamesRunsAndPatterns) {
  EXPECT_EQ(ranks_text({}), "");
  EXPECT_EQ(ranks_text({3}), "3");
  EXPECT_EQ(ranks_text({2, 0, 1}), "0-2");
  EXPECT_EQ(ranks_text({7, 0, 1}), "0-1,7");
  EXPECT_EQ(ranks_text({0, 2, 4, 6}), "0,2,4,6");
  EXPECT_EQ(ranks_text({0, 2, 4, 6, 8}), "0,2..8");
  EXPECT_EQ(ranks_text({0, 12, 24, 37, 49, 61}), "6 ranks");
}

TEST(Notation, NamesPartsByLetterAndSegmentsByBlock) {
  Problem vector{.collective = Collective::allreduce, .p = 4, .count = 10, .element_bytes = 8};
  Notation letters(vector);
  letters.cut({{0}, 0, 4});
  letters.cut({{0}, 6, 2});
  letters.finish();
  EXPECT_EQ(letters.key(), "parts A-D of 2 to 4 elements");
  EXPECT_EQ(letters.name({{{0, 1}, 4, 4}}, 20), (std::vector<Label>{{"B-C", "0-1"}}));
  EXPECT_EQ(letters.name({{{2}, 8, 2}, {{2}, 0, 4}, {{1}, 4, 2}}, 20),
            (std::vector<Label>{{"A,D", "2"}, {"B", "1"}}));

  Problem blocks{.collective = Collective::allgather, .p = 3, .count = 4};
  Notation segments(blocks);
  segments.cut({{1}, 0, 2});
  segments.finish();
  EXPECT_EQ(segments.name({{{1}, 2, 2}}, 20), (std::vector<Label>{{"1b"}}));
  EXPECT_EQ(segments.name({{{1}, 0, 4}}, 20), (std::vector<Label>{{"1"}}));
  EXPECT_EQ(segments.name({{{0}, 0, 4}, {{1}, 0, 2}}, 20), (std::vector<Label>{{"0-1a"}}));
  EXPECT_EQ(segments.name({{{0}, 0, 4}, {{2}, 0, 4}}, 20), (std::vector<Label>{{"0,2"}}));
  EXPECT_EQ(segments.key(), "");
}

// Figure 1: distance 1, 2, 4, and all that is held travels.
TEST(Picture, Figure1) {
  const Picture picture = picture_of(figures[0]);
  ASSERT_EQ(titles(picture), (Rows{"start", "step 1", "step 2", "step 3"}));
  EXPECT_TRUE(picture.by_place);
  for (std::size_t s = 1; s <= 3; ++s) {
    EXPECT_EQ(picture.frames[s].arrows.size(), 8u);
    for (const Arrow& arrow : picture.frames[s].arrows)
      EXPECT_EQ(arrow.from ^ arrow.to, 1 << (s - 1));
  }
  EXPECT_EQ(rows(picture.frames[2]),
            (Rows{"0 0 0 0 . . . .", "1 1 1 1 . . . .", "2 2 2 2 . . . .", "3 3 3 3 . . . .",
                  ". . . . 4 4 4 4", ". . . . 5 5 5 5", ". . . . 6 6 6 6", ". . . . 7 7 7 7"}));
}

// Figure 2, typed from the paper.
TEST(Picture, Figure2) {
  const Picture picture = picture_of(figures[1]);
  ASSERT_EQ(titles(picture), (Rows{"start", "step 1", "step 2", "step 3", "local"}));
  const std::string free = ". . . . . .";
  const Rows shifted = {"0 1 2 3 4 5", "1 2 3 4 5 0", "2 3 4 5 0 1",
                        "3 4 5 0 1 2", "4 5 0 1 2 3", "5 0 1 2 3 4"};
  EXPECT_EQ(rows(picture.frames[0]), (Rows{shifted[0], free, free, free, free, free}));
  EXPECT_EQ(rows(picture.frames[1]), (Rows{shifted[0], shifted[1], free, free, free, free}));
  EXPECT_EQ(rows(picture.frames[2]),
            (Rows{shifted[0], shifted[1], shifted[2], shifted[3], free, free}));
  EXPECT_EQ(rows(picture.frames[3]), shifted);
  EXPECT_EQ(rows(picture.frames[4]), (Rows{"0 0 0 0 0 0", "1 1 1 1 1 1", "2 2 2 2 2 2",
                                           "3 3 3 3 3 3", "4 4 4 4 4 4", "5 5 5 5 5 5"}));
}

// Figure 7, typed from the paper; its shaded boxes are what the next step sends.
TEST(Picture, Figure7) {
  const Picture picture = picture_of(figures[2]);
  ASSERT_EQ(titles(picture), (Rows{"start", "local", "step 1", "step 2", "step 3", "local"}));
  EXPECT_EQ(rows(picture.frames[0]),
            (Rows{"00 10 20 30 40 50", "01 11 21 31 41 51", "02 12 22 32 42 52",
                  "03 13 23 33 43 53", "04 14 24 34 44 54", "05 15 25 35 45 55"}));
  EXPECT_EQ(rows(picture.frames[1]),
            (Rows{"00 11 22 33 44 55", "01 12 23 34 45 50", "02 13 24 35 40 51",
                  "03 14 25 30 41 52", "04 15 20 31 42 53", "05 10 21 32 43 54"}));
  EXPECT_EQ(rows(picture.frames[2]),
            (Rows{"00 11 22 33 44 55", "50 01 12 23 34 45", "02 13 24 35 40 51",
                  "52 03 14 25 30 41", "04 15 20 31 42 53", "54 05 10 21 32 43"}));
  EXPECT_EQ(rows(picture.frames[3]),
            (Rows{"00 11 22 33 44 55", "50 01 12 23 34 45", "40 51 02 13 24 35",
                  "30 41 52 03 14 25", "04 15 20 31 42 53", "54 05 10 21 32 43"}));
  EXPECT_EQ(rows(picture.frames[4]),
            (Rows{"00 11 22 33 44 55", "50 01 12 23 34 45", "40 51 02 13 24 35",
                  "30 41 52 03 14 25", "20 31 42 53 04 15", "10 21 32 43 54 05"}));
  EXPECT_EQ(rows(picture.frames[5]),
            (Rows{"00 01 02 03 04 05", "10 11 12 13 14 15", "20 21 22 23 24 25",
                  "30 31 32 33 34 35", "40 41 42 43 44 45", "50 51 52 53 54 55"}));
  for (std::size_t place = 0; place < 6; ++place) {
    EXPECT_FALSE(picture.frames[0].cells[4][place].leaves);
    EXPECT_EQ(picture.frames[1].cells[4][place].leaves, (place & 1) != 0);
    EXPECT_EQ(picture.frames[2].cells[4][place].leaves, (place & 2) != 0);
    EXPECT_EQ(picture.frames[3].cells[4][place].leaves, (place & 4) != 0);
    EXPECT_FALSE(picture.frames[4].cells[4][place].leaves);
  }
}

// Figure 9: the data sent halves, the distance too.
TEST(Picture, Figure9) {
  const Picture picture = picture_of(figures[3]);
  ASSERT_GE(picture.frames.size(), 4u);
  for (std::size_t s = 1; s <= 3; ++s)
    for (const Arrow& arrow : picture.frames[s].arrows) {
      EXPECT_EQ(arrow.from ^ arrow.to, 8 >> s);
      EXPECT_TRUE(arrow.combines);
    }
  EXPECT_EQ(picture.frames[1].cells[5], (std::vector<Holding>{{{"E-H", "1,5"}}}));
  EXPECT_EQ(picture.frames[2].cells[5], (std::vector<Holding>{{{"E-F", "1,3,5,7"}}}));
  EXPECT_EQ(picture.frames.back().cells[5], (std::vector<Holding>{{{"F", "0-7"}}}));
}

// Figure 12 and its text: eight parts, pairs of the first ten ranks fold.
TEST(Picture, Figure12) {
  const Picture picture = picture_of(figures[4]);
  EXPECT_EQ(picture.key, "parts A-H of 1 to 2 elements");
  ASSERT_EQ(picture.frames.size(), 10u);
  const auto held = [&](std::size_t step, Rank r) {
    const auto& cells = picture.frames[step].cells[r];
    return cells.empty() ? std::string("-") : cells.front().label.text();
  };
  EXPECT_EQ(held(1, 0), "A-D 0-1");
  EXPECT_EQ(held(1, 1), "E-H 0-1");
  EXPECT_EQ(held(1, 2), "A-D 2-3");
  EXPECT_EQ(held(2, 0), "A-H 0-1");
  EXPECT_EQ(held(2, 1), "-");
  EXPECT_EQ(held(3, 0), "A-D 0-3");
  EXPECT_EQ(held(3, 2), "E-H 0-3");
  EXPECT_EQ(held(4, 0), "A-B 0-7");
  EXPECT_EQ(held(5, 0), "A 0-12");
  EXPECT_EQ(held(6, 0), "A-B 0-12");
  EXPECT_EQ(held(8, 0), "A-H 0-12");
  EXPECT_EQ(held(8, 1), "-");
  for (Rank r = 0; r < 13; ++r) EXPECT_EQ(held(9, r), "A-H 0-12");
}

// Figure 13: blocks of 8, 4 and 1; P12 sends one part pair to each rank of the block of 4.
TEST(Picture, Figure13) {
  const Picture picture = picture_of(figures[5]);
  EXPECT_EQ(picture.key, "parts A-H of 1 to 2 elements");
  std::vector<std::string> sent;
  for (const Frame& frame : picture.frames)
    for (const Arrow& arrow : frame.arrows)
      if (arrow.from == 12)
        sent.push_back(std::to_string(arrow.to) + " " + arrow.labels.front().text());
  std::sort(sent.begin(), sent.end());
  EXPECT_EQ(sent, (Rows{"10 C-D 12", "11 G-H 12", "8 A-B 12", "9 E-F 12"}));
  for (const auto& cells : picture.frames.back().cells)
    EXPECT_EQ(cells, (std::vector<Holding>{{{"A-H", "0-12"}}}));
}

TEST(Picture, DropsWhatNobodyNeeds) {
  const Picture picture = picture_of("reduce/binomial", 4, 4, 1);
  EXPECT_EQ(picture.title, "reduce/binomial, p = 4, root 1, 4 elements (32 bytes)");
  for (Rank r = 0; r < 4; ++r)
    EXPECT_EQ(picture.frames.back().cells[r].empty(), r != 1) << "rank " << r;
  EXPECT_EQ(picture.frames.back().cells[1].front().label.text(), "A 0-3");
}

TEST(Picture, EveryAlgorithmHasOne) {
  for (const Algorithm& algorithm : registry())
    for (const int p : {1, 2, 5, 8}) {
      if (!algorithm.valid.unmet(p, true).empty()) continue;
      SCOPED_TRACE(algorithm.full_name() + ", p = " + std::to_string(p));
      const Picture picture = picture_of(algorithm.full_name(), p, 3 * p);
      ASSERT_FALSE(picture.frames.empty());
      for (const Frame& frame : picture.frames) {
        EXPECT_EQ(frame.cells.size(), static_cast<std::size_t>(p));
        for (const Arrow& arrow : frame.arrows)
          EXPECT_EQ(arrow.labels.empty(), algorithm.collective == Collective::barrier);
      }
    }
}

// The legend explains what stands in the picture, and nothing else.
TEST(Picture, ExampleIsInThePicture) {
  EXPECT_EQ(picture_of(figures[4]).example(), (Label{"A-D", "0-1"}));
  EXPECT_EQ(meaning_of({"A-D", "0-1"}), "parts A-D, combined over ranks 0-1");
  EXPECT_EQ(picture_of("allreduce/recursive_doubling", 8, 1).example(), (Label{"A", "0-1"}));
  EXPECT_EQ(meaning_of({"A", "0-1"}), "part A, combined over ranks 0-1");
  for (const auto& [p, elements] : {std::pair{1, 3}, std::pair{8, 0}})
    for (const std::string name : {"allreduce/ring", "reduce/binomial", "scan/linear"}) {
      const Picture picture = picture_of(name, p, elements);
      EXPECT_TRUE(picture.example().empty()) << name << ": " << picture.example().text();
      EXPECT_FALSE(picture.combines()) << name;
    }
}

TEST(Picture, NeedsAllSchedules) {
  EXPECT_THROW(picture_of("x", Problem{.p = 3}, std::vector<Schedule>(2)), std::invalid_argument);
}

}  // namespace
}  // namespace tutti::core
