import type { Host } from '../../engine/host'
import type { Line } from '../../engine/rows'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import { readCloud } from '../../store/cloud/cloud'
import { readFindings } from '../../store/finding/list'
import { readPlan } from '../../store/heal/plan'
import { readInstances } from '../../store/instance/list'
import { readRollout } from '../../store/layout/read'
import { readMigrations } from '../../store/migration/list'
import { readForeignConsumer } from '../../store/placement/owner'
import { type ProposalRow, readProposal } from '../../store/proposal/proposal'
import { readRun } from '../../store/run/read'
import { RefusalError, refuseUnknown } from '../refusal/refused'
import { runReach } from '../run/reach'
import type { ApiServices } from '../services'
import { type HostOf, migrationPlaces, permitTargetsOf, placeOf } from './permits'
import { type Permit, type PermitTarget, permitOn, permitSomewhere, type Rights, touchedHost } from './rights'
import { type Capability, may } from './roles'

// The objects of a write, as its input names them, and from there hosts, zones and clouds. Read only for users with a
// role in a part of the fleet: for others the role alone decides.

export type Subject =
  | { readonly of: 'host'; readonly id: HostId }
  | { readonly of: 'instance'; readonly id: InstanceId }
  | { readonly of: 'migration'; readonly id: MigrationId }
  | { readonly of: 'cloud'; readonly id: string }
  /** `reach`: with the hosts that its plan may choose. */
  | { readonly of: 'run'; readonly id: string; readonly reach: boolean }
  /** Without `parts`, all of it. */
  | { readonly of: 'repair'; readonly id: string; readonly parts?: readonly number[] }
  | { readonly of: 'finding'; readonly id: string }
  | { readonly of: 'proposal'; readonly id: string }
  | { readonly of: 'consumer'; readonly id: string }
  | { readonly of: 'rollout'; readonly id: string }
  /** A host that the scheduler chooses among those in the user's scope. */
  | { readonly of: 'chosen' }
  | { readonly of: 'fleet'; readonly what: string }

type Services = Pick<ApiServices, 'database' | 'fleet' | 'now'>

/** Whether they may do it to all of this. What does not exist is refused as unknown. */
export async function permitTo(
  services: Services,
  { rights, capability }: { readonly rights: Rights; readonly capability: Capability },
  subjects: readonly Subject[],
): Promise<Permit> {
  if (may(rights.role, capability)) return { ok: true }
  const some = permitSomewhere(rights, capability)
  if (!some.ok || subjects.every(({ of }) => of === 'chosen')) return some
  const touched = await Promise.all(subjects.map((each) => touchedBy(services, each)))
  return permitOn(rights, capability, touched.flat())
}

/** The same for a list, in which one deleted object must not hide all others. */
export const permitShown = (...asked: Parameters<typeof permitTo>): Promise<Permit> =>
  permitTo(...asked).catch((error: unknown) => {
    if (error instanceof RefusalError) return { ok: false, why: `${error.message}.` }
    throw error
  })

const hostOf =
  ({ fleet }: Services): HostOf =>
  (id) =>
    fleet.host(id)

async function touchedBy(services: Services, subject: Subject): Promise<readonly PermitTarget[]> {
  const { database, fleet } = services
  switch (subject.of) {
    case 'host':
      return [touchedHost(fleet.host(subject.id) ?? refuseUnknown('host', subject.id))]
    case 'instance':
      return instanceTouched(services, subject.id)
    case 'migration':
      return migrationTouched(services, subject.id)
    case 'cloud': {
      const { name } = (await readCloud(database, subject.id)) ?? refuseUnknown('cloud', subject.id)
      return [{ kind: 'cloud', name }]
    }
    case 'run':
      return runTouched(services, subject)
    case 'repair':
      return repairTouched(services, subject)
    case 'finding':
      return findingTouched(services, subject.id)
    case 'proposal': {
      const row =
        (await readProposal(database, subject.id, services.now())) ?? refuseUnknown('approval request', subject.id)
      return touchedBy(services, proposed(row))
    }
    case 'consumer': {
      const consumer = (await readForeignConsumer(database, subject.id)) ?? refuseUnknown('consumer', subject.id)
      return permitTargetsOf(
        hostOf(services),
        consumer.amounts.map(({ host }) => host),
        `consumer ${subject.id}`,
      )
    }
    case 'rollout': {
      const rollout = (await readRollout(database, subject.id)) ?? refuseUnknown('rollout', subject.id)
      return permitTargetsOf(hostOf(services), rollout.hosts, 'the rollout')
    }
    case 'chosen':
      return []
    case 'fleet':
      return [{ kind: 'fleet', name: subject.what }]
    default:
      return subject satisfies never
  }
}

