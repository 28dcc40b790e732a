import type { HostId, InstanceId, MigrationId } from '../words/ids'
import { isReadable, placeOf, type Unreadable } from '../words/unreadable'
import { BLANK, type Finding } from './finding'
import type { Snapshot } from './snapshot'

// Unreadable records are findings themselves, and the only ones about what depends on them: a placeholder would
// disagree with everything, and a repair based on it would release what is in use.

/** Objects with at least one unreadable record. */
interface Doubtful {
  readonly hosts: ReadonlySet<HostId>
  readonly instances: ReadonlySet<InstanceId>
  readonly migrations: ReadonlySet<MigrationId>
}

/** One finding for each, and of the others only those that depend on no unreadable record. */
export function withRecords(findings: readonly Finding[], snapshot: Snapshot): readonly Finding[] {
  const unreadable = recordFindings(snapshot)
  if (unreadable.length === 0) return findings
  const doubtful = doubtfulOf(snapshot)
  return [...findings.filter((finding) => !restsOn(finding, doubtful)), ...unreadable]
}

function recordFindings(snapshot: Snapshot): readonly Finding[] {
  const { hosts, instances, migrations, records = [], surveys = [] } = snapshot
  const found = [
    ...hosts.flatMap(({ id, unreadable }) => of(unreadable, { host: id })),
    ...instances.flatMap(({ id, host, unreadable }) => of(unreadable, { host, instance: id })),
    ...migrations.flatMap(({ id, instance, unreadable }) => of(unreadable, { instance, migration: id })),
    ...surveys.flatMap(({ host, unreadable }) => of(unreadable, { host })),
  ]
  // A record that a reader already reported with its object is not reported again by the rule of its table.
  const reported = new Set(found.map(({ where }) => `${where.record} ${where.column}`))
  const others = records.filter((each) => !reported.has(Object.values(placeOf(each)).join(' ')))
  return [
    ...found,
    ...others.flatMap((each) => of([each], { host: each.host, instance: each.instance, migration: each.migration })),
  ]
}

type Subject = Partial<Pick<Finding, 'host' | 'instance' | 'migration'>>

const of = (unreadable: readonly Unreadable[] = [], subject: Subject): readonly Finding[] =>
  unreadable.map((each) => ({
    ...BLANK,
    ...subject,
    kind: 'unreadable-record',
    where: placeOf(each),
    expected: each.reason,
    found: 'something else',
  }))

function doubtfulOf({ hosts, instances, migrations }: Snapshot): Doubtful {
  const bad = hosts.filter((host) => !isReadable(host))
  const held = bad.flatMap(({ holdings }) => holdings)
  return {
    hosts: new Set(bad.map(({ id }) => id)),
    instances: new Set([
      ...instances.filter((each) => !isReadable(each)).map(({ id }) => id),
      ...migrations.filter((each) => !isReadable(each)).map(({ instance }) => instance),
      ...held.map(({ instance }) => instance),
    ]),
    migrations: new Set([
      ...migrations.filter((each) => !isReadable(each)).map(({ id }) => id),
      ...held.map(({ consumer }) => consumer as string as MigrationId),
    ]),
  }
}

const restsOn = ({ host, instance, migration }: Finding, doubtful: Doubtful): boolean =>
  (host !== null && doubtful.hosts.has(host)) ||
  (instance !== null && doubtful.instances.has(instance)) ||
  (migration !== null && doubtful.migrations.has(migration))
