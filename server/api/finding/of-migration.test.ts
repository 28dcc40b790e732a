import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { build, newMigrationId, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// A migration relies on its instance's record, so findings on the instance are shown on its page too.

const api = onFreshDatabase(openTestApi)
const sql = (text: string, values: readonly unknown[] = []) => api.database.pool.query(text, [...values])

test('findings of a migration are those of its instance too, whatever wrote the wrong record', async () => {
  const { id: host } = await putHost(api.database, smallHost({ n: 1 }))
  await putHost(api.database, smallHost({ n: 2 }))
  const web = await build(api.database, host, { name: 'web' })
  const other = await build(api.database, host, { name: 'other' })
  await sql(`update instance set vm_state = 'active'`)
  await api.settle()
  const { migration } = await api.as('operator').migrate.start({ instance: web, operation: 'cold-migrate' })
  const found = async (of: string) => {
    const { rows } = await api.as('viewer').finding.list({ migration: of })
    return rows.map(({ instance, migration: about }) => [instance?.id, about])
  }
  const note = (instance: string, about: string | null) =>
    sql(
      `insert into finding (id, fingerprint, kind, severity, confidence, instance_id, migration_id, body, first_seen_at,
         last_seen_at)
       values ($1::uuid, $1::text, 'unit-held-twice', 'critical', 'sure', $2, $3, '{"of": {}, "stamp": ""}', now(), now())`,
      [randomUUID(), instance, about],
    )
  await note(other, null)
  expect(await found(migration)).toEqual([])
  await note(web, null)
  expect(await found(migration)).toEqual([[web, null]])
  await note(web, migration)
  expect(await found(migration)).toHaveLength(2)
  expect(await found(newMigrationId())).toEqual([])
})
