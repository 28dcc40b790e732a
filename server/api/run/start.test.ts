import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { putSetting } from '../../store/catalog/policy'
import { putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

const api = onFreshDatabase((fresh) => openTestApi(fresh))
afterEach(() => void vi.restoreAllMocks())

let n = 0
/** A drain as it was planned. */
async function planned(): Promise<string> {
  const { id: host } = await putHost(api.database, smallHost({ n: ++n }))
  await api.settle()
  const ask = { kind: 'drain', host, fallback: 'cold', helpers: true, reason: 'new memory' } as const
  return (await api.as('operator').run.plan(ask)).run
}

/** Runs this once, just before a run is started in the tables. */
function beforeStart(work: () => Promise<unknown>): void {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (this: pg.Client, ...args: unknown[]) {
    if (typeof args[0] === 'string' && args[0].startsWith('update run set')) {
      vi.restoreAllMocks()
      await work()
    }
    return query.apply(this, args)
  } as never)
}

const startedBy = async (id: string) =>
  (
    await api.database.pool.query("select who from audit_entry where action = 'run.started' and data ->> 'run' = $1", [
      id,
    ])
  ).rows

test('a drain that is stopped while it is started is not reported as started', async () => {
  const id = await planned()
  beforeStart(() => api.as('admin').run.control({ id, do: 'stop' }))
  await expect(api.as('operator').run.start({ id, reason: 'tonight' })).rejects.toThrow(/stopped/)
  expect(await startedBy(id)).toEqual([])
  expect(await api.as('viewer').run.byId({ id })).toMatchObject({ state: 'stopped' })
})

test('a drain that two operators start at once is started by one of them', async () => {
  const id = await planned()
  beforeStart(() => api.as('admin').run.start({ id, reason: 'now' }))
  await expect(api.as('operator').run.start({ id, reason: 'tonight' })).rejects.toThrow(/running/)
  expect(await startedBy(id)).toEqual([{ who: 'the_admin' }])
})

test('a host that came back since it was checked is not attested as fenced without a second person', async () => {
  await putSetting(api.database, 'second-person', ['fenced'])
  const { id: host, name } = await putHost(api.database, smallHost({ n: ++n }))
  await api.as('operator').host.setStatus({ id: host, status: 'down', reason: 'no answer' })
  await api.settle()
  const ask = { kind: 'evacuation', host, fallback: 'cold', helpers: true, reason: 'no answer' } as const
  const { run } = await api.as('operator').run.plan(ask)
  // What this server still believes while another one has marked the host as up or down.
  const { fleet } = api.services
  const known = fleet.host(host)!
  vi.spyOn(fleet, 'host').mockReturnValueOnce({ ...known, status: 'fenced' })
  const start = () => api.as('operator').run.start({ id: run, reason: 'no power', attest: name })
  await expect(start()).rejects.toThrow(/second person/)
  expect(await api.as('viewer').host.byId({ id: host })).toMatchObject({ status: 'down' })
  expect(await start()).toMatchObject({ proposal: expect.any(String) })
})
