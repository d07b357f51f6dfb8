// SPDX-License-Identifier: Apache-2.0
#include "generated_module.h"

#include "absl/strings/str_cat.h"

namespace axle::bench {

std::string GeneratedText(int instructions) {
  std::string text =
      "HloModule generated, entry_computation_layout={(f32[32,64]{1,0})->f32[32,64]{1,0}}\n\n"
      "sum {\n"
      "  a = f32[] parameter(0)\n"
      "  b = f32[] parameter(1)\n"
      "  ROOT add = f32[] add(a, b)\n"
      "}\n\n"
      "ENTRY main {\n"
      "  x.0 = f32[32,64]{1,0} parameter(0)\n"
      "  zero = f32[] constant(0)\n";
  // Rounds of five instructions; each round's last one feeds the next round.
  const int rounds = (instructions - 6) / 5;
  for (int i = 0; i < rounds; ++i) {
    const auto metadata = [i](const char* op) {
      return absl::StrCat(", metadata={op_name=\"jit(step)/layer_", i, "/", op,
                          "\" stack_frame_id=", i % 50 + 1, "}\n");
    };
    absl::StrAppend(&text, "  m.", i, " = f32[32,64]{1,0} multiply(x.", i, ", x.", i, ")",
                    metadata("mul"));
    absl::StrAppend(&text, "  r.", i, " = f32[32]{0} reduce(m.", i,
                    ", zero), dimensions={1}, to_apply=sum", metadata("reduce_sum"));
    absl::StrAppend(&text, "  s.", i, " = f32[32]{0} rsqrt(r.", i, ")", metadata("rsqrt"));
    absl::StrAppend(&text, "  b.", i, " = f32[32,64]{1,0} broadcast(s.", i, "), dimensions={0}",
                    metadata("broadcast_in_dim"));
    absl::StrAppend(&text, "  ", i + 1 == rounds ? "ROOT " : "", "x.", i + 1,
                    " = f32[32,64]{1,0} multiply(m.", i, ", b.", i, ")", metadata("scale"));
  }
  return absl::StrCat(text, "}\n");
}

}  // namespace axle::bench
