import { boot, type CloudState, drop, hold, hostOf, type ServerRow, write } from '../../cloud/testing/cloud-state'
import { written } from '../../cloud/testing/replayed-writes'
import type { Chance } from '../chance'

// The autonomous events of a cloud: other users' instances are created, migrate and are deleted, and occasionally
// something breaks that an audit must find. The expected findings are derived from the cloud's state alone.

export interface Life {
  readonly state: CloudState
  readonly chance: Chance
}

const HOUR_MS = 3_600_000
const SLOWEST_MS = 60_000

const TASK = 'OS-EXT-STS:task_state'
const STATE = 'OS-EXT-STS:vm_state'
const POWER = 'OS-EXT-STS:power_state'

const EVENTS = {
  ...{ boot: 4, remove: 2, act: 14, clock: 1 },
  ...{ lose: 1, strand: 1, leak: 1, powerOff: 1, die: 1, return: 2, disable: 1, enable: 2 },
}
type LifeEvent = keyof typeof EVENTS

const ENDED = new Set(['completed', 'confirmed', 'reverted', 'cancelled', 'error', 'done'])

export const isNotDeleted = ({ status }: ServerRow): boolean => status !== 'DELETED'
const isOpen = ({ status }: CloudState['migrations'][number]) => !ENDED.has(String(status))

/** Instances with no task and no open migration, on a host whose nova-compute is alive. */
function resting(state: CloudState): readonly ServerRow[] {
  const moving = new Set(state.migrations.filter(isOpen).map(({ instance_uuid }) => instance_uuid))
  return state.servers.filter(
    (row) => isNotDeleted(row) && row[TASK] === null && !moving.has(row.id) && state.services.get(hostOf(row))?.isAlive,
  )
}

/** Whether migrations still need the nova-compute of that host. */
const isBusy = (state: CloudState, host: string): boolean =>
  state.migrations.some((row) => isOpen(row) && [row.source_compute, row.dest_compute].includes(host)) ||
  state.servers.some((row) => isNotDeleted(row) && row[TASK] !== null && hostOf(row) === host)

export function applyRandomEvent({ state, chance }: Life): LifeEvent {
  const kind = chance.weighted(EVENTS)
  HAPPENINGS[kind]({ state, chance })
  return kind
}

/** Every breakage is repaired or removed by a later event. */
const HAPPENINGS: Readonly<Record<LifeEvent, (life: Life) => void>> = {
  boot: ({ state, chance }) => {
    const host = chance.pick([...state.services].filter(([, row]) => row.isAlive && row.status === 'enabled'))
    if (host && state.servers.filter(isNotDeleted).length < 9) boot(state, host[0])
  },
  remove: ({ state, chance }) => {
    const row = chance.pick(resting(state).filter(({ [STATE]: vmState }) => vmState !== 'resized'))
    if (row === undefined) return
    for (const { name } of state.providers) drop(state, name, row.id)
    write(state, row, { status: 'DELETED', [STATE]: 'deleted' })
  },
  act: ({ state, chance }) => {
    const row = chance.pick(state.servers.filter(isNotDeleted))
    if (row === undefined || !mayAct(state, row)) return
    const body = chance.pick(BODIES[String(row[STATE])] ?? []) ?? {}
    written(state, {
      ...{ url: `/compute/v2.1/servers/${row.id}/action`, sent: JSON.stringify(body) },
      takesMs: chance.below(SLOWEST_MS),
    })
  },
  clock: ({ state, chance }) => {
    // Nova schedules by the monotonic clock: due work stays due.
    const stepMs = chance.below(2) === 0 ? HOUR_MS : -HOUR_MS
    state.clockMs += stepMs
    const shifted = state.pending.map((work) => ({ ...work, at: work.at + stepMs }))
    state.pending.splice(0, shifted.length, ...shifted)
  },
  lose: ({ state, chance }) => {
    const row = chance.pick(holding(state))
    if (row) drop(state, hostOf(row), row.id)
  },
  strand: ({ state, chance }) => {
    const provider = chance.pick(state.providers)
    if (provider) hold(state, { host: provider.name, consumer: state.newId(), flavor: 'f1' })
  },
  leak: ({ state, chance }) => {
    const row = chance.pick(state.migrations.filter((each) => !isOpen(each) && each.dest_compute !== null))
    if (row) hold(state, { host: String(row.source_compute), consumer: row.uuid, flavor: 'f1' })
  },
  powerOff: ({ state, chance }) => {
    const row = chance.pick(holding(state).filter(({ [STATE]: vmState }) => vmState === 'active'))
    if (row) write(state, row, { [POWER]: 4 })
  },
  die: ({ state, chance }) => {
    const [host, service] = chance.pick([...state.services]) ?? []
    if (host && service && !isBusy(state, host) && aliveOf(state) > 2) service.isAlive = false
  },
  return: ({ state, chance }) => {
    const [, service] = chance.pick([...state.services]) ?? []
    if (service) service.isAlive = true
  },
  disable: ({ state, chance }) => {
    const [, service] = chance.pick([...state.services]) ?? []
    if (service) Object.assign(service, { status: 'disabled', disabled_reason: 'maintenance' })
  },
  enable: ({ state, chance }) => {
    const [, service] = chance.pick([...state.services]) ?? []
    if (service) Object.assign(service, { status: 'enabled', disabled_reason: null })
  },
}

