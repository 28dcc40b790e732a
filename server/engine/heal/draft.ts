import type { HeldClaim } from '../audit/finding'
import { disproofNow } from '../audit/proof-checks'
import type { Guards } from '../change'
import type { Migration } from '../migration/state'
import type { Line } from '../rows'
import type { HostId, InstanceId, ProviderId } from '../words/ids'
import { type Owner, ownerName } from '../words/owner'
import { consumersOf, type HealContext, hostName } from './context'
import { linesBetween, putClaim, putConsumer, putStrays, putTypes, type RowImages } from './images'
import { type InstanceRepair, repairInstance } from './instance-repair'
import { hostsOf } from './part'
import { withUnrecorded } from './unrecorded'

// From what must be held to lines of rows. A unit that another claim holds wrongly includes that claim's instance: a
// unit has one row, so only both together can be repaired.

export interface Draft {
  readonly ok: true
  readonly lines: readonly Line[]
  readonly guards: Guards
  /** All instances whose rows are touched; the first is the subject. */
  readonly instances: readonly InstanceId[]
}
export type DraftResult = Draft | { readonly ok: false; readonly why: string }

const MAX_INSTANCES = 4 // further entangled instances are repaired one plan at a time

export function draftOf(recorded: HealContext, subject: InstanceId): DraftResult {
  const { context, made } = withUnrecorded(recorded, subject)
  const repairs = new Map<InstanceId, InstanceRepair>()
  const left: InstanceId[] = [subject]
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const foreign = consumersOf(context, next).flatMap((consumer) => context.ownerOf.get(consumer) ?? [])[0]
    if (foreign) return { ok: false, why: notOurs(foreign) }
    const answer = repairInstance(context, next)
    if (!answer.ok) return answer
    repairs.set(next, answer)
    for (const holder of losersTo(context, answer))
      if (!repairs.has(holder) && !left.includes(holder)) left.push(holder)
    if (repairs.size + left.length > MAX_INSTANCES)
      return { ok: false, why: 'Too many claims share these CPUs or devices.' }
  }
  const twice = findDuplicateUnit([...repairs.values()])
  if (twice !== null) return { ok: false, why: `Two instances both claim ${twice}. Migrate one of them.` }
  const own = [...repairs].flatMap(([instance, each]) => instanceLines(context, instance, each))
  const lines = [...made, ...claimLines(context, repairs), ...own]
  return { ok: true, lines, guards: guardsOf(context, { subject, repairs, lines }), instances: [...repairs.keys()] }
}

const notOurs = (owner: Owner) =>
  `${ownerName(owner)} has written allocations under this id, and Berth repairs only what it owns. Have that owner delete them, or release them first.`

/** Instances whose claims now hold what the repaired one will hold. */
function losersTo(context: HealContext, { before, after }: InstanceRepair): readonly InstanceId[] {
  const mine = new Set(before.map(({ holding }) => holding.claim))
  return after.flatMap(({ host, holding }) => {
    const units = new Set(holding.body.units.map(({ unit }) => unit))
    const others = (context.records.hosts.get(host.id)?.holdings ?? []).filter(({ claim }) => !mine.has(claim))
    return others.flatMap(({ instance, body }) => (body.units.some(({ unit }) => units.has(unit)) ? [instance] : []))
  })
}

function findDuplicateUnit(all: readonly InstanceRepair[]): string | null {
  const given = new Set<string>()
  for (const { host, holding } of all.flatMap(({ after }) => after)) {
    for (const { unit } of holding.body.units) {
      const name = `${unit} of ${host.name}`
      if (given.has(name)) return name
      given.add(name)
    }
  }
  return null
}

function claimLines(context: HealContext, repairs: ReadonlyMap<InstanceId, InstanceRepair>): readonly Line[] {
  const before: RowImages = new Map()
  const after: RowImages = new Map()
  for (const [instance, { before: had, after: has, hostAfter }] of repairs) {
    const name = context.records.instances.get(instance)?.name ?? `unknown instance ${instance}`
    for (const held of had) putClaim(before, held, `${name} should have no claim on ${held.host.name}.`)
    const lives = hostAfter === null ? 'is on no host' : `is on ${hostName(context, hostAfter)}`
    for (const held of has) {
      const whose = held.holding.consumerKind === 'migration' ? 'its migration' : 'it'
      putClaim(after, held, `${name} ${lives}, and ${whose} must have this claim on ${held.host.name}.`)
    }
    putLoose(context, { instance, had, has }, { before, after })
  }
  putTypes(before, context.typeOf)
  return linesBetween(before, after)
}

interface HeldBeforeAfter {
  readonly instance: InstanceId
  readonly had: readonly HeldClaim[]
  readonly has: readonly HeldClaim[]
}

