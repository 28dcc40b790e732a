import { grouped } from '../ledger/grouped'
import { leftoverRowDisproof } from '../proof/leftover-row'
import type { ConsumerId } from '../words/ids'
import { MAY_BE_INSTANCES, type Owner, ownerName } from '../words/owner'
import type { AuditRecords, Report } from './finding'
import type { StrayAllocation } from './snapshot'

// Checks of rows that belong to no claim. Each runs only when its rows are given.

type UnclaimedRowCheck = (records: AuditRecords, report: Report) => void

const UNCLAIMED_ROW_CHECKS: Readonly<Record<string, UnclaimedRowCheck>> = {
  'an allocation of Berth has a claim': straysOfOurs,
  'a host of Berth holds no instance of another client': foreignOnOurHosts,
  'no leftover on a host is in use': leftoversProved,
  'a host has one root provider': oneRootEach,
}

/** True for rows that the engine itself wrote; the rest came over the Placement API and belongs to its client. */
export const isOurs = ({ owner }: Pick<StrayAllocation, 'owner'>): boolean => (owner ?? null) === null

/** Rows of one consumer on one host; one finding for all of them, because they were allocated together. */
export const groupStrayAllocations = (strays: readonly StrayAllocation[]): readonly (readonly StrayAllocation[])[] => [
  ...grouped(strays, ({ consumer, host, provider }) => `${consumer} ${host ?? provider}`).values(),
]

function straysOfOurs(records: AuditRecords, report: Report): void {
  for (const group of groupStrayAllocations((records.snapshot.strayAllocations ?? []).filter(isOurs))) {
    const { consumer, host, type } = group[0]!
    const ids = { host, ...subjectOf(records, consumer), consumers: [consumer] }
    report({
      kind: 'stray-allocation',
      ...ids,
      expected: `a claim of this ${type.toLowerCase()} here`,
      found: amountsOf(group),
    })
  }
}

function subjectOf(records: AuditRecords, consumer: ConsumerId) {
  const migration = records.migrations.get(consumer as never)
  const instance = migration?.instance ?? records.instances.get(consumer as never)?.id ?? null
  return { instance, migration: migration?.id ?? null }
}

const amountsOf = (group: readonly StrayAllocation[]) =>
  group.map(({ resourceClass, amount }) => `${amount} ${resourceClass}`).join(', ')

// Berth can only name the owner and what the owner has to do: the row may be in use, and Berth cannot see by what.
function foreignOnOurHosts(records: AuditRecords, report: Report): void {
  const foreign = (records.snapshot.strayAllocations ?? []).filter((stray) => !isOurs(stray))
  for (const group of groupStrayAllocations(foreign)) {
    const { consumer, host, type, owner } = group[0]!
    const subject = subjectOf(records, consumer)
    const isBerths = subject.instance !== null
    const isUnwelcome = host !== null && MAY_BE_INSTANCES.includes(type) && records.snapshot.foreignAllowed !== true
    if (!owner || !(isBerths || isUnwelcome)) continue
    const expected = isBerths ? 'only Berth claims for this instance' : 'no instance of another client on this host'
    const found = `${amountsOf(group)}, ${writtenBy(owner)}`
    report({ kind: 'foreign-allocation', host, ...subject, consumers: [consumer], owner, expected, found })
  }
}

function writtenBy(owner: Owner): string {
  const at = owner.at === null ? '' : ` at ${new Date(owner.at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  const request = owner.request === null ? '' : ` in request ${owner.request}`
  return `written by ${ownerName(owner)}${at}${request}`
}

// The same proof that the conductor requires before it cleans up: what it refuses is a finding.
function leftoversProved(records: AuditRecords, report: Report): void {
  for (const leftover of records.snapshot.leftovers ?? []) {
    const { host, instance, migration } = leftover
    const holdings = records.hosts.get(host)?.holdings ?? []
    const broken = leftoverRowDisproof({
      leftover,
      instance: records.instances.get(instance) ?? null,
      migration: (migration && records.migrations.get(migration)) ?? null,
      active: records.activeMigrationOf.get(instance) ?? null,
      claimed: holdings.some((holding) => holding.instance === instance),
      observed: null,
    })
    if (broken === null) continue
    const expected = 'a leftover that may be cleaned up'
    report({ kind: 'leftover-wrong', host, instance, migration, expected, found: broken.why })
  }
}

function oneRootEach(records: AuditRecords, report: Report): void {
  for (const { provider, name } of records.snapshot.looseRoots ?? []) {
    const sameMachine = records.snapshot.hosts.find((host) => isSameMachine(host.name, name))
    if (sameMachine === undefined) continue
    const where = { provider }
    report({
      kind: 'two-providers',
      host: sameMachine.id,
      where,
      expected: `one provider for ${sameMachine.name}`,
      found: name,
    })
  }
}

/** The same name except for case, or a short name and its full one. Two full names are two machines. */
function isSameMachine(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  if (a === b) return true
  const [shortA, shortB] = [a.split('.')[0], b.split('.')[0]]
  return shortA === shortB && (a === shortA || b === shortB)
}

export const UNCLAIMED_ROW_CHECK_LIST = Object.values(UNCLAIMED_ROW_CHECKS)
