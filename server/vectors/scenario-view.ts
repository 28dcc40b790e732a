import type { ClaimBody, Holding, Host } from '../engine/host'
import { operationRow } from '../engine/migration/operations'
import type { Migration, Side } from '../engine/migration/state'
import type { PlacedNode } from '../engine/topology/guest-topology'
import type { InstanceId } from '../engine/words/ids'
import { MEMORY_MB } from '../engine/words/units'
import type { ScriptedScenario } from '../simulation/scripted-scenario'
import { novaMigration, novaServer } from './nova-words'
import { RESERVED_MIB } from './scenario-fleet'
import type {
  TraceAmounts,
  TraceContext,
  TraceGuestNode,
  TraceHost,
  TraceMigration,
  TraceServer,
  TraceState,
} from './scenario-trace'

// Berth's records in the form of a trace: what Nova would show of the same state.

export interface ReplayState {
  readonly scenario: ScriptedScenario
  /** Server name → instance, in the order of their boots. */
  readonly servers: ReadonlyMap<string, InstanceId>
  /** The name of every instance that ever existed: Nova's migration records outlive their server. */
  readonly names: ReadonlyMap<InstanceId, string>
}

export function traceStateOf(replay: ReplayState): TraceState {
  const { hosts } = replay.scenario.ledger.snapshot()
  const recorded = recordedMigrations(replay)
  return {
    hosts: Object.fromEntries(hosts.map((host) => [host.name, traceHost(replay, host)])),
    servers: Object.fromEntries([...replay.servers].map(([name, id]) => [name, traceServer(replay, id)])),
    allocations: allocationsOf(replay, recorded),
    migrations: recorded.map((migration, index) => traceMigration(replay, migration, index + 1)),
  }
}

/** Migrations of which Nova keeps a record, ordered by their numbers. */
export const recordedMigrations = ({ scenario }: ReplayState): readonly Migration[] =>
  scenario.ledger.snapshot().migrations.filter((each) => operationRow(each.operation).novaType !== null)

const activeOf = ({ scenario }: ReplayState, id: InstanceId): Migration | null =>
  scenario.ledger.snapshot().migrations.find((each) => each.instance === id && each.step !== 'ended') ?? null

const nameOf = ({ names }: ReplayState, id: InstanceId): string => names.get(id) ?? id

const hostName = ({ scenario }: ReplayState, id: Host['id'] | null): string | null =>
  id === null ? null : (scenario.ledger.host({ host: id })?.name ?? id)

function traceHost(replay: ReplayState, host: Host): TraceHost {
  const total = (wanted: (resourceClass: string) => boolean) =>
    host.holdings
      .flatMap(({ body }) => body.amounts)
      .reduce((sum, { resourceClass, amount }) => sum + (wanted(resourceClass) ? amount : 0), 0)
  return {
    vcpusUsed: total((each) => each === 'VCPU' || each === 'PCPU'),
    memoryMbUsed: RESERVED_MIB + total((each) => each === MEMORY_MB),
    localGbUsed: total((each) => each === 'DISK_GB'),
    cells: host.numaNodes.map((cell) => ({
      id: cell.id,
      pinnedCpus: cell.pinnedCpus,
      cpuUsage: cell.sharedUsed,
      memoryUsageMib: cell.memoryUsedMib,
    })),
    pci: Object.fromEntries(
      host.devices.flatMap((device) =>
        device.pci ? [[device.pci.address, deviceStatus(replay, host, device.unit)]] : [],
      ),
    ),
  }
}

function deviceStatus(replay: ReplayState, host: Host, unit: string): readonly [string, string | null] {
  const holding = host.holdings.find(({ body }) => body.units.some((taken) => taken.unit === unit))
  if (holding !== undefined) {
    return [isOnlyClaimed(replay, holding) ? 'claimed' : 'allocated', nameOf(replay, holding.instance)]
  }
  const free = host.devices.find((device) => device.unit === unit)?.free === true
  return [free ? 'available' : 'unavailable', null]
}

/** In Nova a device is allocated once the instance runs on the target; until then it is claimed. */
function isOnlyClaimed(replay: ReplayState, holding: Holding): boolean {
  const migration = activeOf(replay, holding.instance)
  if (migration === null || migration.keepsClaim || migration.step === 'claim') return false
  return migration.home === 'source' && sideOf(migration, holding) === 'target'
}

