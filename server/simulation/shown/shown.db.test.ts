import { afterAll, beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase, type Database } from '../../store/database/database'
import { fillTables, type RunningServer, startOn } from '../corruption/fixture'
import type { Subjects } from '../corruption/inputs'
import { allMutations, allQueries, type Visit } from '../corruption/visitor'
import { choicesOf } from './inputs'
import { faultsIn, type NamesById, namedThings } from './judge'

// No raw id where a name exists, and no badly joined sentences, in the responses of all queries and mutations. The
// fleet has migrations, a drain, a rollout, findings, repairs, proposals and history.

const database = onFreshDatabase(({ url }) => connectDatabase({ url, connections: 1 }))
let running: RunningServer
let subjects: Subjects
let named: NamesById
beforeAll(async () => {
  const cookie = await fillTables(database.url)
  running = await startOn(database.url, cookie)
  subjects = await everySubject(database)
  named = await namedThings(database)
}, 120_000)
afterAll(async () => {
  await running.berth.stop()
})

const MAX_SUBJECTS = 3

async function everySubject({ pool }: Database): Promise<Subjects> {
  const ids = async (from: string) => {
    const { rows } = await pool.query<{ id: string }>(`select id::text from ${from} limit ${MAX_SUBJECTS}`)
    return rows.map(({ id }) => id)
  }
  return {
    host: await ids('host order by name'),
    // Instances with a migration first: there is more text about them.
    instance: await ids('instance i order by exists (select 1 from migration where instance_id = i.id) desc, name'),
    migration: await ids('migration order by outcome nulls first, id'),
    finding: await ids('finding order by closed_at nulls first, id'),
    heal: await ids('heal_plan order by id'),
    run: await ids('run order by id'),
    provider: await ids('resource_provider order by parent_id nulls first, name'),
    at: Date.now() - 1_000,
  }
}

/** Output for programs, where ids are expected. */
const RAW = /^(?:bundle\.create|finding\.audit)\b/

function complaints(visits: readonly Visit[]): readonly string[] {
  const found = visits
    .filter(({ what }) => !RAW.test(what))
    .flatMap(({ what, body }) =>
      faultsIn(JSON.parse(body), named).map(({ at, text, why }) => `${what.split(' ')[0]} ${at}: ${why}: ${text}`),
    )
  return [...new Set(found)].map((each) => each.slice(0, 300))
}

test('no query returns the id of an object with a name, or badly joined sentences', async () => {
  const visits = await allQueries(running.visitor, subjects)
  expect(visits.filter(({ status }) => status === 200).length).toBeGreaterThan(100)
  expect(complaints(visits)).toEqual([])
})

/** Mutations that could end the session or the user of this test. */
const LEFT_OUT = /^(?:session|user)\./

test('no mutation or refusal returns one either', async () => {
  const visits = await allMutations(running.visitor, (path, inputs) =>
    LEFT_OUT.test(path) ? [] : choicesOf(path, inputs, subjects),
  )
  const refusing = visits.flatMap(({ what, status }) => (status >= 400 ? [what.split(' ')[0]] : []))
  expect(new Set(visits.map(({ what }) => what.split(' ')[0])).size).toBeGreaterThan(20)
  expect(new Set(refusing).size).toBeGreaterThan(10)
  expect(complaints(visits)).toEqual([])
})
