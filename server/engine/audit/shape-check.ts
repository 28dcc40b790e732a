import type { Instance } from '../change'
import type { Demand } from '../demand'
import type { ClaimBody } from '../host'
import { perClass } from '../resources/allocation'
import type { Amount } from '../resources/inventory'
import type { GuestNode } from '../topology/guest-topology'
import type { ConsumerId } from '../words/ids'
import { DISK_GB, MEMORY_MB, PCPU, VCPU } from '../words/units'
import { type AuditRecords, type FindingKind, heldBy, ofHolding, type Report } from './finding'

// I5, second half: a claim holds what flavor and image require. Bodies and demands are frozen values, so an auditor
// checks each pair once.

export interface ShapeProblem {
  readonly kind: Extract<FindingKind, 'allocation-missing' | 'amount-wrong' | 'claim-differs-from-flavor'>
  readonly detail: string
}

export type Shape = Pick<Instance, 'flavor' | 'image'>
export type ShapeProblems = (body: ClaimBody, of: Shape) => readonly ShapeProblem[]

export function claimsAreAsDemanded(records: AuditRecords, report: Report, problemsOf: ShapeProblems): void {
  eachClaimOf(records, (consumer, of, kept) => {
    for (const { host, holding } of heldBy(records, consumer)) {
      for (const { kind, detail } of problemsOf(withAmountsOf(holding.body, kept), of)) {
        report({ kind, host: host.id, ...ofHolding(holding), expected: of.flavor.name, found: detail })
      }
    }
  })
}

/** `kept`: what stays with the instance at shared storage but belongs to the shape of this claim. */
type ClaimJudge = (consumer: ConsumerId, of: Shape, kept: readonly Amount[]) => void

const withAmountsOf = (body: ClaimBody, kept: readonly Amount[]): ClaimBody =>
  kept.length === 0 ? body : { ...body, amounts: [...body.amounts, ...kept] }

/** Each consumer of a claim, and the shape that the claim must have: during a migration, both of its consumers. */
export function eachClaimOf(records: AuditRecords, judge: ClaimJudge): void {
  for (const instance of records.snapshot.instances) {
    const migration = records.activeMigrationOf.get(instance.id)
    if (migration === undefined || migration.step === 'claim') {
      judge(instance.id, instance, [])
      continue
    }
    const old = { flavor: migration.oldFlavor, image: migration.oldImage }
    const next = { flavor: migration.newFlavor, image: migration.newImage }
    judge(instance.id, migration.direction === 'target' ? next : old, [])
    judge(migration.id, migration.direction === 'target' ? old : next, migration.kept)
  }
}

const COUNTED = [VCPU, PCPU, MEMORY_MB, DISK_GB]

/** What the claim lacks of the demand, and what it holds in excess. */
export function shapeProblems(demand: Demand, body: ClaimBody): readonly ShapeProblem[] {
  return [...amountProblems(demand, body), ...placeProblems(demand, body)]
}

/** What is wrong with NUMA nodes and devices, whatever the allocations. */
export function placeProblems(demand: Demand, body: ClaimBody): readonly ShapeProblem[] {
  const problems = [...nodeProblems(demand, body), ...deviceProblems(demand, body)]
  return problems.map((detail) => ({ kind: 'claim-differs-from-flavor', detail }))
}

function amountProblems(demand: Demand, body: ClaimBody): ShapeProblem[] {
  const held = perClass(body.amounts)
  const classes = new Set([...COUNTED, ...Object.keys(demand.amounts)])
  return [...classes].flatMap((each) => {
    const [need, have] = [demand.amounts[each] ?? 0, held.get(each) ?? 0]
    const kind = have === 0 ? 'allocation-missing' : 'amount-wrong'
    return unequal(each, need, have).map((detail): ShapeProblem => ({ kind, detail }))
  })
}

const unequal = (what: string, need: number, have: number): string[] =>
  need === have ? [] : [`${what} is ${have}, not ${need}`]

function nodeProblems({ topology }: Demand, body: ClaimBody): string[] {
  const asked = topology?.cells ?? []
  const problems = unequal('cells', asked.length, body.cells.length)
  if (new Set(body.cells.map((node) => node.hostCell)).size < body.cells.length)
    problems.push('two guest NUMA nodes on one')
  asked.forEach((node, index) => {
    const reserve = index === 0 && topology?.emulatorThreads === 'isolate' ? 1 : 0
    problems.push(...oneNodeProblems(node, { body, reserve }))
  })
  return problems
}

interface NodeCase {
  readonly body: ClaimBody
  readonly reserve: number
}

function oneNodeProblems(node: GuestNode, { body, reserve }: NodeCase): string[] {
  const placed = body.cells.find((each) => each.guestCell === node.id)
  if (!placed) return [`guest NUMA node ${node.id} is on no host NUMA node`]
  const what = `guest NUMA node ${node.id}`
  const page = node.pageKib === null || node.pageKib > 0 ? node.pageKib : placed.pageKib
  return [
    ...unequal(`${what} memory`, node.memoryMib, placed.memoryMib),
    ...unequal(`${what} shared CPUs`, node.sharedVcpus.length, placed.sharedVcpus.length),
    ...unequal(`${what} dedicated CPUs`, node.dedicatedVcpus.length, placed.pins.length),
    ...unequal(`${what} emulator CPUs`, reserve, placed.reservedCpus.length),
    ...(page === placed.pageKib ? [] : [`${what} has pages of ${placed.pageKib} KiB, not ${page}`]),
  ]
}

function deviceProblems(demand: Demand, body: ClaimBody): string[] {
  const need = new Map<string, number>()
  for (const { requestId, count } of demand.devices) need.set(requestId, count)
  const have = new Map<string, number>()
  for (const { use, requestId = '' } of body.units) {
    if (use === 'device') have.set(requestId, (have.get(requestId) ?? 0) + 1)
  }
  const requests = new Set([...need.keys(), ...have.keys()])
  const differences = [...requests].flatMap((each) =>
    unequal(`devices of ${each}`, need.get(each) ?? 0, have.get(each) ?? 0),
  )
  const strays = body.units.filter(({ use, requestId = '' }) => use === 'with-parent' && !need.has(requestId))
  return [
    ...differences,
    ...strays.map(({ unit, requestId = '' }) => `${unit} is held with its parent for ${requestId || 'no request'}`),
  ]
}