/** The objects of a proposal, on which the approver must have the right. */
export function proposed({ kind, host, plan, parts, consumer, cloud }: Omit<ProposalRow, 'id'>): Subject {
  switch (kind) {
    case 'heal':
      return { of: 'repair', id: plan ?? '', parts }
    case 'release':
      return { of: 'consumer', id: consumer ?? '' }
    case 'evacuation':
      return { of: 'run', id: plan ?? '', reach: true }
    case 'cloud':
      return { of: 'cloud', id: cloud ?? '' }
    default:
      return { of: 'host', id: host as HostId }
  }
}

async function instanceTouched({ database, fleet }: Services, id: InstanceId): Promise<readonly PermitTarget[]> {
  const [instance] = await readInstances(database, [id])
  if (!instance) return refuseUnknown('instance', id)
  return [placeOf({ instance, host: instance.host === null ? null : fleet.host(instance.host) })]
}

async function migrationTouched({ database, fleet }: Services, id: MigrationId): Promise<readonly PermitTarget[]> {
  const [found] = await readMigrations(database, [id])
  return found ? migrationPlaces(found.migration, (host) => fleet.host(host)) : refuseUnknown('migration', id)
}

async function runTouched(
  { database, fleet }: Services,
  { id, reach }: { readonly id: string; readonly reach: boolean },
): Promise<readonly PermitTarget[]> {
  const { run } = (await readRun(database, id)) ?? refuseUnknown('drain or evacuation', id)
  const host = (each: HostId) => fleet.host(each)
  return reach ? runReach(run, host) : permitTargetsOf(host, [run.host], 'the plan')
}

async function findingTouched(services: Services, id: string): Promise<readonly PermitTarget[]> {
  const [finding] = await readFindings(services.database, [id])
  if (!finding) return refuseUnknown('finding', id)
  const { host, instance } = finding
  if (host === null && instance !== null) return instanceTouched(services, instance as InstanceId)
  return permitTargetsOf(hostOf(services), [host], 'the finding')
}

async function repairTouched(
  services: Services,
  { id, parts }: { readonly id: string; readonly parts?: readonly number[] },
): Promise<readonly PermitTarget[]> {
  const plan = (await readPlan(services.database, id)) ?? refuseUnknown('repair', id)
  const chosen = plan.parts.filter(({ n }) => parts === undefined || parts.includes(n))
  const lines = chosen.flatMap(({ part }) => (part as { readonly lines: readonly Line[] }).lines)
  const roots = rootsOf(services.fleet.hosts())
  const [rows, records] = [lines.filter(({ row }) => row !== 'migration'), lines.filter(isOfMigration)]
  const named = rows.flatMap((line) => hostsOf(line, roots))
  const ofMigrations = await Promise.all(records.map(({ key }) => migrationTouched(services, key.id)))
  // A repair without any line is in no scope.
  const ofRows = rows.length > 0 || records.length === 0 ? permitTargetsOf(hostOf(services), named, 'the repair') : []
  return [...ofRows, ...ofMigrations.flat()]
}

const isOfMigration = (line: Line): line is Extract<Line, { readonly row: 'migration' }> => line.row === 'migration'

/** The host of each provider. A shared provider belongs to none. */
function rootsOf(hosts: readonly Host[]): ReadonlyMap<string, HostId> {
  const owners = new Map<string, HostId>()
  const shared = new Set<string>()
  for (const host of hosts)
    for (const { id } of host.providers) {
      if (owners.has(id)) shared.add(id)
      owners.set(id, host.id)
    }
  return new Map([...owners].filter(([id]) => !shared.has(id)))
}

/**
 * Every host that a row names. A consumer's row names none and counts with its claims; any other such row belongs to no
 * host.
 */
function hostsOf(line: Line, roots: ReadonlyMap<string, HostId>): readonly (string | null)[] {
  const named = [line.key, line.before, line.after].flatMap((value) =>
    Object.entries(value ?? {}).flatMap(([name, id]): (string | null)[] => {
      if (name === 'host' && typeof id === 'string') return [id]
      return name === 'provider' && typeof id === 'string' ? [roots.get(id) ?? null] : []
    }),
  )
  const all = line.host === null ? named : [line.host, ...named]
  return all.length === 0 && line.row !== 'consumer' ? [null] : all
}
