import type { Side } from '../../engine/migration/state'
import type { HostId, InstanceId } from '../../engine/words/ids'
import type { UnitName } from '../../engine/words/units'
import type {
  Answer,
  BuildOrder,
  DestroyOrder,
  DomainStates,
  Driver,
  DriverOperation,
  ObservedState,
  SurveyedDevice,
  SurveyedInstance,
} from '../driver'
import { attachments, devicesShown, type Hardware } from './devices'
import { type HostFault, type OperationContext, type OperationResult, onHost, withFault } from './faults'
import { acceptFences, fenceAt, withFence } from './fences'
import { build, clean, destroy, prepare, runAt } from './lifecycle'
import { changePower, inState, powerOfCopy } from './power'
import {
  answers,
  booted,
  type Copy,
  type DriverOperationKind,
  emptyInstance,
  type HostRecord,
  hostIn,
  type InstanceRecord,
  outageOf,
  type Scene,
  withInstance,
} from './record'
import { defaultDirtyRate, settle } from './settle'
import { copyAtSide } from './sides'
import type { ReadScene, SimulatorState } from './state'
import { forceTransfer, readsSource, stopTransfer, transfer } from './transfer'

// A fleet of hosts that exist only in a table. Each operation reads the scene, computes its present state, acts and
// writes; after a concurrent write it reads again.

export interface SimulatorOptions {
  readonly state: SimulatorState
  /** Ms since the epoch; scenarios advance it manually. */
  readonly now: () => number
  /** How many times faster than real hosts everything goes. */
  readonly speed: number
  /** Assignable devices of a host; null when unknown. Omitted: no host reports devices. */
  readonly hardware?: (host: HostId) => Hardware | null
}

/** Behaviour of the guest. `ignore-button`: it ignores the power button, until `obey-button`. */
export type GuestFault = 'crash' | 'shut-down' | 'ignore-button' | 'obey-button'

/** State of a host of the fleet, for the fault buttons. */
export interface HostStatus {
  readonly power: 'running' | 'silent' | 'booting' | 'fenced' | 'killed' | 'gone'
  readonly record: HostRecord
}

export interface SimulatedFleet extends Driver {
  setFault(host: HostId, fault: HostFault): Promise<void>
  setDirtyRate(instance: InstanceId, bytesPerS: number): Promise<void>
  setGuestFault(instance: InstanceId, fault: GuestFault): Promise<void>
  status(host: HostId): Promise<HostStatus>
  /** Bytes the guest writes per second; null when the fleet has no such domain. */
  dirtyRate(instance: InstanceId): Promise<number | null>
  /** The instance that a device is attached to, even on a host that does not answer; null: none. */
  attachedTo(host: HostId, unit: UnitName): Promise<InstanceId | null>
  /** Every copy of every instance at one moment, including hosts that do not answer; those that are gone have none. */
  everyCopy(): Promise<readonly CopyOf[]>
  /** Creates running or stopped instances on their recorded hosts, many at once. */
  adopt(instances: readonly AdoptedInstance[]): Promise<void>
}

export interface CopyOf extends Copy {
  readonly instance: InstanceId
}

export type AdoptedInstance = Omit<BuildOrder, 'fence'> & { readonly running: boolean }

const STALE: Answer = { did: 'stale-fence' }
const MAX_RACES = 50 // operations on one instance come from one conductor at a time, so more than a few races are a bug

