import type { PlannedMigration } from '@/server/api/run/view'
import { drainWords } from './words'

const words = drainWords.controls

type ConsequenceKind = keyof typeof words.how

function wayOf({ method, state, to }: PlannedMigration): ConsequenceKind {
  if (method === 'stop') return 'stop'
  if (state === 'blocked') return 'blocked'
  if (method === null || to === null || state === 'stays' || state === 'skipped') return 'stays'
  return method === 'live-migrate' ? 'live' : method === 'cold-migrate' ? 'cold' : 'evacuate'
}

/** Effects of a start, in numbers, one line per method. */
export function consequenceLines(migrations: readonly PlannedMigration[]): readonly string[] {
  const counts = new Map<ConsequenceKind, number>()
  for (const migration of migrations)
    if (!migration.helper) counts.set(wayOf(migration), (counts.get(wayOf(migration)) ?? 0) + 1)
  const helpers = migrations.filter(({ helper }) => helper).length
  const ways = (Object.keys(words.how) as ConsequenceKind[]).flatMap((way) => {
    const n = counts.get(way) ?? 0
    return n > 0 ? [words.migrations(n, words.how[way])] : []
  })
  return helpers > 0 ? [...ways, words.helpers(helpers)] : ways
}
