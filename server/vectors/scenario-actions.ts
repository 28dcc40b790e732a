import type { Flavor } from '../engine/demand'
import { isDead } from '../engine/host'
import { operationRow } from '../engine/migration/operations'
import type { Migration, Operation, RequestedAction } from '../engine/migration/state'
import type { HostId, InstanceId, MigrationId } from '../engine/words/ids'
import { IMAGES } from '../simulation/hardware'
import type { HostEvent } from '../simulation/operator'
import { novaMigration } from './nova-words'
import type { TraceMigration, TraceState, TraceStep } from './scenario-trace'
import { type ReplayState, recordedMigrations } from './scenario-view'

// Derives the actions of a step from its text and from the difference of two states: who acts, on which server, and how
// far it went. The actions are Berth's: a claim, a requested action, a host status, ticks of a conductor.

export interface Replay extends ReplayState {
  readonly servers: Map<string, InstanceId>
  readonly names: Map<InstanceId, string>
  /** Servers that Nova keeps in ERROR because no host was valid; Berth refused them, so they do not exist. */
  readonly refused: Set<string>
  readonly hosts: ReadonlyMap<string, HostId>
  readonly flavors: ReadonlyMap<string, Flavor>
}

export function applyTraceStep(replay: Replay, { step, state }: TraceStep, before: TraceState | null): void {
  for (const name of Object.keys(before?.servers ?? {})) {
    if (!(name in state.servers)) leave(replay, name)
  }
  for (const name of Object.keys(state.servers)) {
    if (!replay.servers.has(name) && !replay.refused.has(name)) boot(replay, name, { step, state, afterAudit: null })
  }
  for (const row of state.migrations) carryRow(replay, { row, state, step })
  withoutRecord(replay, { step, state, before })
  comeBack(replay, step)
}

function fence({ scenario }: Replay, host: HostId): void {
  const status = scenario.ledger.host({ host })?.status ?? 'lost'
  if (!isDead(status)) scenario.event('fence', host)
}

function leave({ scenario, servers, refused }: Replay, name: string): void {
  const id = servers.get(name)
  if (id !== undefined) {
    // Nova confirms a resize that is still open when its server is deleted.
    const migration = scenario.ledger
      .snapshot()
      .migrations.find((each) => each.instance === id && each.step === 'verify')
    if (migration !== undefined) {
      scenario.requestAction(migration.id, 'confirm')
      scenario.carry(migration.id)
    }
    scenario.delete(id)
  }
  servers.delete(name)
  refused.delete(name)
}

function boot(
  { scenario, servers, names, refused, hosts, flavors }: Replay,
  name: string,
  { step, state }: TraceStep,
): void {
  const server = state.servers[name]!
  const flavor = flavors.get(server.flavor)
  const asked = [...hosts.keys()].find((host) => new RegExp(`\\b${host}\\b`).test(step))
  const host = hosts.get(server.host ?? asked ?? '')
  if (server.host === null) {
    // Nova found no valid host. If its flavor is known, Berth must refuse it too.
    if (flavor !== undefined && host !== undefined && couldBuild(() => scenario.build(flavor, host))) {
      throw new Error(`${name} fits on ${asked}, where Nova found no room`)
    }
    refused.add(name)
    return
  }
  if (flavor === undefined || host === undefined) throw new Error(`nothing is known of the flavor of ${name}`)
  const id = scenario.build(flavor, host)
  servers.set(name, id)
  names.set(id, name)
}

function couldBuild(build: () => void): boolean {
  try {
    build()
    return true
  } catch {
    return false
  }
}

const OPERATION_OF: Readonly<Record<string, Operation>> = {
  'live-migration': 'live-migrate',
  migration: 'cold-migrate',
  resize: 'resize',
  evacuation: 'evacuate',
}

/** Starts the migration if it is new, and runs it until its Nova status is the one in the trace. */
function carryRow(replay: Replay, beginning: MigrationTrace): void {
  const { row, step } = beginning
  const { scenario } = replay
  const id = recordedMigrations(replay)[row.id - 1]?.id ?? begin(replay, beginning)
  if (statusOf(replay, id) === row.status) return
  const requestedAction = actionIn(step, row.status)
  if (requestedAction !== null && scenario.migration(id).step !== 'ended') scenario.requestAction(id, requestedAction)
  if (row.status === 'completed' && row.type === 'evacuation') return
  const holds = row.status === 'running' || row.status === 'running (post-copy)' || row.status === 'migrating'
  const fails = row.dest !== null && (row.status === 'failed' || row.status === 'error')
  scenario.carry(id, {
    until: () => statusOf(replay, id) === row.status,
    hold: holds,
    // The hypervisor in the trace refused although the records allowed it.
    faults: ({ name }) => (fails && name === 'transfer' ? 'fail' : null),
  })
}

