import { type APIRequestContext, request as requests } from '@playwright/test'
import { mutateApi, queryApi } from '../api'
import { ADMIN, signIn } from '../users'
import { importHost, type RealFleet, startFleet } from './fleet'
import { POOL, volumesAt } from './pool'
import type { RigHost } from './rig-host'
import { stateDifferences } from './witness'

// A fleet of the rig for the fault matrix and the soak test, driven through Berth's API. After every round it waits
// until nothing is in progress.

const REASON = 'faults on the rig'
export const ENDS_WITHIN_MS = 600_000 // on a busy machine a killed Berth takes minutes to start again
const RESTS_WITHIN_MS = 300_000

/** Whether instances have a root disk. */
type RestingKind = 'bare' | 'withDisk'

/** Slow enough that a fault hits the transfer: of 24 MiB, or of a disk of 1 GiB. */
const BANDWIDTH: Readonly<Record<RestingKind, string>> = { bare: 'bandwidth=8', withDisk: 'bandwidth=60' }

export interface NamedRef {
  readonly id: string
  readonly name: string
}
export interface Instance extends NamedRef {
  readonly host: NamedRef | null
  readonly power: { readonly state: string } | null
}
export interface Migration {
  readonly step: string
  readonly outcome: string | null
  readonly waiting: { readonly for: string } | null
}
export interface MigrationStart {
  readonly instance: string
  readonly operation: string
  readonly target: string
}

