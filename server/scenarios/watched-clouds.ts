import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import type { CloudUpload } from '@/forms/cloud'
import { openTestApi, type TestApi } from '../api/testing/api'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { boot, type CloudState, emptyCloud } from '../cloud/testing/cloud-state'
import { type ReplayedCloud, type ReplayOptions, replayCloud, yamlOf } from '../cloud/testing/replayed-cloud'
import type { WitnessedDomain } from '../engine/cloud/snapshot'
import { type Watcher, type WatcherParts, watchClouds } from '../watch/watcher'
import { cloudKey } from '../wiring/cloud-key'
import { openClouds } from '../wiring/clouds'
import type { CloudWitness } from '../wiring/witness'

// Replayed clouds on loopback, the watcher that polls them, and the API.

const begun = Date.UTC(2026, 10, 25, 12)
/** Time advances with each answer, for clouds and watcher alike, so that unchanged records soon count as settled. */
class AcceleratedClock {
  #passedMs = 0
  readonly monotonicMs = () => this.#passedMs

  carry(state: CloudState): CloudState {
    const get = () => {
      this.#passedMs += 20_000
      return begun + this.#passedMs
    }
    return Object.defineProperty(state, 'clockMs', { get, set: () => {} })
  }
}

export const uploadOf = (cloud: ReplayedCloud, over: Partial<CloudUpload> = {}): CloudUpload => ({
  ...{ ...yamlOf(cloud), ca: null, cloud: null, region: null, interface: null, ...over },
})

/** Requests that are neither a GET nor the sign-in. */
export const writesIn = ({ log }: ReplayedCloud): readonly string[] =>
  log.filter((line) => !/^(GET |POST \/identity\/v3\/auth\/tokens$)/.test(line))

/** Shared by all tests of a file. */
export function watchedClouds(open?: (opened: TestApi) => CloudWitness, watch: Partial<WatcherParts> = {}) {
  const domains = new Map<string, readonly WitnessedDomain[] | null>()
  let witness: CloudWitness = {
    ask: async (hosts) =>
      new Map(hosts.flatMap(({ host }) => (domains.has(host) ? [[host, domains.get(host) ?? null]] : []))),
    read: async () => ({ did: 'unconnected' }),
  }
  process.env.BERTH_CLOUD_KEY = randomBytes(32).toString('base64')
  const api = onFreshDatabase(async (fresh) => {
    const opened = await openTestApi(fresh)
    witness = open?.(opened) ?? witness
    const clouds = openClouds(opened.database, witness)
    return Object.assign(opened, { services: Object.assign(opened.services, { clouds }) })
  })
  const clouds: ReplayedCloud[] = []
  const failures: string[] = []
  const time = new AcceleratedClock()
  let watcher: Watcher
  beforeAll(() => {
    watcher = watchClouds({
      ...{ database: api.database, owner: 'test', now: () => Date.now(), delayMs: 20, requestsPerSecond: 1_000 },
      monotonicMs: time.monotonicMs,
      witness: (hosts) => witness.ask(hosts),
      key: () => cloudKey(process.env),
      sendAction: (request, attribution) => api.services.clouds.act(request, attribution),
      notifications: new Map(),
      onError: (what, error) => void failures.push(`${what}: ${error}`),
      ...watch,
    })
    return () => watcher.stop()
  })
  afterAll(() => Promise.all(clouds.map(({ close }) => close())))

  /** Runs rounds until the condition holds. */
  async function watchedUntil<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
    for (let tries = 0; tries < 600; tries++) {
      await watcher.round(new AbortController().signal)
      const answer = await ask()
      if (answer) return answer
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`It did not come: ${failures.join('; ')}`)
  }
  const admin = () => api.as('admin').cloud
  return {
    api,
    admin,
    /** libvirt's answers by host; other hosts have no connection. */
    domains,
    watchedUntil,
    watcher: () => watcher,
    /** A cloud with one instance on each host. */
    cloudOf: async (hosts: number, options: ReplayOptions = {}): Promise<ReplayedCloud> => {
      const state = emptyCloud(hosts, begun)
      for (const { name } of state.providers) boot(state, name)
      const cloud = await replayCloud(time.carry(state), options)
      clouds.push(cloud)
      return cloud
    },
    add: async (name: string, cloud: ReplayedCloud) =>
      (await admin().add({ name, upload: uploadOf(cloud), reason: 'we run it' })).cloud,
    /** Waits until it was read once. */
    reached: (id: string) =>
      watchedUntil(async () => {
        const view = await admin().byId({ id })
        return view.status?.counts ? view : null
      }),
  }
}