/** Allocations without a claim, and consumer rows that exist already. */
function putLoose(
  context: HealContext,
  { instance, had, has }: HeldBeforeAfter,
  to: { before: RowImages; after: RowImages },
): void {
  const consumers = new Set([...consumersOf(context, instance), ...had.map(({ holding }) => holding.consumer)])
  const wanted = new Set(has.map(({ holding }) => holding.consumer))
  for (const consumer of consumers) {
    const strays = context.strayAllocationsOf.get(consumer) ?? []
    putStrays(to.before, strays, 'This allocation has no claim.')
    const row = context.consumersWithoutClaim.get(consumer)
    if (row && (strays.length > 0 || wanted.has(consumer))) putConsumer(to.before, row, 'It has no claim any more.')
  }
}

/** The instance's own row, and its leftovers on hosts it has left. */
function instanceLines(
  context: HealContext,
  instance: InstanceId,
  { hostAfter, refuted, leftovers }: InstanceRepair,
): readonly Line[] {
  const lines: Line[] = refuted === null ? [] : [endOf(context, refuted, hostAfter)]
  const row = context.records.instances.get(instance)
  if (row && row.host !== hostAfter) {
    const { host, vmState, flavor } = row
    const why = `Two surveys report ${row.name} on ${hostName(context, hostAfter)}, and all other records say that it is not there.`
    const after = { host: hostAfter, vmState, flavor }
    lines.push({ row: 'instance', key: { id: instance }, before: { host, vmState, flavor }, after, host: null, why })
  }
  for (const { host, migration } of leftovers) {
    const side = migration.source === host ? 'source' : 'target'
    const why = `What the migration left on ${hostName(context, host)} is cleaned up once the host answers.`
    const key = { host, instance, migration: migration.id }
    lines.push({ row: 'remain', key, before: null, after: { side }, host, why })
  }
  return lines
}

/** The record of a migration that everything else contradicts: it ends as it would have, without requests to hosts. */
function endOf(context: HealContext, ended: Migration, at: HostId | null): Line {
  const { step, home, outcome, cause, waiting } = ended
  const side = at === null ? home : (SIDES.find((each) => ended[each] === at) ?? home)
  const message = 'Ended by a repair of the records; no host was touched.'
  const row = context.records.instances.get(ended.instance)
  const broken = row === undefined ? null : disproofNow(context.records, ended, row)
  const found = row === undefined ? 'its instance does not exist' : (broken?.why ?? ended.waiting?.for ?? '')
  return {
    row: 'migration',
    key: { id: ended.id },
    before: { step, home, outcome, cause, waiting },
    after: { step: 'ended', home: side, outcome: 'failed', cause: { kind: 'failed', step, message }, waiting: null },
    host: null,
    why: `Other records contradict it: ${found}. It is ended in the records only.`,
  }
}

const SIDES = ['source', 'target'] as const

// What a decision relied on is guarded by its generation, as is the fact that a host is dead. A release relies on
// nothing but the rows themselves.
interface Reliance {
  readonly subject: InstanceId
  readonly repairs: ReadonlyMap<InstanceId, InstanceRepair>
  readonly lines: readonly Line[]
}

function guardsOf(context: HealContext, { subject, repairs, lines }: Reliance): Guards {
  const all = [...repairs.values()]
  const guards = new Map<ProviderId, Guards['providers'][number]>()
  const put = (guard: Guards['providers'][number]) => {
    if ((guards.get(guard.provider)?.generation ?? null) === null) guards.set(guard.provider, guard)
  }
  for (const each of all) for (const guard of each.guards) put(guard)
  for (const { host } of all.flatMap(({ leftovers }) => leftovers)) put(guardOf(context, host, true))
  for (const host of hostsOf(lines)) put(guardOf(context, host, false))
  // A consumer's claim is read with all its allocations, so its host is read again wherever the rows are.
  const changed = new Set(lines.flatMap((line) => (line.row === 'allocation' ? [line.key.consumer] : [])))
  for (const { host, holding } of all.flatMap(({ before, after }) => [...before, ...after])) {
    if (changed.has(holding.consumer)) put(guardOf(context, host.id, false))
  }
  const row = context.records.instances.get(subject)
  const migration = repairs.get(subject)?.migration ?? repairs.get(subject)?.refuted
  return {
    providers: [...guards.values()],
    instance: row ? { id: row.id, generation: row.generation } : null,
    migration: migration ? { id: migration.id, generation: migration.generation, fence: null } : null,
    group: null,
  }
}

function guardOf(context: HealContext, host: HostId, relied: boolean): Guards['providers'][number] {
  const root = context.records.hosts.get(host)?.providers[0]
  return {
    provider: root?.id ?? (host as string as ProviderId),
    generation: relied ? (root?.generation ?? null) : null,
  }
}