const sideOf = (migration: Migration, { consumerKind }: Holding): Side =>
  (consumerKind === 'instance') === (migration.direction === 'target') ? 'target' : 'source'

function holdingsOf({ scenario }: ReplayState, id: InstanceId): readonly Holding[] {
  return scenario.ledger.snapshot().hosts.flatMap((host) => host.holdings.filter(({ instance }) => instance === id))
}

function bodyAt(replay: ReplayState, id: InstanceId, side: Side): ClaimBody | null {
  const migration = activeOf(replay, id)
  const held = holdingsOf(replay, id)
  if (migration === null || migration.keepsClaim || migration.step === 'claim') return held[0]?.body ?? null
  return held.find((holding) => sideOf(migration, holding) === side)?.body ?? null
}

function traceServer(replay: ReplayState, id: InstanceId): TraceServer {
  const instance = replay.scenario.instance(id)
  const migration = activeOf(replay, id)
  const { vmState, taskState } = novaServer(instance, migration)
  return {
    host: hostName(replay, instance.host),
    vmState,
    taskState,
    flavor: instance.flavor.name,
    numa: guestNodes(bodyAt(replay, id, migration?.home ?? 'source')),
    pciDevices: allocatedDevices(replay, id),
    migrationContext: migration === null ? null : contextOf(replay, migration),
  }
}

function allocatedDevices(replay: ReplayState, id: InstanceId): readonly string[] {
  const held = holdingsOf(replay, id).filter((holding) => !isOnlyClaimed(replay, holding))
  return held.flatMap(({ body }) => addresses(body)).sort()
}

const addresses = (body: ClaimBody | null): readonly string[] =>
  (body?.units ?? []).flatMap(({ kind, unit }) => (kind === 'pci' ? [unit.slice('pci:'.length)] : [])).sort()

/** Nova holds both sides until a resize is confirmed or reverted, otherwise until the instance runs on the target. */
function contextOf(replay: ReplayState, migration: Migration): TraceContext | null {
  const { verify, novaType } = operationRow(migration.operation)
  if (novaType === null || migration.step === 'claim' || (migration.home === 'target' && !verify)) return null
  const source = bodyAt(replay, migration.instance, 'source')
  const target = bodyAt(replay, migration.instance, 'target')
  return {
    migration: recordedMigrations(replay).findIndex(({ id }) => id === migration.id) + 1,
    oldNuma: guestNodes(source),
    newNuma: guestNodes(target),
    oldPci: addresses(source),
    newPci: addresses(target),
  }
}

function guestNodes(body: ClaimBody | null): readonly TraceGuestNode[] | null {
  if (body === null || body.cells.length === 0) return null
  return [...body.cells].sort((a, b) => a.guestCell - b.guestCell).map(guestNode)
}

const guestNode = (cell: PlacedNode): TraceGuestNode => ({
  hostCellId: cell.hostCell,
  cpuset: cell.sharedVcpus,
  pcpuset: cell.pins.map(([vcpu]) => vcpu),
  cpuPinning: cell.pins.length === 0 ? null : Object.fromEntries(cell.pins),
  memoryMib: cell.memoryMib,
  pageSizeKib: cell.pageKib,
})

function allocationsOf(replay: ReplayState, recorded: readonly Migration[]): TraceState['allocations'] {
  const all: Record<string, Record<string, TraceAmounts>> = {}
  for (const host of replay.scenario.ledger.snapshot().hosts) {
    for (const { consumer, consumerKind, instance, body } of host.holdings) {
      const number = recorded.findIndex(({ id }) => id === consumer) + 1
      const name = consumerKind === 'instance' ? nameOf(replay, instance) : `migration-${number}`
      const amounts = Object.fromEntries(body.amounts.map(({ resourceClass, amount }) => [resourceClass, amount]))
      all[name] = { ...all[name], [host.name]: amounts }
    }
  }
  return all
}

function traceMigration(replay: ReplayState, migration: Migration, id: number): TraceMigration {
  const { source, target, instance } = migration
  const remains = source === null ? [] : replay.scenario.ledger.remains({ host: source })
  const status = source === null ? 'up' : replay.scenario.ledger.host({ host: source })?.status
  const cleaned = status === 'up' && !remains.some((each) => each.migration === migration.id)
  const words = novaMigration(migration, cleaned)
  return {
    id,
    type: words?.type ?? '',
    status: words?.status ?? '',
    source: hostName(replay, source),
    dest: hostName(replay, target),
    server: nameOf(replay, instance),
  }
}
