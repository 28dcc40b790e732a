import type { HostId, InstanceId } from '../../engine/words/ids'
import type { Answer, DomainStates, Driver, DriverOperation, SurveyedInstance } from '../driver'
import type { Domain } from './connection'
import { acceptFence, type DomainRecord, type DomainRecordStore, updateDomainRecord } from './domain-record'
import { build, clean, destroy, prepare, runAt } from './lifecycle'
import { forceLive, migrateLive, stopLive } from './live-transfer'
import { isActive, observedOf, observedStateOf, observeSides, powerOf } from './observation'
import { DONE, failed, fenceOf, type LibvirtContext, onDriverOperation, onInstance } from './operation'
import { changePower } from './power'
import { shutDownSource, stopShutdown } from './transfer'
import { witnessedDomains, witnessedName } from './witness'

// Real hosts, through libvirt. Nothing is kept here between two calls: state is read from the hosts, and what they
// cannot store from a record that all servers share, so any server can continue where another ended.

type Act<A> = (context: LibvirtContext, of: DriverOperation, record: DomainRecord) => Promise<A>

export function libvirtDriver(context: LibvirtContext): Driver {
  const on =
    <A>(act: Act<A>) =>
    (of: DriverOperation) =>
      onDriverOperation(context, of, (at, record) => act(at, of, record))
  const byKind = <A>(live: Act<A>, other: Act<A>) =>
    on<A>((at, of, record) => (of.operation === 'live-migrate' ? live : other)(at, of, record))
  return {
    prepare: on(prepare),
    transfer: byKind(migrateLive, shutDownSource),
    stopTransfer: byKind<Answer>(stopLive, stopShutdown),
    forceTransfer: byKind<Answer>(forceLive, async () => failed('no live transfer is active')),
    locate: (driverOperation) => locate(context, driverOperation),
    runAt: async (driverOperation, side) =>
      driverOperation[side] === null ? DONE : on((at, of) => runAt(at, of, side))(driverOperation),
    clean: async (driverOperation, side) =>
      driverOperation[side] === null ? DONE : on((at, of, record) => clean(at, of, { side, record }))(driverOperation),
    build: (order) => onInstance(context, order, (at) => build(at, order)),
    destroy: (order) => onInstance(context, order, (at) => destroy(at, order)),
    power: (order) => onInstance(context, order, (at, record) => changePower(at, order, record)),
    survey: (host, signal) => survey(context, host, signal),
    domains: (host, signal) => witnessedDomains(context.links, host, signal),
    hostname: (host) => witnessedName(context.links, host),
  }
}

/** Records the caller's fence: an operation with an older one comes too late from then on. */
async function locate({ links, memory }: LibvirtContext, driverOperation: DriverOperation): Promise<DomainStates> {
  const fence = fenceOf(driverOperation)
  await updateDomainRecord(memory, driverOperation.instance, (before) => acceptFence(before, fence) ?? before)
  return (await observeSides(links, driverOperation)).observedState
}

/** Domains that Berth did not create are omitted; the import lists them. One that runs without its tag is not. Throws HostSilence. */
async function survey(
  { links, memory }: LibvirtContext,
  host: HostId,
  signal?: AbortSignal,
): Promise<readonly SurveyedInstance[]> {
  return links.at(host, async (connection) => {
    signal?.throwIfAborted()
    const surveyed = await connection.domains(async (domain): Promise<SurveyedInstance[]> => {
      signal?.throwIfAborted()
      const stored = await connection.migratableXml(domain.uuid, 'stored')
      const seen = stored === null ? null : observedOf(domain, stored)
      if (seen === null) return stored !== null && (await isUntagged(memory, domain)) ? [untaggedDomain(domain)] : []
      const { instance, claim, settled, migration } = seen.tag
      const observedState = observedStateOf(seen)
      return [{ instance, migration: settled ? null : migration, observedState, power: powerOf(domain), claim }]
    })
    return surveyed.flat()
  })
}

/** The record outlives the tag: a running domain that has one is an instance that another tool redefined. */
async function isUntagged(memory: DomainRecordStore, domain: Domain): Promise<boolean> {
  if (!isActive(domain)) return false
  // A record that cannot be read exists, and must not make the whole host silent.
  return memory.read(domain.uuid as InstanceId).then(
    ({ version }) => version > 0,
    () => true,
  )
}

const untaggedDomain = (domain: Domain): SurveyedInstance => ({
  ...{ instance: domain.uuid as InstanceId, migration: null, observedState: 'running' },
  ...{ power: powerOf(domain), claim: null, untagged: true },
})
