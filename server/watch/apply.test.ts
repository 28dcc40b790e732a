import { afterEach, expect, test, vi } from 'vitest'
import { type CloudClient, openCloud } from '../cloud/client'
import { CloudError } from '../cloud/http/errors'
import { openTransport } from '../cloud/http/transport'
import { CloudMirror } from '../cloud/mirror/mirror'
import {
  beginMigration,
  boot,
  type CloudState,
  emptyCloud,
  hold,
  remove,
  writeRecord,
} from '../cloud/testing/cloud-state'
import { type ReplayedAnswer, type ReplayedCloud, replayCloud } from '../cloud/testing/replayed-cloud'
import { deleteProvider } from '../engine/cloud/action-repairs'
import { releaseEnded } from '../engine/cloud/allocation-repairs'
import { type CloudFacts, DEFAULT_SETTINGS, factsOf } from '../engine/cloud/facts'
import { BLANK_DRAFT, type CloudFinding } from '../engine/cloud/finding'
import type { CloudRepair } from '../engine/cloud/repair'
import { applyCalls } from './apply'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Plan {
  readonly state: CloudState
  readonly repairOf: (facts: CloudFacts) => CloudRepair
  readonly consumers?: readonly string[]
  /** Just before the call is sent. */
  readonly begin?: (cloud: ReplayedCloud, client: CloudClient) => void
  readonly answers?: Readonly<Record<string, ReplayedAnswer>>
}

/** Plans the repair from a whole pass; sends it after the change, which happened a moment later. */
async function applied({ state, repairOf, consumers = [], begin, answers = {} }: Plan, change: () => void) {
  const cloud = await replayCloud(state, { mostRows: 100, answers })
  const client = await openCloud(cloud.settings, { requestsPerSecond: 1_000 })
  const transport = await openTransport(cloud.settings.tls)
  closing.push(cloud.close, () => client.close(), transport.close)
  const mirror = new CloudMirror(client)
  await mirror.whole()
  await mirror.readConsumers(consumers)
  const snapshot = mirror.snapshot()
  const repair = repairOf(factsOf(snapshot, DEFAULT_SETTINGS))
  if (repair.kind === 'none') throw new Error(repair.reason)
  const wait = async (ms: number) => {
    state.clockMs += ms
  }
  await wait(5_000)
  change()
  const [outcome] = await applyCalls({
    ...{ snapshot, calls: repair.calls, note: async () => {} },
    begin: async () => {
      begin?.(cloud, client)
      return null
    },
    ...{ deadHosts: async () => new Map(), domains: async () => new Map() },
    access: { client, transport, wait },
  })
  const sent = cloud.log.filter((line) => !/^GET|auth\/tokens/.test(line))
  return { did: outcome?.did, says: outcome?.says, limitedMs: outcome?.limitedMs, sent }
}

const AT = Date.UTC(2026, 10, 25, 12)

test.each<[title: string, change: (state: CloudState) => void, did: string, says: RegExp]>([
  ['is sent if nothing has changed', () => {}, 'sent', /answered 204/],
  [
    'is not sent once something is allocated from it',
    (state) => hold(state, { host: 'cmp2', consumer: state.newId(), flavor: 'f1' }),
    'not-sent',
    /in use now/,
  ],
  [
    'is not sent once it has another generation',
    ({ providers }) => {
      for (const provider of providers) provider.generation++
    },
    'not-sent',
    /changed/,
  ],
])('the deletion of a provider %s', async (_, change, did, says) => {
  const state = emptyCloud(2, AT)
  const id = state.providers[1]?.uuid ?? ''
  const outcome = await applied({ state, repairOf: (facts) => deleteProvider(facts, id) }, () => change(state))
  expect(outcome).toMatchObject({ did, says: expect.stringMatching(says) })
  expect(outcome.sent).toEqual(did === 'sent' ? [`DELETE /placement/resource_providers/${id}`] : [])
})

test.each([
  ['is sent if nothing has changed', null, 'sent'],
  ['is not sent once its record was written', 'completed', 'not-sent'],
] as const)('a release of a migration whose instance was deleted %s', async (_, status, did) => {
  const state = emptyCloud(2, AT)
  const server = boot(state, 'cmp1')
  const migration = beginMigration(state, server, 'cmp2')
  writeRecord(state, migration, 'error')
  remove(state, server)
  const { uuid } = migration
  const finding: CloudFinding = {
    ...BLANK_DRAFT,
    kind: 'ended-migration-holds-allocation',
    object: { type: 'migration', id: uuid, name: uuid },
    ...{ cause: '', evidence: [], print: '', group: 1, title: '' },
    severity: 'warning',
  }
  const plan = { state, repairOf: (facts: CloudFacts) => releaseEnded(facts, finding), consumers: [uuid] }
  const outcome = await applied(plan, () => status && writeRecord(state, migration, status))
  expect(outcome.did).toBe(did)
  expect(outcome.sent).toHaveLength(did === 'sent' ? 1 : 0)
})

const SIGN_IN = { service: 'identity', method: 'POST', path: '/auth/tokens' } as const

test.each([
  ['does not answer', { kind: 'timed-out', what: 'no answer within 5 s' }],
  ['refuses the account', { kind: 'not-authenticated', what: 'answers 401', status: 401 }],
] as const)('a call is not sent if its token was revoked and Keystone %s', async (_, fault) => {
  const state = emptyCloud(2, AT)
  const id = state.providers[1]?.uuid ?? ''
  const begin = (cloud: ReplayedCloud, client: CloudClient) => {
    cloud.fail([401])
    const token = client.token.bind(client)
    const signIn = vi.spyOn(client, 'token').mockRejectedValue(new CloudError(SIGN_IN, fault))
    signIn.mockImplementationOnce(token)
  }
  const outcome = await applied({ state, repairOf: (facts) => deleteProvider(facts, id), begin }, () => {})
  expect(outcome).toMatchObject({ did: 'not-sent', says: expect.stringContaining('Keystone POST /auth/tokens') })
  expect(state.providers.map(({ uuid }) => uuid)).toContain(id)
})

test.each<[status: number, retryAfterS: number | undefined, did: string, limitedMs: number | null]>([
  [429, 60, 'not-sent', 60_000],
  [429, undefined, 'not-sent', 0],
  [503, 60, 'unknown', 60_000],
  [503, undefined, 'unknown', null],
  [409, undefined, 'refused', null],
])(
  'a call answered %d with Retry-After %s is %s and limits the cloud for %s ms',
  async (status, retryAfterS, did, limitedMs) => {
    const state = emptyCloud(2, AT)
    const id = state.providers[1]?.uuid ?? ''
    const answers = {
      [`DELETE /placement/resource_providers/${id}`]: { status, ...(retryAfterS !== undefined && { retryAfterS }) },
    }
    const outcome = await applied({ state, repairOf: (facts) => deleteProvider(facts, id), answers }, () => {})
    expect(outcome).toMatchObject({ did, limitedMs })
  },
)