export function simulatedFleet(options: SimulatorOptions): SimulatedFleet {
  const { state, now } = options
  const at = (half: boolean) => ({ now: now(), speed: options.speed, half })
  const moved =
    <A>(verb: DriverOperationKind, on: On, act: MigrationAct<A>) =>
    (driverOperation: DriverOperation) =>
      actOn<A>(options, { driverOperation, verb, on }, (scene, half) => act(scene, driverOperation, at(half)))
  const changeInstance = (instance: InstanceId, changed: (scene: Scene) => Scene) =>
    change(options, { instance, hosts: [] }, (scene) => ({ scene: changed(scene), answer: undefined }))

  return {
    prepare: moved('prepare', 'target', prepare),
    transfer: moved('transfer', 'working', transfer),
    stopTransfer: moved('stopTransfer', 'working', stopTransfer),
    forceTransfer: moved('forceTransfer', 'working', forceTransfer),
    runAt: (driverOperation, side) =>
      moved('runAt', side, (scene, of, context) => runAt(scene, of, { ...context, side }))(driverOperation),
    clean: (driverOperation, side) =>
      moved('clean', side, (scene, of, context) => clean(scene, of, { ...context, side }))(driverOperation),
    locate: (driverOperation) => locate(options, driverOperation),
    build: (order) => lifecycle(options, { verb: 'build', ...order }, (scene, half) => build(scene, order, at(half))),
    destroy: (order) =>
      lifecycle(options, { verb: 'destroy', ...order }, (scene, half) => destroy(scene, order.host, at(half))),
    power: (order) =>
      lifecycle(options, { verb: 'power', ...order }, (scene, half) => changePower(scene, order, at(half))),
    survey: (host) => survey(options, host),
    devices: (host) => devices(options, host),
    attachedTo: async (host, unit) => {
      const { record, copies } = await readHere(options, host)
      return attachments(record, copies).get(unit) ?? null
    },
    setFault: (host, fault) => setFault(options, host, fault),
    setDirtyRate: (instance, bytesPerS) =>
      changeInstance(instance, (scene) =>
        withInstance(scene, { dirty: [...scene.record.dirty, { at: now(), bytesPerS }] }),
      ),
    setGuestFault: (instance, fault) => changeInstance(instance, (scene) => withGuestFault(scene, fault, now())),
    everyCopy: async () => (await state.readAll()).flatMap((read) => copiesOf(sceneOf(read, now()), now())),
    adopt: (instances) => state.adopt(instances.map((instance) => adopted(instance, now()))),
    status: async (host) => statusOf(booted((await state.readHost(host)).host.record, now())),
    dirtyRate: async (instance) => {
      const { record } = (await state.readScene(instance, [])).instance
      if (record.copies.length === 0) return null
      return record.dirty.at(-1)?.bytesPerS ?? defaultDirtyRate(record)
    },
  }
}

/**
 * The host that an operation addresses. `working`: the source runs a transfer, or the target if the source is not read.
 */
type On = Side | 'working'
type ActOn<A> = (scene: Scene, half: boolean) => OperationResult<A | Answer>
type MigrationAct<A> = (scene: Scene, of: DriverOperation, context: OperationContext) => OperationResult<A | Answer>

interface Order {
  readonly driverOperation: DriverOperation
  readonly verb: DriverOperationKind
  readonly on: On
}

async function actOn<A>(options: SimulatorOptions, order: Order, act: ActOn<A>): Promise<A | Answer> {
  const { driverOperation, verb } = order
  const host = hostOfOrder(order)
  // A side that does not exist has nothing to run or to clean.
  if (host === null) return { did: 'done' }
  return change(options, keysOf(driverOperation), (scene) =>
    onHost(scene, { verb, host }, (here, half) => {
      const accepted = acceptFences(here, driverOperation, [host, ...reached(here, driverOperation)])
      return accepted ? act(accepted, half) : { scene: here, answer: STALE }
    }),
  )
}

const reached = (scene: Scene, { source, target, reach }: DriverOperation): HostId[] =>
  [reach.source ? source : null, reach.target ? target : null].filter(
    (host) => host !== null && answers(hostIn(scene, host)),
  ) as HostId[]

interface Lifecycle extends DestroyOrder {
  readonly verb: 'build' | 'destroy' | 'power'
}

/** Creating and destroying an instance have a separate fence: a late build must not undo a destroy. */
function lifecycle<A>(options: SimulatorOptions, order: Lifecycle, act: ActOn<A>): Promise<A | Answer> {
  const { verb, instance, host, fence } = order
  return change(options, { instance, hosts: [host] }, (scene) =>
    onHost<A | Answer>(scene, { verb, host }, (here, half) => {
      const seen = { migration: null, host, fence }
      if (fenceAt(here.record, seen) > fence) return { scene: here, answer: STALE }
      return act(withFence(here, seen), half)
    }),
  )
}

function hostOfOrder({ driverOperation, on }: Order): HostId | null {
  if (on !== 'working') return driverOperation[on]
  return readsSource(driverOperation) ? driverOperation.source : driverOperation.target
}

/** Observes both sides. Hosts that answer have then seen the fence, so an older driver can do nothing there (L7). */
async function locate(options: SimulatorOptions, driverOperation: DriverOperation): Promise<DomainStates> {
  return change(options, keysOf(driverOperation), (scene) => {
    const source = observeSide(scene, driverOperation, 'source')
    const target = observeSide(source.scene, driverOperation, 'target')
    const accepted = acceptFences(target.scene, driverOperation, reached(target.scene, driverOperation)) ?? target.scene
    return { scene: accepted, answer: { source: source.answer, target: target.answer } }
  })
}

/** Observes one side. A failed read observes nothing, whatever the reason. */
function observeSide(scene: Scene, driverOperation: DriverOperation, side: Side): OperationResult<ObservedState> {
  const host = driverOperation[side]
  if (host === null) return { scene, answer: 'absent' }
  const seen = onHost<ObservedState>(scene, { verb: 'locate', host }, (here, half) => {
    return { scene: here, answer: half ? 'silent' : (copyAtSide(here, driverOperation, side)?.is ?? 'absent') }
  })
  return { scene: seen.scene, answer: typeof seen.answer === 'string' ? seen.answer : 'silent' }
}

