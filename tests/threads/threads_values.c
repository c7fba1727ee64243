/* SPDX-License-Identifier: Apache-2.0 */
/* Immutable objects and pure functions, without a device: eight threads read the same mesh,
 * shardings and layouts, make others from them and release those, and parse and print. */

#include <string.h>

#include "support/plain.h"

enum { ROUNDS = 50, POSITIONS = 8, KINDS = 3 };

static const char *const specs[KINDS] = {"data,model", "model+data", "_,data"};
static const clshard_policy policies[KINDS] = {CLSHARD_EVEN, CLSHARD_BALANCED, CLSHARD_PAD};
static const size_t extents[KINDS][2] = {{16, 6}, {21, 5}, {3, 10}};

typedef struct shared {
    clshard_mesh *mesh;
    clshard_sharding *sharding[KINDS];
    clshard_layout *layout[KINDS];
    clshard_plan *plan;                  /* from layout 0 to another one of its shape */
    clshard_part part[KINDS][POSITIONS]; /* as one thread saw them */
} shared;

static bool make(shared *all)
{
    clshard_error err = {0};

    if (!works(clshard_mesh_parse(NULL, "data=4,model=2", NULL, &all->mesh, &err), &err))
        return false;
    for (size_t k = 0; k < KINDS; k++) {
        if (!works(clshard_sharding_parse(
                       all->mesh, specs[k],
                       CLSHARD_WITH(clshard_sharding_options, .uneven = policies[k]),
                       &all->sharding[k], &err),
                   &err) ||
            !works(clshard_layout_create(all->sharding[k],
                                         CLSHARD_SHAPE(extents[k][0], extents[k][1]),
                                         &all->layout[k], &err),
                   &err))
            return false;
        for (size_t p = 0; p < POSITIONS; p++)
            all->part[k][p] = clshard_layout_part(all->layout[k], p);
    }
    return true;
}

static bool make_plan(shared *all)
{
    clshard_sharding *sharding = NULL;
    clshard_layout *layout = NULL;
    clshard_error err = {0};
    const bool good =
        works(clshard_sharding_parse(all->mesh, "data+model", NULL, &sharding, &err), &err) &&
        works(clshard_layout_create(sharding, clshard_layout_shape(all->layout[0]), &layout, &err),
              &err) &&
        works(clshard_plan_create(layout, all->layout[0], &all->plan, &err), &err);

    clshard_sharding_release(sharding);
    clshard_layout_release(layout);
    return good;
}

static void end(shared *all)
{
    clshard_plan_release(all->plan);
    for (size_t k = 0; k < KINDS; k++) {
        clshard_layout_release(all->layout[k]);
        clshard_sharding_release(all->sharding[k]);
    }
    clshard_mesh_release(all->mesh);
}

static void read_mesh(const shared *all)
{
    char text[64];
    size_t coordinates[2];
    size_t position = 0;
    clshard_error err = {0};

    (void)clshard_mesh_format(all->mesh, text, sizeof text);
    (void)expect(strcmp(text, "data=4,model=2") == 0, "'%s'", text);
    (void)expect(clshard_mesh_device(all->mesh, 0) == NULL, "an abstract mesh has a device");
    for (size_t p = 0; p < POSITIONS; p++)
        if (works(clshard_mesh_coordinates(all->mesh, p, coordinates, &err), &err) &&
            works(clshard_mesh_position(all->mesh, coordinates, &position, &err), &err))
            (void)expect(position == p, "%zu", position);
    (void)refused(clshard_mesh_coordinates(all->mesh, POSITIONS, coordinates, &err),
                  CLSHARD_ERR_INDEX, "past the last", &err);
}

static void read_layouts(const shared *all)
{
    for (size_t k = 0; k < KINDS; k++) {
        (void)expect(clshard_layout_sharding(all->layout[k]) == all->sharding[k], "%zu", k);
        (void)expect(clshard_sharding_mesh(all->sharding[k]) == all->mesh, "%zu", k);
        for (size_t p = 0; p < POSITIONS; p++) {
            const clshard_part part = clshard_layout_part(all->layout[k], p);
            (void)expect(memcmp(&part, &all->part[k][p], sizeof part) == 0, "position %zu", p);
        }
    }
}

