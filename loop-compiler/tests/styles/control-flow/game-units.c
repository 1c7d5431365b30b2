// SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception
// Updates the units of a game turn by turn.
#include <stdlib.h>

typedef enum { IDLE, MOVING, FIGHTING, DEAD } Mode;

typedef struct Unit {
    int x, y, tx, ty;
    int health;
    int target;   /* index of the unit it fights, or -1 */
    Mode mode;
} Unit;

/* Each unit looks at itself only. */
void MoveUnits(Unit *units, int count)
{
    for (int i = 0; i < count; i++) // truth: parallel
    {
        Unit *u = &units[i];
        if (u->mode == DEAD)
            continue;
        switch (u->mode)
        {
        case MOVING:
            u->x += (u->tx > u->x) - (u->tx < u->x);
            u->y += (u->ty > u->y) - (u->ty < u->y);
            if (u->x != u->tx || u->y != u->ty)
                break;
            u->mode = IDLE;
            /* fall through */
        case IDLE:
            if (u->health < 100)
                u->health++;
            break;
        default:
            break;
        }
    }
}

/* Blows land at once: a unit that dies early does not strike back. */
int ResolveFights(Unit *units, int count)
{
    int killed = 0;
    for (int i = 0; i < count; i++) // truth: sequential
    {
        if (units[i].mode != FIGHTING || units[i].target < 0)
            continue;
        Unit *foe = &units[units[i].target];
        foe->health -= 5 + units[i].health / 20;
        if (foe->health <= 0 && foe->mode != DEAD)
        {
            foe->mode = DEAD;
            killed++;
        }
    }
    return killed;
}

/* Damage is gathered first and taken afterwards. */
void GatherDamage(const Unit *units, int count, int *damage)
{
    for (int i = 0; i < count; i++) // truth: parallel
        damage[i] = 0;
    for (int i = 0; i < count; i++) // truth: parallel
        if (units[i].mode == FIGHTING && units[i].target >= 0)
            damage[units[i].target] += 5 + units[i].health / 20;
}
