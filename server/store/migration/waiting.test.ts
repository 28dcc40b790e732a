import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Migration, WaitReason } from '../../engine/migration/state'
import { PROOF_LAWS } from '../../engine/proof/disproof'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { commit } from '../commit/commit'
import { connectDatabase } from '../database/database'
import { build, moveOf, putHost } from '../testing/books'
import { readInstanceView, readMigrationView } from './view'

// The database accepts every kind of wait, and reads it back as written. A check that lacked one kind kept migrations
// from being parked.

const database = onFreshDatabase(connectDatabase)
let migration: Migration
beforeAll(async () => {
  const host = await putHost(database, smallHost({ n: 1 }))
  const view = await readInstanceView(database, await build(database, host.id))
  if (!view) throw new Error('no instance')
  const accepted = moveOf(view.instance, host)
  migration = accepted.migration
  expect((await commit(database, accepted.change)).ok).toBe(true)
})

/** At least one of each kind: a new kind does not compile until it is listed. */
const WAITS: { readonly [For in WaitReason['for']]: readonly Extract<WaitReason, { for: For }>[] } = {
  slot: [{ for: 'slot', place: 3 }],
  host: [{ for: 'host', host: hostId(1), why: 'the host did not answer' }],
  person: [{ for: 'person' }],
  retry: [{ for: 'retry', why: 'the link broke' }],
  repair: PROOF_LAWS.map((law) => ({ for: 'repair', law, why: 'expected a claim, found none' })),
}

test.each(Object.values(WAITS).flatMap((waits) => waits.map((waiting) => [JSON.stringify(waiting), waiting] as const)))(
  'a migration that waits is written and read: %s',
  async (_, waiting) => {
    await database.prisma.migration.update({ where: { id: migration.id }, data: { waiting } })
    const read = await readMigrationView(database, migration.id)
    expect(read?.migration.waiting).toEqual(waiting)
  },
)
