// SPDX-License-Identifier: Apache-2.0
// Every error of the module reader: a text that raises it, and the place that it names.
#include "hlo/text/errors.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hlo/text/parser.h"

namespace axle::hlo {
namespace {

struct Case {
  const char* text;
  const char* message;
};

// "$" stands for a line that begins an entry computation with a parameter p of shape f32[2].
std::string Expand(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"$", "ENTRY e { p = f32[2] parameter(0)\n"}});
}

const Case kCases[] = {
    // Syntax.
    {"", "AX0100: 1:1: expected HloModule or a name, found the end of the text"},
    {"HloModule", "AX0100: 1:10: expected a module name, found the end of the text"},
    {"ENTRY e { p = f32[2] parameter(0)",
     "AX0100: 1:34: expected an instruction's name, found the end of the text"},
    {"ENTRY e { p f32[2] parameter(0) }",
     "AX0100: 1:13: expected '=' behind the instruction's name, found 'f32'"},
    {"$ a = f32[2] negate(p }", "AX0100: 2:22: expected ')' behind operands, found '}'"},
    {"%f (x: f32[]) -> f32[] { x = f32[] parameter(0) }",
     "AX0100: 1:4: expected '=' behind the instruction's name, found '('"},
    {"HloModule m, \"x",
     "AX0100: 1:14: expected the name of an attribute, found a string or "
     "comment without end: \\\"x"},
    {"ENTRY e { p = f32[2] parameter(0) } x",
     "AX0100: 1:38: expected '{' before the instructions "
     "of a computation, found the end of the text"},
    {"ENTRY e { p = f32[] parameter(0) }, schedule=1",
     "AX0100: 1:37: expected execution_thread, found 'schedule'"},
    {"$ a = f32[2] negate(p), sharding=x }",
     "AX0100: 2:33: expected '{' before a sharding, found 'x'"},
    {"$ a = f32[2] negate(p), zzz= }", "AX0100: 2:29: expected a value for zzz, found '}'"},
    {"$ a = f32[2] negate(p), zzz={[} }",
     "AX0100: 2:30: expected ']' in a value for zzz, found '}'"},
    {"$ a = f32[2] negate(p), zzz={", "AX0100: 2:28: a value for zzz has no end"},
    // Opcodes.
    {"$ a = f32[2] frobnicate(p) }", "AX0101: 2:13: unknown opcode 'frobnicate'"},
    {"$ a = f32[2] frobnicate-start(p) }", "AX0101: 2:13: unknown opcode 'frobnicate-start'"},
    {"$ a = f32[2] cross-replica-sum(p) }", "AX0101: 2:13: unknown opcode 'cross-replica-sum'"},
    // Attributes.
    {"$ a = (f32[1], s32[1]) topk(p), k=1, is_stable=true }",
     "AX0102: 2:37: topk has no attribute is_stable; its attributes: k, largest"},
    {"$ a = f32[2] negate(p), to_apply=f }",
     "AX0102: 2:24: negate has no attribute to_apply; its attributes: none of its own"},
    {"$ a = f32[2] reverse(p) }", "AX0103: 2:13: reverse lacks the attribute dimensions"},
    {"$ a = f32[2] broadcast(p) }", "AX0103: 2:13: broadcast lacks the attribute dimensions"},
    {"$ a = f32[2] call(p) }", "AX0103: 2:13: call lacks the attribute to_apply"},
    {"$ a = f32[2] while(p), body=f }", "AX0103: 2:13: while lacks the attribute condition"},
    {"$ q = pred[] parameter(1) a = f32[2] conditional(q, p, p), true_computation=f }",
     "AX0103: 2:37: conditional lacks the attribute false_computation"},
    {"$ a = f32[2] domain(p) }", "AX0103: 2:13: domain lacks the attribute domain"},
    {"$ a = f32[4] all-gather(p) }", "AX0103: 2:13: all-gather lacks the attribute dimensions"},
    {"HloModule m\nFileNames\n1 \"a\"\nFunctionNames\nFileLocations\n1 {line=1}\nStackFrames\n",
     "AX0103: 6:3: a row lacks file_name_id"},
    {"$ a = f32[2] reverse(p), dimensions={0}, dimensions={0} }",
     "AX0104: 2:41: the attribute dimensions is given twice"},
    {"$ a = f32[2] negate(p), metadata={}, metadata={} }",
     "AX0104: 2:37: the attribute metadata is given twice"},
    {"$ a = f32[2] call(p), to_apply=f, to_apply=f }",
     "AX0104: 2:34: the attribute to_apply is given twice"},
    {"HloModule m, is_scheduled=true, is_scheduled=true",
     "AX0104: 1:33: the attribute is_scheduled is given twice"},
    // Names.
    {"$ a = f32[2] negate(q) }",
     "AX0105: 2:20: operand q is not defined before this use in computation e"},
    {"ENTRY e { a = f32[2] negate(a) }",
     "AX0105: 1:29: operand a is not defined before this use in computation e"},
    {"$ a = f32[2] call(p), to_apply=f }", "AX0105: 2:31: no computation is named f"},
    {"$ a = f32[2] negate(p), control-predecessors={b} }",
     "AX0105: 2:46: control predecessor b is not defined in computation e"},
    {"$ p = f32[2] negate(p) }", "AX0106: 2:2: a second instruction is named p"},
    {"f { p = f32[2] parameter(0) } f { p = f32[2] parameter(0) }",
     "AX0106: 1:31: a second computation is named f"},
    {"$ } ENTRY f { p = f32[2] parameter(0) }",
     "AX0106: 2:4: a second computation is marked ENTRY"},
    {"ENTRY e { ROOT p = f32[2] parameter(0) ROOT a = f32[2] negate(p) }",
     "AX0106: 1:40: a second instruction is marked ROOT"},
    // Literals and numbers; more in parts_text_test.cc.
    {"$ a = f32[2] constant({1}) }",
     "AX0107: 2:24: 1 entries in dimension 0 of f32[2], which has 2"},
    {"$ a = u4[] constant(16) }", "AX0108: 2:20: 16 does not fit into u4"},
    {"ENTRY e { p = f32[2] parameter(-1) }", "AX0108: 1:32: -1 is negative: a parameter number"},
    {"HloModule m, replica_count=9223372036854775808",
     "AX0108: 1:28: 9223372036854775808 does not fit into 64 bits: an integer for replica_count"},
    {"$ a = f32[2] negate(p), metadata={source_line=3000000000} }",
     "AX0108: 2:46: 3000000000 does not fit into 32 bits: source_line"},
    {"ENTRY e { p = (f32[]) parameter(0) a = f32[] negate(p#1) }",
     "AX0108: 1:55: no element 1 in (f32[])"},
    {"HloModule m\nFileNames\nFunctionNames\nFileLocations\nStackFrames\n1 {file_location_id=1 "
     "parent_frame_id=0}\n",
     "AX0108: 6:3: parent_frame_id must be at least 1"},
    // Shapes.
    {"ENTRY e { p = f99[2] parameter(0) }", "AX0101: 1:15: unknown opcode 'f99'"},
    {"ENTRY e { p = f32[2]{1} parameter(0) q = (f99[]) negate(p) }",
     "AX0110: 1:43: unknown element type 'f99'"},
    {"$ a = f32[2] custom-call-start(p), custom_call_target=\"f\" }",
     "AX0110: 2:13: the shape of an asynchronous start is ((operands), result, …)"},
    {"$ a = f32[2] negate(f32[3] p) }",
     "AX0111: 2:27: operand p is written with shape f32[3], but defined with f32[2]"},
    {"ENTRY %e (p: f32[2]) -> f32[3] { p = f32[2] parameter(0) }",
     "AX0111: 1:10: computation e is declared to return f32[3], but its root has shape f32[2]"},
    // Shardings; more in parts_text_test.cc.
    {"$ a = f32[2] negate(p), sharding={maximal} }",
     "AX0112: 2:33: a maximal sharding names exactly one device"},
    {"$ a = f32[2] negate(p, p) }", "AX0113: 2:13: negate takes 1 operands, not 2"},
    {"$ a = f32[2] add(p) }", "AX0113: 2:13: add takes 2 operands, not 1"},
    {"$ a = f32[2] concatenate(), dimensions={0} }",
     "AX0113: 2:13: concatenate takes at least 1 operands, not 0"},
    {"$ a = custom-call(p), custom_call_target=\"f\" }",
     "AX0114: 2:6: the result shape of custom-call is left out and does not follow from its "
     "operands: the operation takes it from the text"},
    {"$ a = constant(1) }", "AX0114: 2:6: a constant needs its shape"},
    {"$ a = call(p), to_apply=f } f { p = f32[2] parameter(0) }",
     "AX0114: 2:6: the result shape of call is left out and does not follow from its operands: it "
     "calls a computation that comes later"},
    {"HloModule m", "AX0115: 1:12: the module has no computation"},
    {"ENTRY e { }", "AX0115: 1:11: the computation has no instructions"},
};

