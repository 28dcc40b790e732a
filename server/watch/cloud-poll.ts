import { runInSlices, yieldToEventLoop } from '../audit/event-loop'
import type { CloudClient } from '../cloud/client'
import { CloudError } from '../cloud/http/errors'
import { CloudMirror, INTERVALS } from '../cloud/mirror/mirror'
import { doubtfulPins, requestsPins } from '../cloud/mirror/pins'
import { consumersToRead, interruptibleCloudAudit } from '../engine/cloud/audit'
import { DEFAULT_SETTINGS } from '../engine/cloud/facts'
import { type CloudFinding, identityOf } from '../engine/cloud/finding'
import type { CloudSnapshot } from '../engine/cloud/snapshot'
import type { Interruptible } from '../engine/interruptible'
import type { CloudState } from './parts'
import type { CloudCounts } from './status'

// One cloud as it is polled: its answers, and the audit of two polls.

/** Instances of findings reported before that are read again per poll. */
const MAX_REREAD_INSTANCES = 20

/** Read again before findings are reported: the instances of all new ones, and of some of the others. */
function instancesToReread(findings: readonly CloudFinding[], known: ReadonlySet<string>): readonly string[] {
  const of = (isKnown: boolean) =>
    findings.filter((each) => known.has(identityOf(each)) === isKnown).flatMap(({ instances }) => instances)
  return [...of(false), ...of(true).slice(0, MAX_REREAD_INSTANCES)]
}

/** Instances that are subjects of actions themselves, or through one of their migrations. */
function instancesIn({ servers, migrations }: CloudSnapshot, subjects: ReadonlySet<string>): readonly string[] {
  if (!servers.isRead || !migrations.isRead) return []
  return [
    ...servers.value.flatMap(({ id }) => (subjects.has(id) ? [id] : [])),
    ...migrations.value.flatMap(({ uuid, instance }) => (subjects.has(uuid) ? [instance] : [])),
  ]
}

export interface PollContext {
  /** Hosts that an operator attested as powered off. */
  deadHosts(snapshot: CloudSnapshot): Promise<CloudSnapshot['deadHosts']>
  /** What libvirt reports on its hosts, read again. */
  domains(snapshot: CloudSnapshot): Promise<CloudSnapshot['domains']>
  /**
   * Instances and migrations of followed actions, read one by one, because their absence from a list proves nothing.
   */
  readonly followed: ReadonlySet<string>
}

const unlessCloudError = (error: unknown): void => {
  if (!(error instanceof CloudError)) throw error
}

/** Maximum delay in following a moved service. */
const CATALOG_MS = 60_000
/** An audit of a large cloud takes seconds: at rest at most a tenth of the time is spent on it. */
const REST_SHARE = 9
/** Longer than records must be unchanged to count, so that there is always an earlier poll to compare with. */
const SNAPSHOT_RETENTION_MS = 2 * DEFAULT_SETTINGS.settleMs

type OpenFindings = Pick<CloudCounts, CloudFinding['severity']>
const NONE_OPEN: OpenFindings = { critical: 0, warning: 0, info: 0 }

/** After the first poll, everything was read twice at a sufficient distance: an audit finds all that there is. */
const COMPLETE_AFTER_MS = SNAPSHOT_RETENTION_MS + 2 * INTERVALS.listsMs

export class CloudPoll {
  readonly #client: CloudClient
  #mirror: CloudMirror
  /** Endpoints of Nova and Placement from which everything known was read. */
  #endpoints = ''
  /** Oldest first; the first is old enough to compare with, or the only one. */
  #earlier: readonly CloudSnapshot[] = []
  #snapshot: CloudSnapshot | null = null
  #findings: readonly CloudFinding[] = []
  /** The first poll that later ones can be compared with, by the cloud's clock. */
  #comparableSince = 0
  #open: OpenFindings
  /** Open before that poll: an audit that cannot find everything yet proves none of them gone. */
  #openBefore: OpenFindings = NONE_OPEN
  /** Excludes the duration of the requests, so that a slow cloud is not polled less often. */
  auditMs = 0

  /** `open`: those of the last poll before this one began, by any server. */
  constructor(client: CloudClient, open: OpenFindings = NONE_OPEN) {
    this.#client = client
    this.#open = open
    this.#mirror = new CloudMirror(client)
  }

  get delayMs(): number {
    // The first poll has no earlier one to compare with, and findings are urgent then.
    const isMoving = this.#mirror.isMoving || this.#earlier.length < 2
    const [intervalMs, share] = isMoving ? [INTERVALS.movingMs, 1] : [INTERVALS.atRestMs, REST_SHARE]
    return Math.min(INTERVALS.listsMs, Math.max(intervalMs, share * this.auditMs))
  }

