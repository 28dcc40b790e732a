import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import type { InstanceId } from '../../engine/words/ids'
import { noteSurvey } from '../../store/survey/survey'
import { build, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// Every combination of records and reports of two hosts, judged by the row's own texts.

const [HOME, OTHER] = [hostId(1), hostId(2)]

const api = onFreshDatabase(openTestApi)
let web: InstanceId
let at = Date.now()
beforeAll(async () => {
  for (const n of [1, 2]) await putHost(api.database, smallHost({ n }))
  web = await build(api.database, HOME, { name: 'web-1' })
  await api.settle()
})

const rowOf = async (by: { host?: string; instance?: string }) => {
  const rows = await api.as('viewer').finding.drift(by)
  return rows.find(({ instance }) => instance.id === web)
}

test('no row agrees on a host that was never surveyed', async () => {
  expect(await rowOf({ instance: web })).toMatchObject({ hypervisor: 'h1 not surveyed yet', agreement: 'unknown' })
})

const STATES = ['active', 'stopped', 'error'] as const
const OBSERVED_STATES = ['running', 'stopped', 'none', 'silent'] as const
const cases = STATES.flatMap((state) =>
  OBSERVED_STATES.flatMap((home) => OBSERVED_STATES.map((other) => ({ state, home, other }))),
)

/** Recomputed from the texts of the row, not from its source values. */
function judged({ records, hypervisor }: { records: string; hypervisor: string }): string {
  const sure = hypervisor.split('; ').filter((part) => !/last answered|no answer|not surveyed/.test(part))
  const unsure = sure.length < hypervisor.split('; ').length
  const running = sure.filter((part) => part.startsWith('running')).length
  const off = sure.filter((part) => part.startsWith('shut down')).length
  const here = sure.some((part) => part.endsWith('on h1'))
  const elsewhere = sure.some((part) => part.endsWith('on h2'))
  if (elsewhere || (!unsure && !here)) return 'differ'
  if (records.startsWith('active') && off > 0) return 'differ'
  if (records.startsWith('stopped') && running > 0) return 'differ'
  return unsure ? 'unknown' : 'agree'
}

test.each(cases)('the verdict follows from the row: $state, $home on its host, $other on the other', async (each) => {
  await api.database.pool.query('update instance set vm_state = $2 where id = $1', [web, each.state])
  const domain = { instance: web, migration: null, claim: null } as const
  const answer = (host: typeof HOME, observedState: (typeof OBSERVED_STATES)[number]) => ({
    ...{ host, at },
    guests: observedState === 'silent' ? null : observedState === 'none' ? [] : [{ ...domain, observedState }],
  })
  at += 1
  // A silent host was first surveyed as empty, so that it shows no instance of an earlier case.
  await noteSurvey(api.database, [answer(HOME, 'none'), answer(OTHER, 'none')])
  at += 1
  await noteSurvey(api.database, [answer(HOME, each.home), answer(OTHER, each.other)])
  const row = (await rowOf({ host: HOME }))!
  expect(row.agreement, `${row.records} | ${row.hypervisor}`).toBe(judged(row))
  if (row.agreement === 'agree') expect(each.home).not.toBe('silent')
})
