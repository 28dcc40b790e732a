import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { connectDatabase } from '../database/database'
import { ACTOR, AT, putHost } from '../testing/records'
import { noteOrder, noteOrdered, noteReading, readLatestFencing, startFencing } from './fencing'

const database = onFreshDatabase(connectDatabase)

test('a late answer to an order does not replace that to a later order of another server', async () => {
  const host = (await putHost(database, smallHost({ n: 1 }))).id
  const id = randomUUID()
  const note = (says: string) => ({ id, says, actor: ACTOR, at: AT })
  const times = { approved: null, deadlineAt: AT + 60_000, actor: ACTOR, at: AT }
  await startFencing(database, { id, host, method: 'redfish', ...times })
  expect(await noteOrder(database, { ...note('power-off ordered'), orders: 0 })).toBe(true)
  expect(await noteOrder(database, { ...note('power-off ordered'), orders: 1 })).toBe(true)
  expect(await noteOrdered(database, { ...note('ForceOff answered 204'), orders: 2, accepted: true })).toBe(true)
  expect(await noteOrdered(database, { ...note('refused'), orders: 1, accepted: false })).toBe(false)
  const row = await readLatestFencing(database, host)
  expect(row).toMatchObject({ orders: 2, accepted: true })
  expect(row?.log.map(({ says }) => says)).not.toContain('refused')
})

test('what a machine says is noted even when PostgreSQL cannot store all of it: the fencing goes on', async () => {
  const host = (await putHost(database, smallHost({ n: 2 }))).id
  const id = randomUUID()
  const times = { approved: null, deadlineAt: AT + 60_000, actor: ACTOR, at: AT }
  await startFencing(database, { id, host, method: 'redfish', ...times })
  // A BMC that pads its state, and the end of an output that was cut inside a character.
  for (const says of ['power state On\u0000', '\udd0c switched off'])
    await noteReading(database, { id, says, actor: ACTOR, at: AT })
  const row = await readLatestFencing(database, host)
  expect(row?.log.map(({ says }) => says)).toEqual(['power state On ', '  switched off'])
})
