import type {
  AllocationSwap,
  ConsumerWithoutClaim,
  GroupLimits,
  LayoutMark,
  ObservedLeftover,
  RootWithoutHost,
  StrayAllocation,
} from '../../engine/audit/snapshot'
import type { Instance } from '../../engine/change'
import type { Host } from '../../engine/host'
import type { Migration } from '../../engine/migration/state'
import type { Provider } from '../../engine/resources/inventory'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { timeText } from '../commit/change-row'
import type { Database } from '../database/database'
import { instanceOf } from '../decode/instance'
import { migrationOf } from '../decode/migration'
import type { Cells } from '../decode/row'
import { surveyOf } from '../decode/survey'
import { hostOf, sharingOf } from '../host/read'
import type { SurveyRow } from '../survey/survey'
import { READ_ALL, READ_CHANGED } from './sql'

// The records, what hypervisors reported on them, and unattached rows, in one snapshot.

/** The reader's cache. */
export interface KnownSnapshot {
  readonly seq: string
  /** Root generation of each cached host. */
  readonly hosts: ReadonlyMap<HostId, number>
  /** Digest of the cached domains of each host. */
  readonly surveys: ReadonlyMap<HostId, string>
}

export interface ReadOptions {
  readonly known: KnownSnapshot | null
  /** Read regardless of their generation, because rows may have been edited without raising it. */
  readonly hosts?: readonly HostId[]
  readonly instances?: readonly InstanceId[]
  /** Migrations that ended before this are left out, unless they still have a claim. */
  readonly endedSince: number
}

export interface DatedRow<Row> {
  readonly row: Row
  /** When the row was last written. */
  readonly at: number
}
export interface MigrationWithOwner extends DatedRow<Migration> {
  /** The server that runs it. */
  readonly owner: string | null
}

export interface SnapshotRead {
  readonly seq: string
  /** False when events in between were pruned: objects that are not returned may then have changed too. */
  readonly complete: boolean
  /** All hosts, whether they answered or not. */
  readonly allHosts: readonly HostId[]
  /** Instances that were requested or named by events: those not returned no longer exist. */
  readonly requestedInstances: readonly InstanceId[]
  readonly hosts: readonly Host[]
  /** Sharing providers that changed, with the amounts allocated from them. */
  readonly shares: readonly Provider[]
  readonly instances: readonly DatedRow<Instance>[]
  readonly migrations: readonly MigrationWithOwner[]
  readonly groups: readonly GroupLimits[]
  /** Domains are omitted if they equal the known ones. */
  readonly surveys: readonly SurveyRow[]
  readonly strayAllocations: readonly StrayAllocation[]
  readonly swaps: readonly AllocationSwap[]
  /** Other clients may claim for their own instances on hosts of Berth. */
  readonly foreignAllowed: boolean
  readonly looseConsumers: readonly ConsumerWithoutClaim[]
  readonly mistypedConsumers: readonly ConsumerWithoutClaim[]
  readonly looseRoots: readonly RootWithoutHost[]
  readonly leftovers: readonly ObservedLeftover[]
  readonly layouts: readonly LayoutMark[]
}

interface Parts {
  readonly all: { seq: string; hosts: HostId[]; newEvents: number; wanted: InstanceId[]; foreignAllowed: boolean }
  readonly host: Cells
  readonly share: Cells
  readonly instance: DatedRow<Instance>
  readonly move: MigrationWithOwner
  readonly group: GroupLimits
  readonly survey: SurveyRow
  readonly stray: StrayAllocation
  readonly swap: AllocationSwap
  readonly loose: ConsumerWithoutClaim
  readonly mistyped: ConsumerWithoutClaim
  readonly root: RootWithoutHost
  readonly remain: ObservedLeftover
  readonly layout: LayoutMark
}
type PartRows = { [K in keyof Parts]: Parts[K][] }

const AFTER_ALL = '9223372036854775807' // a full read needs no events

/** Everything if nothing is cached, else only the hosts, instances and domains that changed since. */
export async function readSnapshot({ pool }: Database, ask: ReadOptions): Promise<SnapshotRead> {
  const { known } = ask
  const { rows } = await pool.query<{ json_build_object: Partial<Parts> }>({
    name: known ? 'status-changed' : 'status',
    text: known ? READ_CHANGED : READ_ALL,
    values: [
      known?.seq ?? AFTER_ALL,
      JSON.stringify(Object.fromEntries(known?.hosts ?? [])),
      ask.hosts ?? [],
      ask.instances ?? [],
      JSON.stringify(Object.fromEntries(known?.surveys ?? [])),
      timeText(ask.endedSince),
    ],
  })
  const found: PartRows = {
    ...{ all: [], host: [], share: [], instance: [], move: [], group: [], survey: [] },
    ...{ stray: [], swap: [], loose: [], mistyped: [], root: [], remain: [], layout: [] },
  }
  for (const { json_build_object: row } of rows) {
    for (const [name, value] of Object.entries(row)) (found[name as keyof Parts] as unknown[]).push(value)
  }
  return answerOf(found, known)
}

function answerOf(found: PartRows, known: KnownSnapshot | null): SnapshotRead {
  const [all] = found.all
  if (!all) throw new Error('The row of the relay is missing, so the read position is unknown.')
  return {
    seq: all.seq,
    complete: known === null || BigInt(all.seq) - BigInt(known.seq) === BigInt(all.newEvents),
    allHosts: all.hosts,
    requestedInstances: all.wanted,
    hosts: found.host.map(hostOf),
    shares: found.share.map(sharingOf),
    instances: found.instance.map(({ row, at }) => ({ row: instanceOf(row), at: at ?? 0 })),
    migrations: found.move.map(({ row, at, owner }) => ({ row: migrationOf(row), at: at ?? 0, owner })),
    groups: found.group,
    surveys: found.survey.map(surveyOf),
    strayAllocations: found.stray,
    swaps: found.swap,
    foreignAllowed: all.foreignAllowed,
    looseConsumers: found.loose,
    mistypedConsumers: found.mistyped,
    looseRoots: found.root,
    leftovers: found.remain,
    layouts: found.layout,
  }
}
