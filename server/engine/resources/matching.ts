import type { ForestProvider } from './forest'

// Whether groups can all find a place at once. Asked before orders of them are tried: where they cannot, trying every
// order would take as long as their product and find nothing.

/** Whether every group gets one of its choices, and no choice more groups than it has slots. By augmenting paths. */
export function canAllLie<T>(choices: readonly (readonly T[])[], slots: (choice: T) => number): boolean {
  const holders = new Map<T, number[]>()
  const place = (group: number, tried: Set<T>): boolean =>
    (choices[group] ?? []).some((choice) => {
      if (tried.has(choice)) return false
      tried.add(choice)
      const held = holders.get(choice) ?? []
      if (held.length < slots(choice)) {
        holders.set(choice, [...held, group])
        return true
      }
      const moved = held.findIndex((other) => place(other, tried))
      if (moved < 0) return false
      holders.set(choice, held.with(moved, group))
      return true
    })
  return choices.every((_, group) => place(group, new Set()))
}

/** Whether every group can have a provider of its own. */
export const canLieApart = (choices: readonly (readonly ForestProvider[])[]): boolean => canAllLie(choices, () => 1)
