// SPDX-License-Identifier: Apache-2.0
// Every error that Axle can answer, from the tables of all folders.
#ifndef AXLE_TOOLS_ERROR_TABLES_H_
#define AXLE_TOOLS_ERROR_TABLES_H_

#include <vector>

#include "base/error.h"

namespace axle::tools {

// Ascending by id.
std::vector<ErrorDef> AllErrors();

}  // namespace axle::tools

#endif  // AXLE_TOOLS_ERROR_TABLES_H_
