/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOOL_COMMANDS_H
#define TOOL_COMMANDS_H

#include "options.h"

extern const command command_check;
extern const command command_list;
extern const command command_plan;
extern const command command_scatter;

#endif
