// SPDX-License-Identifier: Apache-2.0
#include "hlo/text/parser.h"

#include <limits>
#include <utility>

#include "hlo/text/errors.h"
#include "hlo/text/literal_reader.h"
#include "hlo/text/module_reader.h"
#include "hlo/text/reader.h"
#include "hlo/text/shape_reader.h"
#include "hlo/text/sharding_reader.h"

namespace axle::hlo {
namespace {

absl::Status CheckLength(absl::string_view text, const text::Reader& reader) {
  if (text.size() <= std::numeric_limits<uint32_t>::max()) return absl::OkStatus();
  return reader.Error(text::errors::kTooLong, 0, "the text is longer than 4 GiB");
}

// read(reader), which must leave nothing of the text.
template <typename F>
auto ReadWhole(absl::string_view text, const ParseOptions& options, absl::string_view what,
               F&& read) -> decltype(read(std::declval<text::Reader&>())) {
  text::Reader reader(text, options);
  AXLE_RETURN_IF_ERROR(CheckLength(text, reader));
  auto result = read(reader);
  AXLE_RETURN_IF_ERROR(result.status());
  if (!reader.AtEnd()) return reader.Expected(what);
  return result;
}

absl::StatusOr<Literal> Given(const text::Reader& reader, std::shared_ptr<const Literal> literal) {
  if (literal == nullptr) {
    return reader.Error(text::errors::kLiteral, 0, "the value is left out ({...})");
  }
  return *literal;
}

}  // namespace

absl::StatusOr<Module> ParseModule(absl::string_view text, const ParseOptions& options) {
  text::Reader reader(text, options);
  AXLE_RETURN_IF_ERROR(CheckLength(text, reader));
  return text::ModuleReader(reader).Read();
}

absl::StatusOr<Shape> ParseShape(absl::string_view text, const ParseOptions& options) {
  return ReadWhole(text, options, "the end of the shape",
                   [](text::Reader& reader) { return text::ReadShape(reader); });
}

absl::StatusOr<Layout> ParseLayout(absl::string_view text, const ParseOptions& options) {
  return ReadWhole(text, options, "the end of the layout",
                   [](text::Reader& reader) { return text::ReadLayout(reader); });
}

absl::StatusOr<Literal> ParseLiteral(absl::string_view text, const ParseOptions& options) {
  return ReadWhole(text, options, "the end of the literal",
                   [](text::Reader& reader) -> absl::StatusOr<Literal> {
                     AXLE_ASSIGN_OR_RETURN(auto literal, text::ReadShapedLiteral(reader));
                     return Given(reader, std::move(literal));
                   });
}

absl::StatusOr<Literal> ParseLiteralOfShape(absl::string_view text, const Shape& shape,
                                            const ParseOptions& options) {
  return ReadWhole(text, options, "the end of the literal",
                   [&](text::Reader& reader) -> absl::StatusOr<Literal> {
                     AXLE_ASSIGN_OR_RETURN(auto literal, text::ReadLiteral(reader, shape));
                     return Given(reader, std::move(literal));
                   });
}

absl::StatusOr<Sharding> ParseSharding(absl::string_view text, const ParseOptions& options) {
  return ReadWhole(text, options, "the end of the sharding",
                   [](text::Reader& reader) { return text::ReadSharding(reader); });
}

}  // namespace axle::hlo
