import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { BLANK } from '../../engine/audit/finding'
import { rolloutChange } from '../../engine/layout/change'
import { newRollout } from '../../engine/layout/rollout'
import { hostId, smallHost } from '../../engine/testing/hosts'
import type { InstanceId } from '../../engine/words/ids'
import { addCloud } from '../../store/cloud/cloud'
import { commit } from '../../store/commit/commit'
import { connectDatabase, type Database } from '../../store/database/database'
import { putPlan } from '../../store/heal/plan'
import { putProposal } from '../../store/proposal/proposal'
import { writeRun } from '../../store/run/write'
import { ACTOR, AT, acceptMigration, build, putHost } from '../../store/testing/records'
import { contextFor } from '../http/endpoints'
import type { ProcedureMeta } from '../procedure/procedure'
import { appRouter } from '../router'
import { HOST, openTestApi } from '../testing/api'
import { CAPABILITIES, type Capability, ROLES, type Role } from './roles'

// Compares the server's decision about every write with one worked out by hand from the user's roles on the objects
// that the input names. Nothing can be written meanwhile, so every decision starts from the same state.

const api = onFreshDatabase(openTestApi)

/** Hosts by number, in their zones. */
const ZONES: Readonly<Record<number, string | null>> = { 1: 'az1', 2: 'az1', 3: 'az2', 4: null }
type TouchedName = 'h1' | 'h2' | 'h3' | 'h4' | 'zone az1' | 'zone az2' | 'west' | 'east' | 'fleet'

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const CLOUDS = { west: uuid(901), east: uuid(902) }
const instances = new Map<number, InstanceId>()
const migrations: Record<string, string> = {}
const RUNS = { whole: uuid(911), az1: uuid(912) }
const PLAN = uuid(921)
const FINDINGS: Readonly<Record<number, string>> = { 1: uuid(931), 3: uuid(933) }
const PROPOSALS = { h1: uuid(941), h3: uuid(943), heal: uuid(944) }
const CONSUMER = uuid(951)
const ROLLOUT = uuid(961)

let readOnly: Database

beforeAll(async () => {
  const { database } = api
  for (const n of [1, 2, 3, 4]) {
    await putHost(database, { ...smallHost({ n, cells: 2, cores: 8 }), zone: ZONES[n] ?? null })
    instances.set(n, await build(database, hostId(n), { name: `web-${n}` }))
  }
  await moving(1, 3)
  await moving(2, 1)
  await inTables(database)
  await api.settle()
  readOnly = connectDatabase({ url: readOnlyUrl(database.url) })
})
afterAll(() => readOnly?.close())

/** As a role that may read. A read-only transaction would be taken for a demoted server, and its connection closed. */
function readOnlyUrl(url: string): string {
  const option = encodeURIComponent('-c role=pg_read_all_data')
  return `${url}${url.includes('?') ? '&' : '?'}options=${option}`
}

async function moving(from: number, to: number): Promise<void> {
  const migration = await acceptMigration(api.database, instances.get(from)!)
  await api.database.pool.query('update migration set requested_target = $2 where id = $1', [migration.id, hostId(to)])
  migrations[`${from}${to}`] = migration.id
}

const PART = {
  ...{ fingerprint: 'f', title: 't', locked: null, givesBack: [] },
  finding: { ...BLANK, kind: 'usage-mismatch', expected: 'one', found: 'another' },
  guards: { providers: [], instance: null, migration: null },
}

async function planInTables(database: Database): Promise<void> {
  const line = (host: number | null, key: object) => ({
    row: 'allocation',
    key,
    before: null,
    after: { amount: 1 },
    host,
    why: '',
  })
  const parts = [
    { lines: [line(null, { consumer: uuid(1), provider: hostId(1), resourceClass: 'VCPU' })] },
    { lines: [{ ...line(null, { host: hostId(3), unit: 'cpu:1' }), row: 'unit-holding' }] },
    { lines: [{ ...line(null, { id: migrations['13'] }), row: 'migration' }] },
    { lines: [line(null, { consumer: uuid(1), provider: uuid(999), resourceClass: 'VCPU' })] },
  ]
  await putPlan(database, {
    ...{ id: PLAN, madeBy: 'somebody', at: AT, undoOf: null, replaces: null, foreseen: null },
    parts: parts.map((part, at) => ({
      n: at + 1,
      finding: FINDINGS[1]!,
      part: { ...PART, ...part },
      changed: [],
    })),
  })
}