const aliveOf = ({ services }: CloudState): number => [...services.values()].filter(({ isAlive }) => isAlive).length

const heldOn = (state: CloudState, { id }: Pick<ServerRow, 'id'>): readonly string[] =>
  state.providers.filter(({ allocations }) => allocations.has(id)).map(({ name }) => name)

/** Intact and at rest. */
const holding = (state: CloudState): readonly ServerRow[] =>
  resting(state).filter((row) => heldOn(state, row).join() === hostOf(row) && row[POWER] === 1)

/** Nova would wait for a dead nova-compute. Only a repair changes an instance with wrong allocations. */
function mayAct(state: CloudState, row: ServerRow): boolean {
  const record = state.migrations.findLast(({ instance_uuid }) => instance_uuid === row.id)
  const hosts = [hostOf(row), ...(record && isOpen(record) ? [String(record.source_compute)] : [])]
  if (row['OS-EXT-SRV-ATTR:host'] === null) return true
  return hosts.every((host) => state.services.get(host)?.isAlive) && heldOn(state, row).join() === hostOf(row)
}

const MIGRATE = [{ 'os-migrateLive': { host: null } }, { migrate: null }, { resize: { flavorRef: 'f2' } }]
const OTHERS = [{ 'os-stop': null }, { reboot: { type: 'HARD' } }, { shelve: null }]
const BODIES: Readonly<Record<string, readonly object[]>> = {
  active: [...MIGRATE, ...MIGRATE, ...OTHERS],
  stopped: [{ 'os-start': null }, { migrate: null }],
  resized: [{ confirmResize: null }, { revertResize: null }],
  shelved_offloaded: [{ unshelve: null }],
}

/** Whether an ended migration still has the allocations that belong to its instance. */
const holdsSource = (state: CloudState, { uuid, ...record }: CloudState['migrations'][number], row: ServerRow) =>
  ENDED.has(record.status) && heldOn(state, { id: uuid }).includes(hostOf(row))

/** `kind object` of every fault. */
export function faultsIn(state: CloudState): ReadonlySet<string> {
  const wrong = new Set<string>()
  const there = state.servers.filter(isNotDeleted)
  const swapped = new Set<string>()
  for (const [host, { isAlive, forced_down, status }] of state.services) {
    if (!there.some((row) => hostOf(row) === host)) continue
    if (!isAlive || forced_down) wrong.add(`service-down ${host}`)
    else if (status === 'disabled') wrong.add(`service-disabled ${host}`)
  }
  for (const row of there) {
    const held = heldOn(state, row)
    if (row['OS-EXT-SRV-ATTR:host'] === null || row[TASK] !== null) continue
    // The power states of a host whose nova-compute is down are stale.
    const isReported = state.services.get(hostOf(row))?.isAlive
    if (isReported && row[STATE] === 'active' && row[POWER] === 4) wrong.add(`instance-shut-down ${row.id}`)
    if (held.length > 0) continue
    const holder = state.migrations.findLast((each) => each.instance_uuid === row.id && holdsSource(state, each, row))
    if (holder) swapped.add(holder.uuid)
    wrong.add(`${holder ? 'allocations-swapped' : 'allocation-missing'} ${row.id}`)
  }
  const servers = new Set(state.servers.filter(isNotDeleted).map(({ id }) => id))
  const records = new Map(state.migrations.map((row) => [row.uuid, row]))
  for (const { allocations } of state.providers)
    for (const consumer of allocations.keys()) {
      const record = records.get(consumer)
      if (record && !isOpen(record) && !swapped.has(consumer)) wrong.add(`ended-migration-holds-allocation ${consumer}`)
      else if (!record && !servers.has(consumer)) wrong.add(`orphaned-allocation ${consumer}`)
    }
  return wrong
}

/** The consumers without a fault. */
export function consumersWithoutFault(state: CloudState, consumers: readonly string[]): readonly string[] {
  const wrong = [...faultsIn(state)]
  const swapped = state.migrations.filter((row) => wrong.includes(`allocations-swapped ${row.instance_uuid}`))
  const among = new Set([...wrong.map((each) => each.replace(/^.* /, '')), ...swapped.map(({ uuid }) => uuid)])
  return consumers.filter((id) => !among.has(id))
}
