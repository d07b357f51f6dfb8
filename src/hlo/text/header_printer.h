// SPDX-License-Identifier: Apache-2.0
// The head of a module: the mirror of header_reader.h.
#ifndef AXLE_HLO_TEXT_HEADER_PRINTER_H_
#define AXLE_HLO_TEXT_HEADER_PRINTER_H_

#include <string>

#include "hlo/module.h"
#include "hlo/text/printer.h"

namespace axle::hlo::text {

// "HloModule name, …\n", and the tables of source places if metadata is printed.
void AppendHeader(const Module& module, const PrintOptions& options, std::string& out);

}  // namespace axle::hlo::text

#endif  // AXLE_HLO_TEXT_HEADER_PRINTER_H_