async function inTables(database: Database): Promise<void> {
  const sql = (text: string, values: unknown[]) => database.pool.query(text, values)
  for (const [name, id] of Object.entries(CLOUDS))
    await addCloud(database, { id, name, settings: {}, secret: Buffer.from('sealed') } as never, {
      actor: ACTOR,
      at: AT,
    })
  const draft = { kind: 'drain', host: hostId(1), state: 'draft', fallback: 'stay', others: false } as const
  for (const [id, within] of [
    [RUNS.whole, []],
    [RUNS.az1, ['zone:az1']],
  ] as const)
    await writeRun(database, {
      run: { id, generation: 0 },
      set: { ...draft, within, planVersion: 1, tookMs: 1, ...ACTOR, createdAt: AT },
      ...{ event: { kind: 'run.planned', hosts: [hostId(1)], data: {} }, actor: ACTOR, at: AT },
    })
  for (const [n, id] of Object.entries(FINDINGS))
    await sql(
      `insert into finding (id, fingerprint, kind, severity, confidence, host_id, body, first_seen_at, last_seen_at)
       values ($1, $3, 'usage-mismatch', 'warning', 'sure', $2, '{"stamp": "x", "of": {}}', now(), now())`,
      [id, hostId(Number(n)), `test ${n}`],
    )
  await planInTables(database)
  const asked = {
    status: null,
    plan: null,
    consumer: null,
    generation: null,
    writtenAt: null,
    cloud: null,
    request: null,
    parts: [],
    ...{ actor: ACTOR, byId: 'somebody' },
    at: Date.now(),
    expiresAt: Date.now() + 3_600_000,
  }
  await putProposal(database, { ...asked, id: PROPOSALS.h1, kind: 'host-status', host: hostId(1), status: 'down' })
  await putProposal(database, { ...asked, id: PROPOSALS.h3, kind: 'fencing', host: hostId(3) })
  await putProposal(database, { ...asked, id: PROPOSALS.heal, kind: 'heal', host: null, plan: PLAN, parts: [1, 2] })
  // Reading proposals expires the old ones, which is a write: the others stay as they are.
  await sql(
    `create function stay() returns trigger language plpgsql as $$ begin raise 'nothing is written here'; end $$`,
    [],
  )
  await sql('create trigger stay before update on proposal for each row execute function stay()', [])
  await sql(`insert into consumer (id, type, owner_kind, owner_name) values ($1, 'INSTANCE', 'token', 'nova')`, [
    CONSUMER,
  ])
  await sql(
    `insert into allocation (consumer_id, provider_id, resource_class, amount) values ($1, $2, 'MEMORY_MB', 1)`,
    [CONSUMER, hostId(3)],
  )
  const rollout = newRollout({ id: ROLLOUT, hosts: [hostId(1), hostId(2)], by: 'somebody', reason: 'r', at: AT })
  expect(await commit(database, rolloutChange(null, rollout, { actor: ACTOR, at: AT }))).toMatchObject({ ok: true })
}

/** Expected objects of an input; `chosen`: and a host of the scheduler's choice. */
interface Case {
  readonly input: object
  readonly touches: readonly TouchedName[]
  readonly chosen?: true
  /** Where the input requires more than the procedure itself. */
  readonly needs?: Capability
}

const host = (n: number): TouchedName => `h${n}` as TouchedName
const reason = 'because'
const eachHost = (make: (n: number) => object, needs?: Capability): readonly Case[] =>
  [1, 2, 3, 4].map((n) => ({ input: make(n), touches: [host(n)], ...(needs && { needs }) }))
const eachInstance = (make: (id: InstanceId) => object): readonly Case[] =>
  [1, 3, 4].map((n) => ({ input: make(instances.get(n)!), touches: [host(n)] }))
const eachMigration = (make: (id: string) => object): readonly Case[] => [
  { input: make(migrations['13']!), touches: ['h1', 'h3'] },
  { input: make(migrations['21']!), touches: ['h2', 'h1'] },
]
const eachCloud = (make: (id: string) => object): readonly Case[] =>
  (['west', 'east'] as const).map((name) => ({ input: make(CLOUDS[name]), touches: [name] }))
const eachRun = (make: (id: string) => object, reaches: boolean): readonly Case[] => [
  { input: make(RUNS.whole), touches: reaches ? ['h1', 'fleet'] : ['h1'] },
  { input: make(RUNS.az1), touches: reaches ? ['h1', 'zone az1'] : ['h1'] },
]
const shape = { flavor: 'none', image: 'none' }

