import type { HeldClaim } from '../audit/finding'
import { HOST_CHECKS } from '../audit/host-checks'
import type { FindingKind } from '../audit/kinds'
import { placeProblems } from '../audit/shape-check'
import { withHolding, withoutHolding } from '../holdings'
import type { Holding, Host } from '../host'
import { withAmounts } from '../resources/allocation'
import { cpusTaken } from '../topology/usage'
import type { HostId, InstanceId } from '../words/ids'
import { cpuUnit, type UnitName } from '../words/units'
import { consumersOf, type HealContext } from './context'
import { locateInstance } from './proof'

// The hosts on which an instance's claims are repaired: without its own claims, and without what other claims
// there hold in excess. Claims that are kept and newly decided ones are then added one by one.

export class ClaimHosts {
  readonly #context: HealContext
  readonly #hosts = new Map<HostId, Host>()
  readonly #instance: InstanceId

  constructor(context: HealContext, instance: InstanceId) {
    this.#context = context
    this.#instance = instance
  }

  host(id: HostId): Host | null {
    const known = this.#hosts.get(id)
    if (known !== undefined) return known
    const row = this.#context.records.hosts.get(id)
    if (row === undefined) return null
    const cleared = this.#cleared(row)
    this.#hosts.set(id, cleared)
    return cleared
  }

  lay(id: HostId, holding: Holding): void {
    const host = this.host(id)
    if (host !== null) this.#hosts.set(id, withHolding(host, holding))
  }

  #cleared(row: Host): Host {
    let host = this.#withoutStrays(row)
    for (const holding of row.holdings) {
      if (holding.instance === this.#instance) host = withoutHolding(host, holding.claim)
      else host = this.#withinItsRight(host, { host: row, holding })
    }
    return host
  }

  #withoutStrays(row: Host): Host {
    const own = consumersOf(this.#context, this.#instance).flatMap(
      (each) => this.#context.strayAllocationsOf.get(each) ?? [],
    )
    return {
      ...row,
      providers: withAmounts(
        row.providers,
        own.filter(({ host }) => host === row.id),
        -1,
      ),
    }
  }

  #withinItsRight(host: Host, held: HeldClaim): Host {
    const excess = excessUnits(this.#context, held)
    if (excess.size === 0) return host
    const { holding } = held
    const units = holding.body.units.filter(({ unit }) => !excess.has(unit))
    const left = { ...holding, body: { ...holding.body, units } }
    return withHolding(withoutHolding(host, holding.claim), left)
  }
}

/**
 * CPUs beyond those its NUMA nodes name and devices beyond those requested, where both surveys show the instance's own.
 */
function excessUnits(context: HealContext, { host, holding }: HeldClaim): ReadonlySet<UnitName> {
  const { body } = holding
  const named = new Set<UnitName>(cpusTaken(host.numaNodes, body.cells).map(({ cpu }) => cpuUnit(cpu)))
  const excess = new Set(body.units.flatMap(({ unit, kind }) => (kind === 'cpu' && !named.has(unit) ? [unit] : [])))
  const row = context.records.instances.get(holding.instance)
  const demand = row ? context.options.demandFor(row) : null
  if (demand === null || placeProblems(demand, body).length === 0) return excess
  const there = locateInstance(context, holding.instance)
  if (there.is !== 'proven' || there.body === null || there.host !== host.id) return excess
  const has = new Set(there.body.units.map(({ unit }) => unit))
  for (const { unit, kind, use } of body.units)
    if (kind !== 'cpu' && use === 'device' && !has.has(unit)) excess.add(unit)
  return excess
}

const OF_A_CLAIM: readonly FindingKind[] = [
  'unit-held-twice',
  'resource-missing',
  'pins-and-units-differ',
  'child-class-on-root',
]

/** What is wrong with one claim on its host, apart from what flavor and image require. */
export function placeFindings({ host, holding }: HeldClaim): readonly FindingKind[] {
  const kinds: FindingKind[] = []
  for (const check of Object.values(HOST_CHECKS)) {
    check(host, ({ kind, claims }) => {
      if (OF_A_CLAIM.includes(kind) && claims?.includes(holding.claim)) kinds.push(kind)
    })
  }
  return kinds
}
