import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { makeAudit } from '../../audit/audit'
import { type Auth, openAuth } from '../../auth/auth'
import { QUICK_HASHING } from '../../auth/testing/open'
import { healthChecks } from '../../engine/health/checks'
import type { HostId } from '../../engine/words/ids'
import { ProviderForest } from '../../fleet/candidates-forest'
import { openFleet } from '../../fleet/testing/open-fleet'
import { commit } from '../../store/commit/commit'
import { connectDatabase, type Database } from '../../store/database/database'
import { makePastReads } from '../../store/database/replica'
import type { EventFeed } from '../../store/event/feed'
import { readHealth } from '../../store/health/read'
import { TEST_ATTRIBUTION } from '../../store/testing/attribution'
import { createUser } from '../../store/user/user'
import { contextFor, type Endpoints, openEndpoints } from '../http/endpoints'
import { makeLimits } from '../limits/limits'
import { makeMetrics } from '../metrics/metrics'
import { ROLES, type Role } from '../permit/roles'
import { openPlacement, placementSettings } from '../placement/opened'
import { appRouter } from '../router'
import type { ApiServices } from '../services'
import type { SimulatorFault } from '../simulator/controls'
import { recordedCaller } from './recorded'
import { checkedByDocument } from './rest/answers'

// The API as wiring assembles it, on a real database, for tests: real sessions, the real projection, the real relay,
// stepped by hand. Only the simulator is a recorder of its calls.

export const HOST = 'berth.test'
export const PASSWORD = 'a password for tests'
export const METRICS_TOKEN = 'a token for scrapers'

export type Api = ReturnType<typeof appRouter.createCaller>

export interface TestApi {
  readonly services: ApiServices
  readonly database: Database
  readonly endpoints: Endpoints
  readonly faults: readonly SimulatorFault[]
  /** Hosts whose survey was requested. */
  readonly surveyed: readonly HostId[]
  /** The API for a signed-in user with that role. */
  as(role: Role): Api
  /** As a user with roles in parts of the fleet, such as `operator@zone:az1`. */
  holder(role: Role, ...grants: string[]): Api
  /** And without a session. */
  signedOut(): Api
  cookie(role: Role): string
  /** Resolves when everything committed is in the sequence and in the projection. */
  settle(): Promise<void>
  feed: EventFeed
  close(): Promise<void>
}

/** Real ones need hypervisors and clouds, which server/scenarios provides. */
const UNCONNECTED: Pick<ApiServices, 'clouds' | 'connections' | 'fencing' | 'transfers'> = {
  fencing: { methodOf: () => null, wake: () => {} },
  transfers: {
    limitsOf: async () => null,
    limit: async () => false,
    policyTo: async () => null,
    measure: async () => ({ why: 'no such host' }),
  },
  clouds: {
    choices: () => ({ did: 'read', clouds: [] }),
    probe: () => ({ did: 'busy' }),
    add: async () => ({ did: 'name-taken' }),
    reach: () => null,
    apply: async () => ({ did: 'gone' }),
    act: async () => ({ did: 'gone' }),
    watched: async () => new Map(),
    statuses: async () => new Map(),
    witness: async () => ({ did: 'unconnected' }),
  },
  connections: {
    files: async () => ({ sockets: [], pkiPaths: [], keyPaths: [], folders: [] }),
    refusalOf: async () => 'no connection is set up in this test',
    probe: () => null,
    add: async () => ({ did: 'changed' }),
  },
}