const CASES: Readonly<Record<string, () => readonly Case[]>> = {
  'host.setStatus': () => eachHost((n) => ({ id: hostId(n), status: 'down', reason })),
  'host.setScheduling': () => eachHost((n) => ({ id: hostId(n), scheduling: 'disabled', reason })),
  'host.setMemory': () => eachHost((n) => ({ id: hostId(n), policy: 'nova', reason })),
  'host.fence': () => eachHost((n) => ({ id: hostId(n), reason })),
  'instance.build': () => [
    ...eachHost((n) => ({ name: 'new', project: 'p', ...shape, host: hostId(n) })),
    { input: { name: 'new', project: 'p', ...shape }, touches: [], chosen: true },
  ],
  'instance.delete': () => eachInstance((id) => ({ id, reason })),
  'power.request': () => [
    ...eachInstance((id) => ({ ids: [id], action: 'stop', reason })),
    { input: { ids: [instances.get(1), instances.get(3)], action: 'stop', reason }, touches: ['h1', 'h3'] },
    { input: { ids: [instances.get(1), instances.get(2)], action: 'stop', reason }, touches: ['h1', 'h2'] },
  ],
  'power.startReturned': () => eachHost((n) => ({ host: hostId(n), reason })),
  'power.removeLeftover': () => eachHost((n) => ({ host: hostId(n), instance: uuid(1), reason })),
  'power.adopt': () => eachHost((n) => ({ host: hostId(n), instance: uuid(1), name: 'x', project: 'p', ...shape })),
  'power.setRule': () => eachHost((n) => ({ host: hostId(n), on: true, reason })),
  'migrate.start': () => [
    { input: { instance: instances.get(1), operation: 'live-migrate', host: hostId(2) }, touches: ['h1', 'h2'] },
    { input: { instance: instances.get(1), operation: 'live-migrate', host: hostId(3) }, touches: ['h1', 'h3'] },
    { input: { instance: instances.get(3), operation: 'live-migrate', host: hostId(1) }, touches: ['h3', 'h1'] },
    { input: { instance: instances.get(1), operation: 'live-migrate' }, touches: ['h1'], chosen: true },
  ],
  'migrate.measureMemory': () => eachInstance((instance) => ({ instance, reason })),
  'migration.requestAction': () => [
    ...eachMigration((id) => ({ ids: [id], requestedAction: 'abort', reason })),
    { input: { ids: Object.values(migrations), requestedAction: 'abort', reason }, touches: ['h1', 'h2', 'h3'] },
  ],
  'migration.limitTransfer': () => eachMigration((id) => ({ id, bandwidthMibPerS: 1, maxDowntimeMs: null, reason })),
  'run.plan': () => [
    ...eachHost((n) => ({ kind: 'drain', host: hostId(n), fallback: 'stay', helpers: true, reason }), 'operate'),
    ...eachHost((n) => ({ kind: 'evacuation', host: hostId(n), fallback: 'stay', helpers: true, reason })),
  ],
  'run.start': () => eachRun((id) => ({ id, reason }), true).map((each) => ({ ...each, needs: 'operate' })),
  'run.control': () => [
    ...eachRun((id) => ({ id, do: 'pause' }), false),
    ...eachRun((id) => ({ id, do: 'stop' }), false),
    ...eachRun((id) => ({ id, do: 'resume' }), true),
    ...eachRun((id) => ({ id, do: 'replan' }), true),
  ],
  'run.controlMigration': () => eachRun((id) => ({ id, n: 1, do: 'skip' }), true),
  'layout.convert': () => eachHost((n) => ({ host: hostId(n), reason })),
  'layout.startRollout': () => [
    { input: { hosts: 'all', reason }, touches: ['fleet'] },
    { input: { hosts: [hostId(1), hostId(2)], reason }, touches: ['h1', 'h2'] },
    { input: { hosts: [hostId(2), hostId(3)], reason }, touches: ['h2', 'h3'] },
  ],
  'layout.control': () => [{ input: { wave: ROLLOUT, do: 'pause' }, touches: ['h1', 'h2'] }],
  'simulator.fault': () => [
    ...eachHost((n) => ({ do: 'clear-faults', host: hostId(n) })),
    ...eachInstance((instance) => ({ do: 'crash', instance })),
  ],
  'finding.audit': () => [{ input: {}, touches: ['fleet'] }, ...eachHost((n) => ({ host: hostId(n) }))],
  'heal.plan': () => [
    { input: { findings: [FINDINGS[1]] }, touches: ['h1'] },
    { input: { findings: [FINDINGS[1], FINDINGS[3]] }, touches: ['h1', 'h3'] },
  ],
  'heal.applyParts': () => [
    { input: { id: PLAN, parts: [1], reason }, touches: ['h1'] },
    { input: { id: PLAN, parts: [2], reason }, touches: ['h3'] },
    { input: { id: PLAN, parts: [3], reason }, touches: ['h1', 'h3'] },
    { input: { id: PLAN, parts: [4], reason }, touches: ['fleet'] },
    { input: { id: PLAN, parts: [1, 2], reason }, touches: ['h1', 'h3'] },
  ],
  'heal.undo': () => [{ input: { id: PLAN }, touches: ['h1', 'h3', 'fleet'] }],
  'proposal.create': () => eachHost((n) => ({ host: hostId(n), status: 'down', reason })),
  'proposal.decide': () => [
    { input: { id: PROPOSALS.h1, approve: false, reason }, touches: ['h1'] },
    { input: { id: PROPOSALS.h3, approve: true, reason }, touches: ['h3'] },
    { input: { id: PROPOSALS.heal, approve: true, reason }, touches: ['h1', 'h3'] },
  ],
  'consumer.release': () => [{ input: { id: CONSUMER, generation: 1, writtenAt: null, reason }, touches: ['h3'] }],
  'cloud.repair': () => eachCloud((id) => ({ id, finding: 'x', print: 'p', reason })),
  'cloud.change': () => eachCloud((id) => ({ id, mayAct: true, reason })),
  'cloud.remove': () => eachCloud((id) => ({ id, reason })),
  'cloudAction.request': () => eachCloud((id) => ({ id, verb: 'stop', subject: 'x', print: 'p', reason })),
  'cloudAction.fence': () => eachCloud((id) => ({ id, host: 'x', fenced: true, reason })),
  'cloudDrain.start': () => eachCloud((id) => ({ id, host: 'x', cold: true, most: 1, reason })),
  'cloudDrain.stop': () => eachCloud((id) => ({ id, host: 'x', reason })),
}

