import {
  begin,
  beginMigration,
  type CloudState,
  drop,
  endMigration,
  flavorNamed,
  flavorOf,
  generationOf,
  hold,
  holdAmounts,
  hostOf,
  type MigrationRow,
  recordTime,
  type ServerRow,
  write,
  writeRecord,
} from './cloud-state'

// Changes to a replayed cloud: Nova's actions, which are answered before they are done, and Placement's allocations.
// Refusals have Nova's own words.

export interface WriteResponse {
  readonly status: number
  readonly body: unknown
  readonly requestId: string
}

export const newRequestId = (state: CloudState): string => `req-${state.newId()}`

/** Performs Nova's work that is due by now. */
export function runPending(state: CloudState): void {
  const due = state.pending.filter(({ at }) => at <= state.clockMs)
  state.pending.splice(0, state.pending.length, ...state.pending.filter((work) => !due.includes(work)))
  for (const { run } of due) run()
}

export interface WriteRequest {
  readonly url: string
  readonly sent: string
  /** How long Nova works on an accepted request. */
  readonly takesMs: number
  /** Identifies Nova's work; a new one by default. */
  readonly requestId?: string
}

export function written(state: CloudState, { url, sent, takesMs, ...given }: WriteRequest): WriteResponse {
  const body: Body = sent === '' ? {} : JSON.parse(sent)
  const [, service, , ...path] = url.split('/')
  const requestId = given.requestId ?? newRequestId(state)
  const answer = (): Omit<WriteResponse, 'requestId'> => {
    if (service === 'placement') return writeAllocations(state, body as AllocationBody)
    if (path[0] === 'os-services') return writeService(state, path[1] ?? '', body)
    const row = state.servers.find(({ id, status }) => id === path[1] && status !== 'DELETED')
    if (row === undefined) return refused(404, `Instance ${path[1]} could not be found.`)
    const later = (run: () => void) => void state.pending.push({ at: state.clockMs + takesMs, requestId, run })
    if (path[2] === 'migrations') return ofMigration({ state, row, body, later, requestId }, path[3] ?? '')
    const [name = ''] = Object.keys(body)
    return ACTIONS[name]?.({ state, row, body, later, requestId }) ?? refused(400, `There is no such action: ${name}`)
  }
  return { ...answer(), requestId }
}

type Body = Readonly<Record<string, unknown>>

interface Work {
  readonly state: CloudState
  readonly row: ServerRow
  readonly body: Body
  readonly requestId: string
  readonly later: (run: () => void) => void
}
type Answer = Omit<WriteResponse, 'requestId'>

const ACCEPTED: Answer = { status: 202, body: undefined }
const KINDS: Readonly<Record<number, string>> = { 400: 'badRequest', 404: 'itemNotFound', 409: 'conflictingRequest' }
const refused = (status: number, message: string): Answer => ({
  status,
  body: { [KINDS[status] ?? 'computeFault']: { code: status, message } },
})

const STATE = 'OS-EXT-STS:vm_state'
const TASK = 'OS-EXT-STS:task_state'
const POWER = 'OS-EXT-STS:power_state'
const HOST = 'OS-EXT-SRV-ATTR:host'
const NODE = 'OS-EXT-SRV-ATTR:hypervisor_hostname'

/** The named host, or the first that accepts instances; null: no valid host. */
function chosen({ state, row }: Work, name: unknown): string | null {
  const fits = [...state.services]
    .filter(
      ([host, { status, forced_down, isAlive }]) =>
        host !== hostOf(row) && status === 'enabled' && isAlive && !forced_down,
    )
    .map(([host]) => host)
  return (name ? fits.find((host) => host === name) : fits[0]) ?? null
}

/** Nova's check of the state before anything is done. */
const inState =
  (name: string, states: readonly string[], act: (work: Work) => Answer) =>
  (work: Work): Answer => {
    const { id, [STATE]: state, [TASK]: task } = work.row
    if (task !== null) return refused(409, `Cannot '${name}' instance ${id} while it is in task_state ${task}`)
    if (!states.includes(String(state)))
      return refused(409, `Cannot '${name}' instance ${id} while it is in vm_state ${state}`)
    return act(work)
  }

const NO_HOST = 'No valid host was found. There are not enough hosts available.'

function live(work: Work): Answer {
  const { state, row, body, later } = work
  const target = chosen(work, (body['os-migrateLive'] as { host: string | null }).host)
  if (target === null) return unplaced(work, 'live-migration')
  const migration = beginMigration(state, row, target)
  Object.assign(migration, { requestId: work.requestId })
  later(() => endMigration(state, migration))
  return ACCEPTED
}

