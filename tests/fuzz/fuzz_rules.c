/* SPDX-License-Identifier: Apache-2.0 */
#include <clshard/spec.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

static void look_up(const clshard_rules *rules)
{
    const char *names[] = {"data", NULL, "embed", rules->count > 0 ? rules->rule[0].name : "_"};

    for (int lookup = 0; clshard_lookup_name((clshard_lookup)lookup) != NULL; lookup++) {
        clshard_error err = {0};
        clshard_spec spec;
        const clshard_status status =
            clshard_spec_for_names(rules, (clshard_lookup)lookup, names, 4, &spec, &err);
        if (status != CLSHARD_OK)
            fuzz_check_failure(status, &err);
        else
            fuzz_require(spec.rank == 4, "a spec has an entry per name");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static char printed[1 << 16];
    static clshard_rules rules;
    static clshard_rules again;
    char *text = fuzz_text(data, bytes);
    clshard_error err = {0};
    const clshard_status status = clshard_rules_parse(text, &rules, &err);

    if (status != CLSHARD_OK) {
        fuzz_check_failure(status, &err);
    } else {
        fuzz_require(clshard_rules_format(&rules, printed, sizeof printed) < sizeof printed,
                     "rules print into their longest text");
        fuzz_require(clshard_rules_parse(printed, &again, &err) == CLSHARD_OK &&
                         again.count == rules.count,
                     "printed rules read back");
        for (size_t i = 0; i < rules.count; i++)
            fuzz_require(strcmp(rules.rule[i].name, again.rule[i].name) == 0,
                         "printed rules read back in order");
        look_up(&rules);
    }
    free(text);
    return 0;
}
