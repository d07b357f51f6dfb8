// SPDX-License-Identifier: Apache-2.0
#include "tools/error_tables.h"

#include <algorithm>

#include "absl/types/span.h"
#include "assembly/errors.h"
#include "base/errors.h"
#include "check/errors.h"
#include "custom_calls/errors.h"
#include "eval/errors.h"
#include "hlo/errors.h"
#include "hlo/ops/errors.h"
#include "hlo/ops/structured_errors.h"
#include "hlo/proto/errors.h"
#include "hlo/text/errors.h"
#include "hlo/verify/errors.h"
#include "load/errors.h"
#include "passes/errors.h"
#include "pjrt_client/errors.h"
#include "runtime/errors.h"
#include "tools/errors.h"
#include "xrt/errors.h"
#include "xrt_script/errors.h"

namespace axle::tools {

std::vector<ErrorDef> AllErrors() {
  const absl::Span<const ErrorDef> tables[] = {
      axle::errors::kTable,        hlo::text::errors::kTable,  hlo::proto::errors::kTable,
      hlo::errors::kTable,         hlo::ops_errors::kTable,    hlo::structured_errors::kTable,
      hlo::verify_errors::kTable,  passes::errors::kTable,     runtime::errors::kTable,
      pjrt_client::errors::kTable, eval::errors::kTable,       custom_calls::errors::kTable,
      load::errors::kTable,        check::errors::kTable,      assembly::errors::kTable,
      xrt::errors::kTable,         xrt_script::errors::kTable, errors::kTable,
  };
  std::vector<ErrorDef> all;
  for (const auto& table : tables) all.insert(all.end(), table.begin(), table.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const ErrorDef& a, const ErrorDef& b) { return a.id < b.id; });
  return all;
}

}  // namespace axle::tools
