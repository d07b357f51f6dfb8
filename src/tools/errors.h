// SPDX-License-Identifier: Apache-2.0
// Errors of the command line: AX0950-AX0989. Those up to AX0959 are wrong usage (exit code 2);
// AX0958 is in xrt_script/errors.h.
#ifndef AXLE_TOOLS_ERRORS_H_
#define AXLE_TOOLS_ERRORS_H_

#include "base/error.h"

namespace axle::tools::errors {

inline constexpr ErrorDef kUnknownCommand{
    "AX0950", absl::StatusCode::kInvalidArgument, "No such subcommand",
    "The word after `axle` is not one of its subcommands. `axle help` lists them."};
inline constexpr ErrorDef kUnknownFlag{
    "AX0951", absl::StatusCode::kInvalidArgument, "No such flag",
    "The subcommand has no flag of this name. `axle SUBCOMMAND --help` lists those it has. To name "
    "a file that begins with a dash, put `--` before it."};
inline constexpr ErrorDef kFlagValue{
    "AX0952", absl::StatusCode::kInvalidArgument, "Flag with the wrong value",
    "A flag lacks its value, has one although it is a switch, or was given twice."};
inline constexpr ErrorDef kFlagNumber{
    "AX0953", absl::StatusCode::kInvalidArgument, "Flag with an unreadable number",
    "The value of a flag is not a number, or lies outside the range that the flag takes. The "
    "message has the range."};
inline constexpr ErrorDef kOperands{
    "AX0954", absl::StatusCode::kInvalidArgument, "Too few or too many arguments",
    "The subcommand takes another number of arguments. `axle SUBCOMMAND --help` shows which. A "
    "flag "
    "that takes a list of files takes every word up to the next flag, so put the subcommand's own "
    "arguments first."};
inline constexpr ErrorDef kFlagConflict{
    "AX0955", absl::StatusCode::kInvalidArgument, "Flags that exclude each other",
    "Two of the flags ask for different things. Leave one of them out."};
inline constexpr ErrorDef kOutputForm{
    "AX0956", absl::StatusCode::kInvalidArgument, "Form of the output not known",
    "`axle convert` tells the form to write by the end of the output's name: .hlo or .txt for HLO "
    "text, .pb for a serialized HloModuleProto."};
inline constexpr ErrorDef kDocsPage{"AX0957", absl::StatusCode::kInvalidArgument,
                                    "No such generated page",
                                    "`axle docs` writes the pages `errors`, `opcodes` and `xrt`."};

inline constexpr ErrorDef kListFile{
    "AX0960", absl::StatusCode::kInvalidArgument, "List of cases not understood",
    "A line of a passes list must be `CASE` or `CASE BACKEND`, a line of a skips list `CASE: "
    "REASON` or `CASE BACKEND: REASON`; what follows a `#` at the start of a line is a remark, and "
    "no line may come twice."};
inline constexpr ErrorDef kExpectedCount{"AX0961", absl::StatusCode::kInvalidArgument,
                                         "Wrong number of expected outputs",
                                         "`--expect` needs one file for each result leaf of the "
                                         "program, in order. `axle compile` prints "
                                         "the leaves."};
inline constexpr ErrorDef kNoFolder{
    "AX0962", absl::StatusCode::kUnavailable, "Output folder cannot be made",
    "The folder for the outputs does not exist and could not be created. The message has the "
    "operating system's own words."};
inline constexpr ErrorDef kOutputFailed{
    "AX0963", absl::StatusCode::kUnavailable, "Standard output failed",
    "What the command printed could not be written: a full disk, or a closed file. A pipe whose "
    "reader has gone is no error."};

inline constexpr ErrorDef kSupportTable{
    "AX0964", absl::StatusCode::kInvalidArgument, "Table of tested opcodes not understood",
    "The page `opcodes` is made from tests/data/opcode_support.txt, which has an outcome for every "
    "opcode, element type and backend. The message names the line that cannot be read, or what the "
    "table lacks. `axle_opcode_table_test --update` writes it."};

inline constexpr ErrorDef kTable[] = {kUnknownCommand, kUnknownFlag,   kFlagValue,  kFlagNumber,
                                      kOperands,       kFlagConflict,  kOutputForm, kDocsPage,
                                      kListFile,       kExpectedCount, kNoFolder,   kOutputFailed,
                                      kSupportTable};

}  // namespace axle::tools::errors

#endif  // AXLE_TOOLS_ERRORS_H_