const statusOf = ({ scenario }: Replay, id: MigrationId) => novaMigration(scenario.migration(id))?.status

/** The requested action, from the text or from the outcome of the migration. */
function actionIn(step: string, status: string): RequestedAction | null {
  if (/\bforce/i.test(step)) return 'force-complete'
  if (/\babort|\bcancel/i.test(step) || status === 'cancelled') return 'abort'
  if (/\brevert/i.test(step) || status === 'reverted' || status === 'reverting') return 'revert'
  return status === 'confirmed' || status === 'confirming' ? 'confirm' : null
}

interface MigrationTrace {
  readonly row: TraceMigration
  readonly state: TraceState
  readonly step: string
}

function begin(replay: Replay, { row, state, step }: MigrationTrace): MigrationId {
  const { scenario, servers, hosts } = replay
  const instance = servers.get(row.server)
  const operation = OPERATION_OF[row.type]
  if (instance === undefined || operation === undefined) throw new Error(`cannot begin ${row.type} of ${row.server}`)
  const source = row.source === null ? undefined : hosts.get(row.source)
  if (operationRow(operation).source === 'fenced' && source !== undefined) fence(replay, source)
  const resizes = operationRow(operation).changes === 'flavor'
  return scenario.move(instance, operation, {
    target: row.dest === null ? null : (hosts.get(row.dest) ?? null),
    newFlavor: resizes ? newFlavor(replay, step, state.servers[row.server]?.flavor) : null,
  })
}

/** The flavor of the server afterwards; without a valid host, the one in the text (`p2 -> p8`). */
function newFlavor({ flavors }: Replay, step: string, after = ''): Flavor {
  const [, before, named] = /([\w.-]+)\s*->\s*([\w.-]+)/.exec(step) ?? []
  const known = flavors.get(named ?? '') ?? (after === before ? undefined : flavors.get(after))
  if (known !== undefined) return known
  // No server ever got this flavor, so the trace does not describe it; in every trace the digits of a flavor's name are
  // its vCPUs.
  const old = flavors.get(before ?? after)
  if (named === undefined || old === undefined) throw new Error(`nothing is known of the new flavor: ${step}`)
  return { ...old, name: named, vcpus: Number(/\d+/.exec(named)?.[0] ?? old.vcpus + 1) }
}

/** Migrations of which Nova keeps no record: they show only in the server. */
interface Between {
  readonly step: string
  readonly state: TraceState
  readonly before: TraceState | null
}

function withoutRecord(replay: Replay, { step, state, before }: Between): void {
  for (const [name, id] of replay.servers) {
    const now = state.servers[name]
    const was = before?.servers[name]
    if (now === undefined || was === undefined) continue
    const wasShelved = was.vmState.startsWith('shelved')
    const isShelved = now.vmState.startsWith('shelved')
    if (isShelved && !wasShelved) replay.scenario.shelve(id)
    if (wasShelved && !isShelved) {
      const target = now.host === null ? null : (replay.hosts.get(now.host) ?? null)
      replay.scenario.carry(replay.scenario.move(id, 'unshelve', { target }))
    }
    if (/\brebuil/i.test(step) && new RegExp(`\\b${name}\\b|^\\W*rebuil`, 'i').test(step)) {
      replay.scenario.carry(replay.scenario.move(id, 'rebuild', { newImage: IMAGES[0]! }))
    }
  }
}

const RETURNING: readonly HostEvent[] = ['answer-again', 'return', 'clean', 'reboot', 'mark-up', 'recover']

/** The text says that a host is back: it is cleaned up, and migrations that waited for it continue. */
function comeBack(replay: Replay, step: string): void {
  if (!/\b(back|returns?|up again|restarted|started|recovers)\b/i.test(step)) return
  const { scenario } = replay
  for (const { id: host, status } of scenario.ledger.snapshot().hosts) {
    if (status === 'up') continue
    for (const event of RETURNING) {
      try {
        scenario.event(event, host)
      } catch {
        // Skipped if the event does not fit the status of the host.
      }
    }
  }
  const waiting = (each: Migration) => each.step === 'release' || each.step === 'switch'
  for (const { id } of scenario.ledger.snapshot().migrations.filter(waiting)) scenario.carry(id)
}
