import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { putSetting } from '../../store/catalog/policy'
import { noteSurvey } from '../../store/survey/survey'
import { acceptMigration, build, putHost } from '../../store/testing/records'
import { openTestApi, PASSWORD } from '../testing/api'

// A support bundle has everything about a migration or a host, and no secret.

const PLANTED = {
  uri: 'planted-uri-password',
  setting: 'planted-setting-secret',
  reason: 'planted-reason-token',
  survey: 'planted-survey-password',
}

const api = onFreshDatabase(openTestApi)
let host: HostId
let migration: string
beforeAll(async () => {
  host = (await putHost(api.database, smallHost())).id
  const web = await build(api.database, host, { name: 'web-1' })
  const reason = `token=${PLANTED.reason} asked by phone`
  migration = (await acceptMigration(api.database, web, { actor: { who: 'olga', request: 'r-1', reason } })).id
  const { pool } = api.database
  await pool.query('update host set connection = $2 where id = $1', [
    ...[host, JSON.stringify({ uri: `qemu+tls://root:${PLANTED.uri}@h-1/system` })],
  ])
  await putSetting(api.database, 'mail', { password: PLANTED.setting, server: 'mail.example' })
  await noteSurvey(api.database, [{ host, at: Date.now(), guests: [domain(web)] }])
  await api.settle()
})

const domain = (instance: InstanceId) =>
  ({ instance, migration: null, observedState: 'running', claim: null, adminPass: PLANTED.survey }) as const

const made = async (ask: { migration?: string; host?: string }) => {
  const { name, text } = await api.as('support').bundle.create(ask)
  return { name, text, parcel: JSON.parse(text) }
}

describe('the bundle', () => {
  test('of a migration has its row, steps, events, entries, claims, surveys, findings and versions', async () => {
    const { name, parcel } = await made({ migration })
    expect(name).toMatch(/^berth-migration-[0-9a-f]{8}-[-0-9]+\.json$/)
    expect(parcel.made).toMatchObject({ by: 'the_support', berth: 'test' })
    expect(parcel.raw).toMatchObject({ instance: { name: 'web-1' }, migrations: [{ id: migration }] })
    expect(parcel.raw.schema).toContain('20261124224001_schema')
    expect(parcel.events.map(({ kind }: { kind: string }) => kind)).toContain('migration.accepted')
    expect(parcel.entries).toContainEqual(expect.objectContaining({ who: 'olga', request: 'r-1' }))
    expect(parcel.claims[0]).toMatchObject({ host: { id: host }, holdings: [expect.anything()] })
    expect(parcel.surveys[0]).toMatchObject({ host, answered: true, guests: [{ observedState: 'running' }] })
    expect(parcel.findings).toEqual({ open: [], closed: [] })
    expect(parcel.advice).toMatchObject({ subject: { kind: 'migration', id: migration } })
    expect(parcel.advice.actions.length).toBeGreaterThan(5)
  })

  test('of a host has everything it holds', async () => {
    const { name, parcel } = await made({ host })
    expect(name).toMatch(/^berth-host-h1-/)
    expect(parcel.claims[0].holdings).toHaveLength(1)
    expect(parcel.movesOfTheseHosts).toMatchObject([{ id: migration }])
  })

  test('contains no planted secret, and says that something was removed', async () => {
    const { rows } = await api.database.pool.query(`select
      (select string_agg(token, ' ') from auth_session) as sessions, (select string_agg(password, ' ') from auth_account) as hashes,
      (select value from auth_secret) as signing`)
    const stored = [...rows[0].sessions.split(' '), ...rows[0].hashes.split(' '), rows[0].signing]
    for (const ask of [{ migration }, { host }]) {
      const { text } = await made(ask)
      for (const secret of [...Object.values(PLANTED), PASSWORD, ...stored]) expect(text).not.toContain(secret)
      expect(text).toContain('[removed]')
    }
  })

  test('of an unknown subject is refused', async () => {
    await expect(made({})).rejects.toThrow(/a migration or a host/)
    await expect(made({ migration: randomUUID() })).rejects.toThrow(/no migration/)
  })
})
