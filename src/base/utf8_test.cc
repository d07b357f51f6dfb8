// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <string>

#include "gtest/gtest.h"

namespace axle {
namespace {

TEST(Utf8Test, AcceptsTheFirstAndLastOfEveryLength) {
  for (const char* text : {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                           "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf",
                           "plain ascii longer than a block", "naïve café über 😀 mixed"}) {
    EXPECT_TRUE(IsValidUtf8(text)) << text;
  }
  EXPECT_TRUE(IsValidUtf8(std::string("\0", 1)));
}

TEST(Utf8Test, RefusesWhatTheStandardForbids) {
  for (const char* text : {
           "\x80",
           "\xbf",  // continuation alone
           "\xc0\x80",
           "\xc1\xbf",
           "\xe0\x9f\xbf",
           "\xf0\x8f\xbf\xbf",  // overlong
           "\xed\xa0\x80",
           "\xed\xbf\xbf",  // surrogates
           "\xf4\x90\x80\x80",
           "\xf5\x80\x80\x80",
           "\xff",  // too large
           "\xc2",
           "\xe0\xa0",
           "\xf0\x90\x80",  // cut off
           "\xc2"
           "a",
           "\xe0\xa0"
           "a",
           "\xf0\x90\x80"
           "a",
           "ascii first, then \xff",
           "12345678\x80",
       }) {
    EXPECT_FALSE(IsValidUtf8(text)) << text;
  }
}

}  // namespace
}  // namespace axle