export async function until<T>(what: string, limitMs: number, look: () => Promise<T | null>): Promise<T> {
  const end = performance.now() + limitMs
  for (;;) {
    const found = await look().catch(() => null)
    if (found !== null) return found
    if (performance.now() > end) throw new Error(`${what} did not come within ${limitMs / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export class RestingFleet {
  private constructor(
    readonly fleet: RealFleet,
    readonly api: APIRequestContext,
    private readonly kind: RestingKind,
  ) {}

  static async start(hosts: number, instances: readonly string[], kind: RestingKind = 'bare'): Promise<RestingFleet> {
    const fleet = await startFleet(hosts, { bare: [], withDisk: [], [kind]: instances })
    const started = new RestingFleet(fleet, await requests.newContext({ baseURL: fleet.server.origin }), kind)
    try {
      await started.prepare(instances)
      return started
    } catch (error) {
      await started.end()
      throw error
    }
  }

  async end(): Promise<void> {
    await this.api.dispose()
    await this.fleet.end()
  }

  readonly hosts = async () =>
    (
      await queryApi<{ rows: readonly (NamedRef & { status: string; scheduling: string })[] }>(
        this.api,
        'host.list',
        {},
      )
    ).rows
  readonly instances = async () => (await queryApi<{ rows: readonly Instance[] }>(this.api, 'instance.list', {})).rows
  readonly migration = (id: string) => queryApi<Migration>(this.api, 'migration.byId', { id })
  readonly machine = (name: string | undefined) => this.fleet.rig.hosts.find((host) => host.name === name) as RigHost

  private async prepare(instances: readonly string[]): Promise<void> {
    await signIn(this.api, ADMIN)
    for (const host of this.fleet.rig.hosts)
      await importHost(host, ['--apply', '--pool', POOL, '--migration', BANDWIDTH[this.kind]])
    for (const { id } of await this.hosts())
      await mutateApi(this.api, 'host.setScheduling', { id, scheduling: 'enabled' })
    for (const [name, memoryMib] of [
      ['rig.small', 48],
      ['rig.larger', 56],
    ] as const) {
      const extraSpecs = { 'hw:cpu_policy': 'dedicated', 'hw:numa_nodes': '2' }
      const after = { name, vcpus: 2, memoryMib, diskGib: this.kind === 'withDisk' ? 1 : 0, extraSpecs }
      await mutateApi(this.api, 'catalog.setFlavor', { before: null, after, reason: REASON })
    }
    for (const name of instances) {
      const asked = { name, project: 'rig', flavor: 'rig.small', image: name }
      const { instance } = await mutateApi<{ instance: string }>(this.api, 'instance.build', asked)
      await until(name, RESTS_WITHIN_MS, async () => {
        const built = (await this.instances()).find(({ id }) => id === instance)
        return built?.host ?? null
      })
    }
    await this.rest()
  }

  /** Powers the host off and marks it as fenced. */
  async fence({ id, name }: NamedRef): Promise<void> {
    await this.machine(name).down()
    await mutateApi(this.api, 'host.setStatus', { id, status: 'fenced', reason: REASON })
  }

  /** Returns the id of the migration. */
  async startMigration({ instance, operation, target }: MigrationStart): Promise<string> {
    const { flavor } = await queryApi<{ flavor: { name: string } }>(this.api, 'instance.byId', { id: instance })
    const resized = { flavor: flavor.name === 'rig.small' ? 'rig.larger' : 'rig.small' }
    const start = { instance, operation, host: target, reason: REASON, ...(operation === 'resize' && resized) }
    return (await mutateApi<{ migration: string }>(this.api, 'migrate.start', start)).migration
  }

  /** Confirms or reverts the migration if it waits for that. */
  async carry(id: string, requestedAction: 'confirm' | 'revert'): Promise<Migration> {
    const found = await this.migration(id)
    if (found.step === 'verify' && found.waiting?.for === 'person')
      await mutateApi(this.api, 'migration.requestAction', { ids: [id], requestedAction, reason: REASON })
    return found
  }

  /** The outcome of the migration, once it has ended. */
  async endOf(id: string, requestedAction: 'confirm' | 'revert'): Promise<string> {
    const look = async () => {
      const { step, outcome } = await this.carry(id, requestedAction)
      return step === 'ended' ? outcome : null
    }
    return until('the end', ENDS_WITHIN_MS, look).catch(async (error: Error) => {
      const { step, waiting } = await this.migration(id)
      return `${error.message}: ${step}, waiting for ${waiting?.for}`
    })
  }

  /** Once nothing is in progress: differences between `virsh` and Berth's records, and changes to foreign domains. */
  async disagreements(): Promise<readonly string[]> {
    const own = await this.rest()
      .then(() => stateDifferences(this.api, this.fleet))
      .catch((error: Error) => [error.message])
    return [...own, ...(await this.misplacedDisks()), ...(await this.fleet.foreignDomains.touched())]
  }

  /** Checks that every instance has one disk, on its host, and that there are no others. */
  private async misplacedDisks(): Promise<readonly string[]> {
    const instances = this.kind === 'withDisk' ? await this.instances() : []
    return this.fleet.rig.hosts.flatMap((host) => {
      const owners = volumesAt(host).map((volume) => volume.replace(/^berth-([0-9a-f-]{36}).*$/, '$1'))
      const expected = instances.filter((each) => each.host?.name === host.name).map(({ id }) => id)
      const same = JSON.stringify(owners.sort()) === JSON.stringify(expected.sort())
      return same
        ? []
        : [
            `${host.name}: disks of ${owners.join(', ') || 'nobody'}; of ${expected.join(', ') || 'nobody'} by the records`,
          ]
    })
  }

  /** Waits until all hosts are up and clean and every instance runs. */
  private async rest(): Promise<void> {
    for (const host of this.fleet.rig.hosts.filter((each) => !each.isUp())) await host.boot()
    await until('a clean fleet', RESTS_WITHIN_MS, async () => {
      const hosts = await this.hosts()
      for (const { id, status } of hosts)
        if (status !== 'up') await mutateApi(this.api, 'host.setStatus', { id, status: 'up' })
      return hosts.every(({ status, scheduling }) => status === 'up' && scheduling === 'enabled') || null
    })
    await until('instances that run', RESTS_WITHIN_MS, async () => {
      await mutateApi(this.api, 'finding.audit', {})
      const off = (await this.instances()).filter(({ power }) => power?.state === 'shutdown').map(({ id }) => id)
      if (off.length > 0) await mutateApi(this.api, 'power.request', { ids: off, action: 'start', reason: REASON })
      return (await this.instances()).every(({ power }) => power?.state === 'running') || null
    })
  }
}