TEST(TextErrorsTest, MessagesAndPlaces) {
  for (const Case& c : kCases) {
    const absl::StatusOr<Module> module = ParseModule(Expand(c.text));
    ASSERT_FALSE(module.ok()) << c.text;
    EXPECT_EQ(std::string(module.status().message()), c.message) << c.text;
  }
}

TEST(TextErrorsTest, EveryRowIsRaisedAndComplete) {
  std::set<std::string> raised = {"AX0109", "AX0116"};  // below; would need a text of 4 GiB
  for (const Case& c : kCases) raised.insert(std::string(c.message, 6));
  std::set<std::string> rows;
  for (const ErrorDef& def : text::errors::kTable) {
    EXPECT_TRUE(rows.insert(std::string(def.id)).second) << def.id;
    EXPECT_EQ(def.id.substr(0, 4), "AX01");
    EXPECT_NE(def.code, absl::StatusCode::kOk) << def.id;
    EXPECT_FALSE(def.title.empty()) << def.id;
    EXPECT_GT(def.help.size(), 40) << def.id;
  }
  EXPECT_EQ(rows, raised);
}

TEST(TextErrorsTest, PlaceAndExcerpt) {
  const std::string text = "HloModule m\nENTRY e {\n  a = f32[] add(b, c)\n}\n";
  const absl::Status status = ParseModule(text, {.file_name = "m.hlo"}).status();
  EXPECT_EQ(status.message(),
            "AX0105: m.hlo:3:17: operand b is not defined before this use in computation e");
  EXPECT_EQ(ErrorIdOf(status), "AX0105");
  const std::optional<TextPlace> place = PlaceOf(status);
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->line, 3);
  EXPECT_EQ(place->column, 17);
  EXPECT_EQ(Excerpt(text, *place),
            "  3 |   a = f32[] add(b, c)\n"
            "    |                 ^\n");
  EXPECT_EQ(PlaceOf(absl::OkStatus()), std::nullopt);
  EXPECT_EQ(Excerpt(text, {.line = 9, .column = 1}), "");
}

