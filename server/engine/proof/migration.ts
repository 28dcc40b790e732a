import type { Instance } from '../change'
import { operationRow } from '../migration/operations'
import type { Migration, Side, Step } from '../migration/state'
import type { ClaimId, HostId, InstanceId } from '../words/ids'
import { otherSide } from '../words/side'
import { type Disproof, disproof } from './disproof'

// Whether a migration's row may be acted on: L1, the instance's host, and which states exist at all. Each holds in
// every state that Berth writes, so a violation was written by another program.

export interface ConsumerClaim {
  readonly claim: ClaimId
  readonly host: HostId
  readonly kind: 'instance' | 'migration'
  /** The instance it is for. */
  readonly instance: InstanceId
}

/** All that a proof about one migration reads. */
export interface MigrationRecords {
  readonly migration: Migration
  readonly instance: Instance
  readonly heldByInstance: readonly ConsumerClaim[]
  readonly heldByMigration: readonly ConsumerClaim[]
  /** Known hosts by id; others are printed as their id. */
  readonly nameOf: (host: HostId) => string
}

type Law = (records: MigrationRecords) => Disproof | null

/** The first law that does not hold; null when all do. */
export function disproofOf(records: MigrationRecords): Disproof | null {
  for (const law of LAWS) {
    const broken = law(records)
    if (broken !== null) return broken
  }
  return null
}

const LAWS: readonly Law[] = [isOfInstance, sidesFit, stepIsPossible, livesAtHome, claimsAreHeld]

function isOfInstance({ migration, instance }: MigrationRecords): Disproof | null {
  if (migration.instance === instance.id) return null
  return disproof('instance', `the migration is of another instance than ${instance.name}`)
}

function sidesFit({ migration: m }: MigrationRecords): Disproof | null {
  const row = operationRow(m.operation)
  const no = (why: string) => disproof('hosts', `${m.operation} ${why}`)
  if ((row.source === 'none') !== (m.source === null)) return no(m.source === null ? 'has no source' : 'has a source')
  if (m.step === 'claim') return null
  if (m.target === null) return no('has no target')
  if (row.target === 'other-host' && m.source === m.target) return no('has one host as source and target')
  return row.target === 'same-place' && m.source !== m.target ? no('has two hosts') : null
}

const FORWARD = { direction: 'target', home: 'source' } as const

/** The direction and the current side that each step allows; omitted ones are free. */
const POSSIBLE: { readonly [S in Step]: { readonly direction?: Side; readonly home?: Side } } = {
  claim: FORWARD,
  prepare: FORWARD,
  transfer: FORWARD,
  switch: {},
  verify: { direction: 'target', home: 'target' },
  release: {},
  ended: {},
}

function stepIsPossible({ migration: m }: MigrationRecords): Disproof | null {
  const { direction = m.direction, home = m.home } = POSSIBLE[m.step]
  const no = (what: string) => disproof('step', `no migration in ${m.step} ${what}`)
  if (m.direction !== direction) return no(`has direction ${m.direction}`)
  if (m.home !== home) return no(`has its instance on the ${m.home}`)
  if (m.step === 'release' && m.direction !== m.home)
    return no(`has direction ${m.direction} and its instance on the other side`)
  return m.step === 'verify' && !operationRow(m.operation).verify ? no(`is a ${m.operation}`) : null
}

function livesAtHome({ migration: m, instance, nameOf }: MigrationRecords): Disproof | null {
  const home = m[m.home]
  if (instance.host === home) return null
  const named = (host: HostId | null) => (host === null ? 'no host' : nameOf(host))
  return disproof(
    'home',
    `${instance.name} is recorded on ${named(instance.host)}, the migration has it on ${named(home)}`,
  )
}

function claimsAreHeld({ migration: m, instance, ...records }: MigrationRecords): Disproof | null {
  const single = m.keepsClaim || m.step === 'claim'
  const own = single ? m.source : m[m.direction]
  const others = single ? null : m[otherSide(m.direction)]
  return (
    claimOn(own, records.heldByInstance, { ...records, who: instance.name, kind: 'instance', instance: instance.id }) ??
    claimOn(others, records.heldByMigration, {
      ...records,
      who: 'the migration',
      kind: 'migration',
      instance: instance.id,
    })
  )
}

interface Holder {
  readonly who: string
  readonly kind: ConsumerClaim['kind']
  readonly instance: InstanceId
  readonly nameOf: MigrationRecords['nameOf']
}

/** Exactly one claim there, of this kind and for this instance; none at all when the host does not exist. */
export function claimOn(host: HostId | null, held: readonly ConsumerClaim[], holder: Holder): Disproof | null {
  const { who, kind, instance, nameOf } = holder
  const stray = held.find((each) => each.instance !== instance || each.kind !== kind)
  if (stray !== undefined) return disproof('claims', `a claim on ${nameOf(stray.host)} is held by ${who} wrongly`)
  if (host === null ? held.length === 0 : held.length === 1 && held[0]?.host === host) return null
  const wanted = host === null ? 'no claim' : `its claim on ${nameOf(host)}`
  const found = held.map((each) => nameOf(each.host)).join(', ')
  return disproof('claims', `${who} must hold ${wanted} and holds ${found === '' ? 'none' : `one on ${found}`}`)
}