async function survey(options: SimulatorOptions, host: HostId): Promise<SurveyedInstance[] | null> {
  const { record, copies } = await readHere(options, host)
  if (!answers(record)) return null
  return copies.map((copy) => {
    const { instance, settled, madeBy, is, claim } = copy
    return { instance, migration: settled ? null : madeBy, observedState: is, power: powerOfCopy(copy), claim }
  })
}

async function devices(options: SimulatorOptions, host: HostId): Promise<SurveyedDevice[] | null> {
  const hardware = options.hardware?.(host) ?? null
  if (hardware === null) return null
  const { record, copies } = await readHere(options, host)
  return answers(record) ? devicesShown(record, hardware, copies) : null
}

async function readHere({ state, now }: SimulatorOptions, host: HostId) {
  const read = await state.readHost(host)
  const instances = read.scenes.map((scene) => settle(sceneOf(scene, now()), now()).record)
  const copies = instances.flatMap((instance) =>
    instance.copies.map((copy) => ({ ...copy, instance: instance.instance })),
  )
  return { record: booted(read.host.record, now()), copies: copies.filter((copy) => copy.host === host) }
}

function copiesOf(scene: Scene, now: number): CopyOf[] {
  const { instance, copies } = settle(scene, now).record
  const left = copies.filter((copy) => outageOf(hostIn(scene, copy.host))?.by !== 'gone')
  return left.map((copy) => ({ ...copy, instance }))
}

interface Keys {
  readonly instance: InstanceId
  readonly hosts: readonly HostId[]
}

const keysOf = ({ instance, source, target }: DriverOperation): Keys => ({
  instance,
  hosts: [source, target].filter((host) => host !== null),
})

/** Reads, settles, acts and writes; retries after a concurrent write. */
async function change<A>(options: SimulatorOptions, keys: Keys, act: (scene: Scene) => OperationResult<A>): Promise<A> {
  for (let race = 0; race < MAX_RACES; race++) {
    const read = await options.state.readScene(keys.instance, keys.hosts)
    const before = sceneOf(read, options.now())
    const { scene, answer } = act(settle(before, options.now()))
    const instances = scene.record === before.record ? [] : [{ version: read.instance.version, record: scene.record }]
    const hosts = read.hosts.flatMap(({ version, record }) => {
      const after = hostIn(scene, record.host)
      return after === record ? [] : [{ version, record: after }]
    })
    if (instances.length + hosts.length === 0 || (await options.state.write({ instances, hosts }))) return answer
  }
  throw new Error(`The simulated instance ${keys.instance} was written ${MAX_RACES} times by others.`)
}

async function setFault({ state, now, speed }: SimulatorOptions, host: HostId, fault: HostFault): Promise<void> {
  for (let race = 0; race < MAX_RACES; race++) {
    const { host: read } = await state.readHost(host)
    const record = withFault(booted(read.record, now()), fault, { now: now(), speed })
    if (await state.write({ instances: [], hosts: [{ version: read.version, record }] })) return
  }
  throw new Error(`The simulated host ${host} was written ${MAX_RACES} times by others.`)
}

function sceneOf(read: ReadScene, now: number): Scene {
  const hosts = read.hosts.map(({ record }) => [record.host, booted(record, now)] as const)
  return { record: read.instance.record, hosts: new Map(hosts) }
}

function withGuestFault(scene: Scene, fault: GuestFault, now: number): Scene {
  if (fault === 'ignore-button' || fault === 'obey-button') {
    return withInstance(scene, { ignoresButton: fault === 'ignore-button' })
  }
  const reason = fault === 'crash' ? 'crashed' : 'shutdown'
  const copies = scene.record.copies.map((copy) =>
    copy.is === 'running' ? inState(copy, 'stopped', { at: now, reason }) : copy,
  )
  return withInstance(scene, { copies })
}

function statusOf(record: HostRecord): HostStatus {
  const outage = outageOf(record)
  return { record, power: outage ? outage.by : record.bootsUntil ? 'booting' : record.silent ? 'silent' : 'running' }
}

function adopted({ host, flavor, image, claim, ...instance }: AdoptedInstance, since: number): InstanceRecord {
  const is = instance.running ? 'running' : 'stopped'
  const copy = { host, madeBy: null, settled: true, is, since, flavor, image, claim } as const
  return { ...emptyInstance(instance.instance), name: instance.name, copies: [copy] }
}
