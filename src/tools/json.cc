// SPDX-License-Identifier: Apache-2.0
#include "tools/json.h"

#include <optional>
#include <utility>

#include "base/error.h"
#include "hlo/text/parser.h"

namespace axle::tools {

Json ErrorJson(const absl::Status& status) {
  Json json = {{"id", ErrorIdOf(status)}, {"message", Text(status.message())}};
  const std::optional<hlo::TextPlace> place = hlo::PlaceOf(status);
  if (place.has_value()) {
    json["line"] = place->line;
    json["column"] = place->column;
  }
  return json;
}

Json ShapeJson(const hlo::Shape& shape) {
  if (shape.IsTuple()) {
    Json elements = Json::array();
    for (const hlo::Shape& element : shape.tuple_shapes()) elements.push_back(ShapeJson(element));
    return {{"tuple", std::move(elements)}};
  }
  Json json = {{"type", Text(hlo::Name(shape.element_type()))}};
  Json dimensions = Json::array();
  for (int i = 0; i < shape.rank(); ++i) {
    dimensions.push_back(shape.dimension(i) == hlo::Shape::kUnbounded ? Json()
                                                                      : Json(shape.dimension(i)));
  }
  json["dimensions"] = std::move(dimensions);
  if (shape.has_dynamic_dimensions()) json["dynamic"] = shape.dynamic_dimensions();
  return json;
}

Json MemoryJson(const runtime::ProgramMemory& memory) {
  Json json = Json::object();
  const auto add = [&json](const char* name, const std::optional<int64_t>& bytes) {
    if (bytes.has_value()) json[name] = *bytes;
  };
  add("generated_code", memory.generated_code);
  add("arguments", memory.arguments);
  add("results", memory.results);
  add("aliased", memory.aliased);
  add("temporaries", memory.temporaries);
  return json;
}

}  // namespace axle::tools