/** Accepted, but then no host is found: the record ends in error, and the instance is unchanged. */
function unplaced({ state, row, later, requestId }: Work, type: 'live-migration' | 'migration'): Answer {
  const [status, vmState] = [row.status, row[STATE]]
  const migration = begin(state, row, { target: hostOf(row), type, status: 'accepted', task: 'migrating' })
  drop(state, hostOf(row), migration.uuid)
  hold(state, { host: hostOf(row), consumer: row.id, flavor: flavorOf(row) })
  Object.assign(migration, { dest_compute: null, dest_node: null })
  later(() => {
    state.faults.set(requestId, NO_HOST)
    writeRecord(state, migration, 'error')
    write(state, row, { status, [STATE]: vmState, [TASK]: null })
  })
  return ACCEPTED
}

function cold(work: Work): Answer {
  const { state, row, body, later } = work
  const flavor = (body.resize as { flavorRef: string } | undefined)?.flavorRef ?? flavorOf(row)
  const target = chosen(work, (body.migrate as { host: string } | null | undefined)?.host)
  if (target === null) return unplaced(work, 'migration')
  const type = body.resize ? 'resize' : 'migration'
  const before = { flavor: flavorOf(row), state: row[STATE], power: row[POWER] }
  const migration = begin(state, row, { target, type, status: 'migrating', task: 'resize_migrating', flavor })
  Object.assign(migration, { before })
  later(() => {
    writeRecord(state, migration, 'finished')
    const at = { [HOST]: target, [NODE]: target, flavor: flavorNamed(flavor).embedded }
    write(state, row, { ...at, status: 'VERIFY_RESIZE', [STATE]: 'resized', [TASK]: null })
  })
  return ACCEPTED
}

const newest = ({ state, row }: Work): MigrationRow | undefined =>
  state.migrations.findLast(({ instance_uuid }) => instance_uuid === row.id)

function confirm(work: Work): Answer {
  const { state, row, later } = work
  const migration = newest(work)
  if (migration?.status !== 'finished') return refused(400, 'Instance has not been resized.')
  writeRecord(state, migration, 'confirming')
  later(() => {
    drop(state, String(migration.source_compute), migration.uuid)
    writeRecord(state, migration, 'confirmed')
    write(state, row, { status: 'ACTIVE', [STATE]: 'active' })
  })
  return ACCEPTED
}

function revert(work: Work): Answer {
  const { state, row, later } = work
  const migration = newest(work)
  if (migration?.status !== 'finished') return refused(400, 'Instance has not been resized.')
  const source = String(migration.source_compute)
  const { flavor } = migration.before as { flavor: string }
  writeRecord(state, migration, 'reverting')
  write(state, row, { status: 'REVERT_RESIZE', [TASK]: 'resize_reverting' })
  later(() => {
    drop(state, hostOf(row), row.id)
    drop(state, source, migration.uuid)
    hold(state, { host: source, consumer: row.id, flavor })
    writeRecord(state, migration, 'reverted')
    const at = { [HOST]: source, [NODE]: source, flavor: flavorNamed(flavor).embedded }
    write(state, row, { ...at, status: 'ACTIVE', [STATE]: 'active', [TASK]: null })
  })
  return ACCEPTED
}

function evacuate(work: Work): Answer {
  const { state, row, body, later } = work
  const service = state.services.get(hostOf(row))
  if (service?.isAlive && !service.forced_down)
    return refused(400, `Compute service of ${hostOf(row)} is still in use.`)
  const target = chosen(work, (body.evacuate as { host?: string }).host)
  if (target === null) return unplaced(work, 'migration')
  const migration = begin(state, row, { target, type: 'evacuation', status: 'accepted', task: 'rebuilding' })
  later(() => {
    writeRecord(state, migration, 'done')
    write(state, row, { [HOST]: target, [NODE]: target, status: 'ACTIVE', [STATE]: 'active', [TASK]: null })
  })
  return ACCEPTED
}

/** Sets a task state, and when it is over these values, unless `done` returns false. */
const task =
  (name: string, after: Readonly<Record<string, unknown>>, done: (work: Work) => boolean = () => true) =>
  (work: Work): Answer => {
    write(work.state, work.row, { [TASK]: name })
    work.later(() => write(work.state, work.row, { ...(done(work) && after), [TASK]: null }))
    return ACCEPTED
  }

function offload({ state, row }: Work): boolean {
  drop(state, hostOf(row), row.id)
  return true
}

/** Without a valid host, Nova leaves the instance shelved. */
function takeHost(work: Work): boolean {
  const { state, row, body } = work
  const target = chosen(work, (body.unshelve as { host?: string } | null)?.host)
  if (target === null) return false
  hold(state, { host: target, consumer: row.id, flavor: flavorOf(row) })
  Object.assign(row, { [HOST]: target, [NODE]: target })
  return true
}

