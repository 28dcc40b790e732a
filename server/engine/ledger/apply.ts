import type { Conflict, Write } from '../change'
import type { Host } from '../host'
import type { Line } from '../rows'
import { guardConflict, raiseGuarded } from './guards'
import { draftOf, type Ledger, type LedgerDraft } from './ledger'
import { writeLines } from './lines'
import { type Applicable, type RaisedGenerations, raisedOn } from './raised'
import { applyProved, applyUnproved } from './writes'

// Applies a change without the database: for simulations, previews of repairs, and the memory of the fleet host by
// host. prisma/functions does the same for the tables; server/store/commit/equal.test.ts keeps the two equal.

/** The caller owns the resulting ledger. */
export type AppliedChange =
  | { readonly ok: true; readonly ledger: LedgerDraft; readonly raised: RaisedGenerations }
  | { readonly ok: false; readonly conflict: Conflict }

/** All of the change or nothing. `unproved` skips the laws of `engine/proof`, to show that they are needed. */
export function apply(ledger: Ledger, change: Applicable, how: 'proved' | 'unproved' = 'proved'): AppliedChange {
  const conflict = guardConflict(ledger, change.guards)
  if (conflict !== null) return { ok: false, conflict }
  const draft = draftOf(ledger)
  const raising = new Set([...ledger.hosts.values()].flatMap((host) => [...raisedOn(host, change)]))
  for (const part of inParts(change.writes)) {
    const broken = part.do === 'rows' ? writeLines(draft, part.lines) : applyOne[how](draft, part)
    if (broken !== null) return { ok: false, conflict: broken }
  }
  raiseGuarded(draft, change.guards)
  return { ok: true, ledger: draft, raised: raiseProviders(draft, raising) }
}

const applyOne = { proved: applyProved, unproved: applyUnproved }

type Part = Exclude<Write, { do: 'row' }> | { readonly do: 'rows'; readonly lines: Line[] }

/** Consecutive lines form one part, within which references may dangle. */
function inParts(writes: readonly Write[]): readonly Part[] {
  const parts: Part[] = []
  for (const write of writes) {
    const last = parts.at(-1)
    if (write.do !== 'row') parts.push(write)
    else if (last?.do === 'rows') last.lines.push(write.line)
    else parts.push({ do: 'rows', lines: [write.line] })
  }
  return parts
}

function raiseProviders(draft: LedgerDraft, raising: ReadonlySet<string>): RaisedGenerations {
  const raised: Record<string, number> = {}
  if (raising.size === 0) return raised
  for (const [id, host] of draft.hosts) {
    if (host.providers.some((provider) => raising.has(provider.id)))
      draft.hosts.set(id, raisedIn(host, raising, raised))
  }
  return raised
}

function raisedIn(host: Host, raising: ReadonlySet<string>, raised: Record<string, number>): Host {
  const providers = host.providers.map((each) => {
    if (!raising.has(each.id)) return each
    raised[each.id] = each.generation + 1
    return { ...each, generation: each.generation + 1 }
  })
  return { ...host, providers }
}
