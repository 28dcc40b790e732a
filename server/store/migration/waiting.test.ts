import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Migration, WaitReason } from '../../engine/migration/state'
import { PROOF_LAWS } from '../../engine/proof/disproof'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { connectDatabase } from '../database/database'
import { acceptMigration, build, putHost } from '../testing/records'
import { readMigrationView } from './view'

// The database accepts every kind of wait, and reads it back as written. A check that lacked one kind kept the
// conductor from blocking migrations.

const database = onFreshDatabase(connectDatabase)
let migration: Migration
beforeAll(async () => {
  const host = await putHost(database, smallHost({ n: 1 }))
  migration = await acceptMigration(database, await build(database, host.id))
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
  'the wait reason of a migration is read back as written: %s',
  async (_, waiting) => {
    await database.prisma.migration.update({ where: { id: migration.id }, data: { waiting } })
    const read = await readMigrationView(database, migration.id)
    expect(read?.migration.waiting).toEqual(waiting)
  },
)