/** For a file of tests: `const api = onFreshDatabase(openTestApi)`. */
export async function openTestApi({ url }: { readonly url: string }, set: Partial<ApiServices> = {}): Promise<TestApi> {
  const database = connectDatabase({ url })
  const onFailure = (error: unknown) => {
    throw error
  }
  const { feed, fleet, settle, stop } = await openFleet(database, { pollMs: 50 })
  const forest = new ProviderForest(database)
  const auth = await openAuth({
    ...{ database, secret: null, publicUrl: null, adminPassword: PASSWORD, print: () => {} },
    limits: { perAddress: 10_000 },
    hashing: QUICK_HASHING,
  })
  const cookies = await signInAll(database, auth)
  const faults: SimulatorFault[] = []
  const surveyed: HostId[] = []
  const metrics = makeMetrics()
  const services: ApiServices = {
    ...{ auth, database, feed, fleet, forest, metricsToken: METRICS_TOKEN, version: 'test', startWarnings: [] },
    simulator: {
      fault: async (fault) => void faults.push(fault),
      host: async () => ({ power: 'running', bandwidthBytesPerS: 1e9, planned: [], missing: [], keptAttached: [] }),
      attachedTo: async () => null,
      dirtyBytesPerS: async () => 1e6,
    },
    ...UNCONNECTED,
    commit: (change) => fleet.commit(change, (each) => commit(database, each)),
    rules: async () => ({ policy: 'spread', demand: {}, confirmWindowMs: null }),
    audit: {
      ...makeAudit({ database, fleet, forest, demand: async () => ({}), now: set.now ?? (() => Date.now()) }),
      survey: async (hosts) => void surveyed.push(...(hosts ?? [])),
    },
    alarms: { open: ['webhook'], testEvent: (by) => ({ data: { by } }), wake: () => {} },
    health: { read: () => healthOf(database) },
    ...makeLimits({ database, onFailure }),
    metrics,
    past: makePastReads({ primary: database, replicaUrl: null, count: metrics.countPastRead }),
    placement: openPlacement({
      ...{ database, log: pino({ level: 'silent' }), now: set.now ?? (() => Date.now()), newId: () => randomUUID() },
      ...{ forest, chance: () => 0 },
      settings: placementSettings({}),
    }),
    log: pino({ level: 'silent' }),
    now: () => Date.now(),
    newId: () => randomUUID(),
    ...set,
  }
  const callerWith = (cookie: string | null) => {
    const context = contextFor(new Headers({ host: HOST, ...(cookie === null ? {} : { cookie }) }), services)
    return recordedCaller(appRouter.createCaller(context), { database, request: context.requestId })
  }
  return {
    ...{ services, database, faults, surveyed, feed, endpoints: checkedByDocument(openEndpoints(services)) },
    as: (role) => callerWith(cookies[role]),
    holder: (role, ...grants) => {
      const context = contextFor(new Headers({ host: HOST }), services)
      const named = { username: 'the_holder', name: 'The holder', email: 'holder@berth.test' }
      const token = { id: 'holder', account: 'holder', session: 'none', credential: 'token holder' }
      const person = { ...token, ...named, role, grants }
      return recordedCaller(appRouter.createCaller({ ...context, user: async () => person }), null)
    },
    signedOut: () => callerWith(null),
    cookie: (role) => cookies[role],
    settle,
    close: async () => {
      await services.sessionWatch.stop()
      await stop()
      await database.close()
    },
  }
}

async function healthOf(database: Database) {
  const facts = await readHealth(database, { surveyEveryMs: 60_000 })
  const limits = { outboxMs: 10_000, clockMs: 2_000, roundMs: 60_000, graceMs: 0 }
  return { facts, checks: healthChecks(facts, { expected: [], limits }) }
}

async function signInAll(database: Database, auth: Auth): Promise<Record<Role, string>> {
  const passwordHash = await auth.hashPassword(PASSWORD)
  const cookies: Partial<Record<Role, string>> = {}
  for (const role of ROLES) {
    const username = `the_${role}`
    await createUser(database, {
      ...{ username, name: `The ${role}`, email: `${role}@berth.test`, role, passwordHash },
      attribution: TEST_ATTRIBUTION,
    })
    cookies[role] = await signIn(auth, username)
  }
  return cookies as Record<Role, string>
}

/** Signs in like a browser and returns the session cookie. */
export async function signIn(auth: Auth, username: string): Promise<string> {
  const response = await auth.handle(
    new Request(`http://${HOST}/api/auth/sign-in/username`, {
      method: 'POST',
      headers: { host: HOST, origin: `http://${HOST}`, 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: PASSWORD }),
    }),
  )
  const [cookie] = response.headers.getSetCookie()
  if (!cookie) throw new Error(`${username} was not let in: ${response.status}`)
  return cookie.split(';')[0] ?? ''
}