TEST(TextErrorsTest, LongLinesAreCutAroundThePlace) {
  const std::string line = std::string(150, 'a') + "X" + std::string(150, 'b');
  EXPECT_EQ(Excerpt(line, {.line = 1, .column = 151}),
            absl::StrCat("  1 | …", std::string(50, 'a'), "X", std::string(49, 'b'), "…\n",
                         "    | ", std::string(51, ' '), "^\n"));
}

// What nests by a factor of 10,000 is refused where the limit is passed, not where memory ends.
TEST(TextErrorsTest, NestingIsBounded) {
  constexpr int kDeep = 10000;
  const auto nested = [](absl::string_view open, absl::string_view middle,
                         absl::string_view close) {
    std::string text;
    for (int i = 0; i < kDeep; ++i) absl::StrAppend(&text, open);
    absl::StrAppend(&text, middle);
    for (int i = 0; i < kDeep; ++i) absl::StrAppend(&text, close);
    return text;
  };
  const std::string shape = nested("(", "f32[]", ")");
  const std::string braces = nested("{", "", "}");
  const std::string start = Expand("$ a = ");
  for (const std::string& text :
       {absl::StrCat(start, shape, " tuple() }"),
        absl::StrCat(start, "f32[] constant(", nested("(", "1", ")"), ") }"),
        absl::StrCat(start, "f32[] constant(", braces, ") }"),
        absl::StrCat(start, "f32[2] negate(p), sharding=", braces, " }"),
        absl::StrCat(start, "f32[2] negate(p), backend_config=", braces, " }"),
        absl::StrCat(start, "f32[2] negate(p), metadata=", braces, " }"),
        absl::StrCat(start, "f32[2] negate(p), frontend_attributes={a=", braces, "} }"),
        absl::StrCat(start, "f32[2] negate(p), zzz=", braces, " }"),
        absl::StrCat(start, "f32[2] negate(", nested("f32[2] negate(", "p", ")"), ") }"),
        absl::StrCat(
            start, "f32[2] ",
            nested("call(p), to_apply={ p = f32[2] parameter(0) a = f32[2] ", "negate(p)", "}"),
            " }"),
        absl::StrCat(start, "f32[2] custom-call(p), custom_call_target=\"\", literal=",
                     nested("(", "", ")"), " }")}) {
    const absl::Status status = ParseModule(text).status();
    const std::string id = ErrorIdOf(status);
    EXPECT_TRUE(id == "AX0109" || id == "AX0107" || id == "AX0100") << status;
  }
  EXPECT_EQ(ErrorIdOf(ParseModule(absl::StrCat(start, shape, " tuple() }")).status()), "AX0109");
}