/* Every element has one place in the target, whatever its reach. */
static void read_plan(const shared *all)
{
    uint64_t elements = clshard_plan_missing(all->plan);

    for (clshard_reach reach = CLSHARD_REACH_SELF; reach <= CLSHARD_REACH_PROCESS; reach++)
        elements += clshard_plan_elements(all->plan, reach);
    (void)expect(elements == extents[0][0] * extents[0][1], "%llu", (unsigned long long)elements);
    for (size_t i = 1; i < clshard_plan_move_count(all->plan); i++)
        (void)expect(clshard_plan_move(all->plan, i).to >= clshard_plan_move(all->plan, i - 1).to,
                     "move %zu", i);
}

/* Objects of its own, which take and give up claims on the shared ones. */
static void make_others(const shared *all, size_t k)
{
    clshard_sharding *sharding = NULL;
    clshard_layout *layout = NULL;
    clshard_error err = {0};

    if (works(clshard_sharding_create(all->mesh, clshard_sharding_spec(all->sharding[k]),
                                      CLSHARD_WITH(clshard_sharding_options, .uneven = policies[k]),
                                      &sharding, &err),
              &err) &&
        works(clshard_layout_create(sharding, clshard_layout_shape(all->layout[k]), &layout, &err),
              &err)) {
        (void)expect(clshard_sharding_equal(sharding, all->sharding[k]), "%zu", k);
        (void)expect(clshard_layout_equal(layout, all->layout[k]), "%zu", k);
        (void)expect(clshard_layout_equivalent(all->layout[k], layout), "%zu", k);
    }
    clshard_sharding_release(sharding);
    clshard_layout_release(layout);
}

static void use_texts(size_t number)
{
    static const char *const names[] = {"data", "mlp", NULL};
    char text[256];
    clshard_rules rules;
    clshard_spec spec;
    clshard_range range;
    clshard_error err = {0};

    if (works(clshard_rules_parse("fsdp", &rules, &err), &err) &&
        works(clshard_spec_for_names(&rules, CLSHARD_LOOKUP_EXACT, names, 3, &spec, &err), &err)) {
        (void)clshard_spec_format(&spec, text, sizeof text);
        (void)expect(strcmp(text, "data,model,_") == 0, "'%s'", text);
    }
    if (works(clshard_split_contiguous(27, (clshard_share){number, PLAIN_TEAM}, CLSHARD_BALANCED,
                                       &range, &err),
              &err))
        (void)expect(range.count == (number < 3 ? 4u : 3u), "%zu", range.count);
    (void)refused(clshard_spec_parse("a,,b", &spec, &err), CLSHARD_ERR_TEXT, ">>>", &err);
    (void)expect(strcmp(clshard_dtype_name(CLSHARD_BF16), "bf16") == 0, "bf16");
}

/* Half of the team begins with reading, the other half with making. */
static void use(void *context, size_t number)
{
    const shared *all = context;

    for (size_t round = 0; round < ROUNDS; round++) {
        if (number % 2 == 0) {
            read_mesh(all);
            read_layouts(all);
            read_plan(all);
        }
        make_others(all, (round + number) % KINDS);
        use_texts(number);
        if (number % 2 == 1)
            read_layouts(all);
    }
}

typedef struct claim {
    clshard_layout *layout[PLAIN_TEAM];
} claim;

/* Each thread reads through its layout while the others give theirs up; the last one ends the mesh.
 */
static void give_up(void *context, size_t number)
{
    clshard_layout *layout = ((claim *)context)->layout[number];
    const clshard_mesh *mesh = clshard_sharding_mesh(clshard_layout_sharding(layout));

    (void)expect(clshard_mesh_position_count(mesh) == POSITIONS, "thread %zu", number);
    clshard_layout_release(layout);
}

static void release_everywhere(void)
{
    for (size_t round = 0; round < ROUNDS; round++) {
        clshard_sharding *sharding = plain_sharding(NULL, "data=4,model=2", "data,model");
        claim claims = {{NULL}};
        clshard_error err = {0};
        bool good = sharding != NULL;

        for (size_t i = 0; good && i < PLAIN_TEAM; i++)
            good =
                works(clshard_layout_create(sharding, CLSHARD_SHAPE(8, 4), &claims.layout[i], &err),
                      &err);
        clshard_sharding_release(sharding);
        if (good)
            plain_team(give_up, &claims);
    }
}

int main(void)
{
    static shared all;

    if (make(&all) && make_plan(&all))
        plain_team(use, &all);
    end(&all);
    release_everywhere();
    return plain_result();
}