const metas = new Map(
  Object.entries(appRouter._def.procedures).map(([path, procedure]) => [
    path,
    (procedure as never as { _def: { meta: ProcedureMeta } })._def.meta,
  ]),
)

test('every write that touches parts of the fleet has test cases', () => {
  const touching = [...metas].flatMap(([path, { scope }]) => (scope === 'touched' ? [path] : []))
  expect(Object.keys(CASES).sort()).toEqual(touching.sort())
})

const PARTS = ['zone:az1', 'zone:az2', 'host:h1', 'host:h3', 'host:h4', 'cloud:west'] as const
type Part = (typeof PARTS)[number]

const COVERS: { readonly [P in Part]: readonly TouchedName[] } = {
  'zone:az1': ['h1', 'h2', 'zone az1'],
  'zone:az2': ['h3', 'zone az2'],
  'host:h1': ['h1'],
  'host:h3': ['h3'],
  'host:h4': ['h4'],
  'cloud:west': ['west'],
}

interface Holder {
  readonly role: Role
  readonly grants: readonly { readonly role: Role; readonly part: Part }[]
}

function naive({ role, grants }: Holder, capability: Capability, { touches, chosen }: Case): boolean {
  const isEnough = (each: Role) => (CAPABILITIES[capability] as readonly Role[]).includes(each)
  if (isEnough(role)) return true
  const enough = grants.filter((grant) => isEnough(grant.role))
  if (chosen && touches.length === 0) return enough.length > 0
  return touches.every((place) => enough.some(({ part }) => COVERS[part].includes(place)))
}

async function isRefused({ role, grants }: Holder, path: string, input: object): Promise<boolean> {
  const never = () => Promise.reject(new Error('nothing is written here'))
  const services = {
    ...{ ...api.services, database: path === 'proposal.decide' ? api.database : readOnly, commit: never },
    audit: { ...api.services.audit, auditing: { audit: never }, healing: { plan: never, apply: never, undo: never } },
  } as never as typeof api.services
  const texts = grants.map((grant) => `${grant.role}@${grant.part}`)
  const id = randomUUID()
  const named = { id, account: id, session: 'none', username: 'holder', name: 'Holder', email: '' }
  const context = contextFor(new Headers({ host: HOST }), services)
  const caller = appRouter.createCaller({ ...context, user: async () => ({ ...named, role, grants: texts }) })
  const [noun = '', verb = ''] = path.split('.')
  const asked = (caller as never as Record<string, Record<string, (input: object) => Promise<unknown>>>)[noun]![verb]!
  return asked(input).then(
    () => false,
    (error: { code?: string }) => {
      expect(error.code, `${path} ${JSON.stringify(input)}`).not.toBe('BAD_REQUEST')
      return error.code === 'FORBIDDEN'
    },
  )
}

const holders: fc.Arbitrary<Holder> = fc.record({
  role: fc.constantFrom(...ROLES),
  grants: fc.uniqueArray(
    fc.record({ role: fc.constantFrom<Role>('support', 'operator', 'admin'), part: fc.constantFrom(...PARTS) }),
    { selector: ({ part }) => part, maxLength: 4 },
  ),
})

test.each(Object.keys(CASES))('%s is decided by the roles on everything it touches', async (path) => {
  const all = CASES[path]!()
  const own = metas.get(path)!.capability
  await fc.assert(
    fc.asyncProperty(holders, fc.constantFrom(...all), async (holder, asked) => {
      const mayDo = naive(holder, own, asked) && naive(holder, asked.needs ?? own, asked)
      expect({ asked, holder, refused: await isRefused(holder, path, asked.input) }).toEqual({
        asked,
        holder,
        refused: !mayDo,
      })
    }),
    { numRuns: 40 },
  )
})