const ON = { status: 'ACTIVE', [STATE]: 'active', [POWER]: 1 }
const OFF = { status: 'SHUTOFF', [STATE]: 'stopped', [POWER]: 4 }
const SHELVED = { status: 'SHELVED_OFFLOADED', [STATE]: 'shelved_offloaded', [POWER]: 4, [HOST]: null, [NODE]: null }

const ACTIONS: Readonly<Record<string, (work: Work) => Answer>> = {
  'os-migrateLive': inState('os-migrateLive', ['active', 'paused'], live),
  migrate: inState('migrate', ['active', 'stopped'], cold),
  resize: inState('resize', ['active', 'stopped'], cold),
  confirmResize: inState('confirmResize', ['resized'], confirm),
  revertResize: inState('revertResize', ['resized'], revert),
  evacuate: inState('evacuate', ['active', 'stopped', 'error'], evacuate),
  shelve: inState('shelve', ['active', 'stopped'], task('shelving', SHELVED, offload)),
  unshelve: inState('unshelve', ['shelved', 'shelved_offloaded'], task('unshelving', ON, takeHost)),
  'os-start': inState('start', ['stopped'], task('powering-on', ON)),
  'os-stop': inState('stop', ['active', 'error'], task('powering-off', OFF)),
  reboot: inState('reboot', ['active', 'stopped', 'error'], task('rebooting_hard', ON)),
  rebuild: inState('rebuild', ['active', 'stopped', 'error'], rebuild),
  'os-resetState': ({ state, row, body }) => {
    const { state: to } = body['os-resetState'] as { state: string }
    write(state, row, { [STATE]: to, [TASK]: null, status: to.toUpperCase() })
    return ACCEPTED
  },
}

/** A stopped instance is stopped again afterwards. */
function rebuild(work: Work): Answer {
  const { row, body } = work
  const { imageRef } = body.rebuild as { imageRef: string }
  if (imageRef !== (row.image as { id?: string }).id) return refused(400, `Cannot find image for rebuild: ${imageRef}.`)
  return task('rebuilding', row[STATE] === 'stopped' ? OFF : ON)(work)
}

/** `DELETE …/migrations/{m}` aborts, `POST …/migrations/{m}/action` forces. */
function ofMigration({ state, row, body }: Work, id: string): Answer {
  const migration = state.migrations.find((each) => String(each.id) === id && each.instance_uuid === row.id)
  if (migration === undefined) return refused(404, `Migration ${id} for instance ${row.id} could not be found.`)
  if (migration.status !== 'running')
    return refused(400, `Migration ${id} state of instance ${row.id} is ${migration.status}. Cannot act on it.`)
  // Nova's later work on it is cancelled.
  const rest = state.pending.filter((each) => each.requestId !== migration.requestId)
  state.pending.splice(0, state.pending.length, ...rest)
  if ('force_complete' in body) {
    endMigration(state, migration)
    return ACCEPTED
  }
  drop(state, String(migration.dest_compute), row.id)
  drop(state, String(migration.source_compute), migration.uuid)
  hold(state, { host: String(migration.source_compute), consumer: row.id, flavor: flavorOf(row) })
  writeRecord(state, migration, 'cancelled')
  write(state, row, { status: 'ACTIVE', [TASK]: null })
  return ACCEPTED
}

function writeService(state: CloudState, id: string, body: Body): Answer {
  const service = state.services.get(id.replace(/^svc-/, ''))
  if (service === undefined) return refused(404, `Service ${id} could not be found.`)
  const written = { updated_at: recordTime(state) }
  Object.assign(service, body, body.status === 'enabled' ? { disabled_reason: null } : {}, written)
  return { status: 200, body: { service: { id, ...service } } }
}

type AllocationBody = Readonly<
  Record<
    string,
    {
      readonly allocations: Readonly<Record<string, { readonly resources: Record<string, number> }>>
      readonly consumer_generation: number | null
    }
  >
>

/** Guarded by generations. */
function writeAllocations(state: CloudState, body: AllocationBody): Answer {
  const { providers } = state
  const isHeld = (id: string) => providers.some(({ allocations }) => allocations.has(id))
  const isStale = Object.entries(body).some(
    ([id, { consumer_generation }]) => (isHeld(id) ? generationOf(state, id) : null) !== consumer_generation,
  )
  if (isStale) return { status: 409, body: { errors: [{ status: 409, detail: 'consumer generation conflict' }] } }
  for (const [id, { allocations }] of Object.entries(body)) {
    for (const { name, uuid } of providers) {
      drop(state, name, id)
      const now = allocations[uuid]
      if (now) holdAmounts(state, { host: name, consumer: id, amounts: now.resources })
    }
  }
  return { status: 204, body: undefined }
}