// Bytes cut, doubled, dropped and changed: a module or a status, never a crash; what is read prints
// and reads back the same.
TEST(TextErrorsTest, AnyBytesGiveAModuleOrAStatus) {
  const std::string text =
      "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }, "
      "entry_computation_layout={(f32[2]{0})->(f32[2]{0})}, x={a=\"b\"}\n"
      "%f (a: f32[]) -> f32[] { a = f32[] parameter(0) ROOT b = f32[] multiply(a, a) }\n"
      "ENTRY %e (p: f32[2]) -> (f32[2]) {\n"
      "  %p = f32[2]{0} parameter(0), sharding={devices=[2]<=[2]}, metadata={op_name=\"x\"}\n"
      "  %c = c64[2] constant({(1, nan(0x400001)), (-inf, 2e-3)})\n"
      "  %m = f32[2]{0:T(2)} map(f32[2] %p), dimensions={0}, to_apply=%f, "
      "backend_config={\"a\":1}\n"
      "  %s = ((f32[2]), f32[2], u32[]) custom-call-start(%m), custom_call_target=\"x\"\n"
      "  %d = f32[2] custom-call-done(%s), frontend_attributes={a=\"1\",b={x = \"}\"}}\n"
      "  %w = f32[1] reduce-window(%d, %p), window={size=2 pad=0_0}, to_apply=%f\n"
      "  ROOT %t = (f32[2]) tuple(%d), control-predecessors={%c}, zzz=[1,2]<=[2]\n}\n";
  ASSERT_TRUE(ParseModule(text).ok()) << ParseModule(text).status();
  const std::string others = "{}()[],=\"%<>.-0 x/*\n\xff";
  for (size_t i = 0; i < text.size(); ++i) {
    std::vector<std::string> variants = {text.substr(0, i), text.substr(i)};
    std::string changed = text;
    for (const char c : others) {
      changed[i] = c;
      variants.push_back(changed);
    }
    changed = text;
    variants.push_back(changed.erase(i, 1));
    variants.push_back(changed.insert(i, 2, '{'));
    for (const std::string& variant : variants) {
      const absl::StatusOr<Module> module = ParseModule(variant);
      EXPECT_EQ(module.ok(), ErrorIdOf(module.status()).empty()) << module.status();
    }
  }
}

}  // namespace
}  // namespace axle::hlo
