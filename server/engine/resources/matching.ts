import type { ForestProvider } from './forest'

// Whether all groups can be placed at once. Checked before orders of them are tried: if they cannot, trying every order
// would take as long as their product and find nothing.

/** Whether every group gets one of its choices, without exceeding a choice's slots. By augmenting paths. */
export function canAssignAll<T>(choices: readonly (readonly T[])[], slots: (choice: T) => number): boolean {
  const matching = { choices, slots, holders: new Map<T, number[]>() }
  for (let group = 0; group < choices.length; group++) if (!place(matching, group, new Set())) return false
  return true
}

interface BipartiteMatching<T> {
  readonly choices: readonly (readonly T[])[]
  readonly slots: (choice: T) => number
  readonly holders: Map<T, number[]>
}

/** Places the group, moving others if necessary. */
function place<T>(matching: BipartiteMatching<T>, group: number, tried: Set<T>): boolean {
  const { choices, slots, holders } = matching
  for (const choice of choices[group] ?? []) {
    if (tried.has(choice)) continue
    tried.add(choice)
    const held = holders.get(choice) ?? []
    if (held.length < slots(choice)) {
      holders.set(choice, [...held, group])
      return true
    }
    const moved = held.findIndex((other) => place(matching, other, tried))
    if (moved < 0) continue
    holders.set(choice, held.with(moved, group))
    return true
  }
  return false
}

/** Whether every group can have a separate provider. */
export const canAssignSeparately = (choices: readonly (readonly ForestProvider[])[]): boolean =>
  canAssignAll(choices, () => 1)