  /** Why the last poll did not read everything it requested; null when it did. */
  get failure(): string | null {
    return this.#mirror.failure
  }

  /** Signs in first, so that an unreachable cloud is one error and not one per part. */
  async poll(): Promise<void> {
    await this.#client.token()
    await this.#followEndpoints()
    await this.#mirror.poll()
    await yieldToEventLoop()
    if (this.failure !== null) return
    await this.#mirror.readTopologies(requestsPins)
    // The previous answer of libvirt shows which of them it contradicts.
    const domains = this.#snapshot?.domains ?? new Map()
    await this.#mirror.readAgain(doubtfulPins({ ...this.#mirror.snapshot(), domains }))
  }

  /** Discards the answers of another service, which prove nothing about this one. */
  async #followEndpoints(): Promise<void> {
    const client = this.#client
    // Without an answer the endpoints stay the same.
    await client.readCatalog(CATALOG_MS).catch(unlessCloudError)
    const endpoints = `${await client.endpoint('compute')} ${await client.endpoint('placement')}`
    if (this.#endpoints !== '' && this.#endpoints !== endpoints) {
      this.#mirror = new CloudMirror(client)
      this.#earlier = []
      this.#findings = []
      this.#open = NONE_OPEN
    }
    this.#endpoints = endpoints
  }

  async audited({ deadHosts, domains, followed }: PollContext): Promise<CloudState> {
    this.auditMs = 0
    if (followed.size > 0) await this.#mirror.readServersAgain(instancesIn(this.#mirror.snapshot(), followed))
    const read = this.#mirror.snapshot()
    const beside = { deadHosts: await deadHosts(read), domains: await domains(read) }
    let snapshot = { ...read, ...beside }
    const before = this.#before(snapshot)
    // Findings under another clock cannot be dated by this one.
    if (before === null) this.#findings = []
    else {
      const known = new Set(this.#findings.map(identityOf))
      this.#findings = await this.#timed(interruptibleCloudAudit({ before, after: snapshot }))
      const isChanged = await this.#mirror.readServersAgain(instancesToReread(this.#findings, known))
      const isNews = await this.#readConsumers(snapshot)
      if (isChanged || isNews) {
        snapshot = { ...this.#mirror.snapshot(), ...beside }
        this.#findings = await this.#timed(interruptibleCloudAudit({ before, after: snapshot }))
        await this.#readConsumers(snapshot)
      }
    }
    this.#count(snapshot.now - this.#comparableSince >= COMPLETE_AFTER_MS)
    this.#snapshot = { ...this.#mirror.snapshot(), ...beside }
    return { snapshot: this.#snapshot, findings: this.#findings }
  }

  /** A repair writes for a whole consumer, and only the consumer's own answer has its project and user. */
  async #readConsumers(snapshot: CloudSnapshot): Promise<boolean> {
    return this.#mirror.readConsumers(await this.#timed(consumersToRead({ snapshot, findings: this.#findings })))
  }

  async #timed<Found>(work: Interruptible<Found>): Promise<Found> {
    const begun = this.#client.monotonicMs()
    const found = await runInSlices(work)
    this.auditMs += this.#client.monotonicMs() - begun
    return found
  }

  counts(): CloudCounts | null {
    if (this.#snapshot === null) return null
    const { hypervisors, servers } = this.#snapshot
    const rows = servers.isRead ? servers.value : []
    return {
      hosts: hypervisors.isRead ? hypervisors.value.length : 0,
      instances: rows.length,
      migrating: rows.filter(({ taskState }) => taskState !== null).length,
      ...this.#open,
    }
  }

  /** Without those open before, an alarm would end and be raised again. */
  #count(isComplete: boolean): void {
    const of = (severity: CloudFinding['severity']) => {
      const found = this.#findings.filter((each) => each.severity === severity).length
      return isComplete ? found : Math.max(found, this.#openBefore[severity])
    }
    this.#open = { critical: of('critical'), warning: of('warning'), info: of('info') }
  }

  /** The newest that is old enough, else the oldest. */
  #before(now: CloudSnapshot): CloudSnapshot | null {
    // Times of two clocks cannot be compared.
    const comparable = this.#earlier.filter(({ steadySince }) => steadySince === now.steadySince)
    if (comparable.length === 0) {
      this.#comparableSince = now.now
      this.#openBefore = this.#open
    }
    const kept = comparable.filter((each) => now.now - each.now <= SNAPSHOT_RETENTION_MS)
    const old = comparable.filter((each) => now.now - each.now >= DEFAULT_SETTINGS.settleMs)
    const before = old.at(-1) ?? comparable[0] ?? null
    this.#earlier = [...(before && !kept.includes(before) ? [before] : []), ...kept, now]
    return before
  }
}
