import type { Flavor } from '../demand'
import type { DrainInput, DrainInstance, GroupRule } from '../drain/plan'
import { withHolding } from '../holdings'
import type { Host } from '../host'
import type { GroupId, HostId, InstanceId } from '../words/ids'
import { hostId } from './hosts'
import { demandFor, holdingOf, instanceOf, verdictOn } from './instances'

// A case for the drain planner: hosts, and instances claimed on them one by one in the usual way.

export interface InstanceFixture {
  readonly flavor: Flavor
  readonly on: number
  readonly group?: GroupId
  readonly set?: Partial<DrainInstance['record']>
}

export interface DrainCase {
  readonly hosts: readonly Host[]
  readonly instances: readonly DrainInstance[]
}

/** Instances that do not fit on their host are dropped. */
export function drainCaseOf(hosts: readonly Host[], standing: readonly InstanceFixture[]): DrainCase {
  const all = new Map<HostId, Host>(hosts.map((host) => [host.id, host]))
  const instances: DrainInstance[] = []
  for (const [index, { flavor, on, group = null, set }] of standing.entries()) {
    const n = index + 1
    const host = all.get(hostId(on))
    const demand = demandFor(flavor, { zone: set?.zone ?? null })
    const verdict = host && verdictOn({ ...host, status: 'up', scheduling: 'enabled' }, demand)
    if (!host || !verdict?.ok) continue
    all.set(host.id, withHolding(host, holdingOf(n, verdict.plan)))
    instances.push({
      record: instanceOf(n, flavor, { host: host.id, group, ...set }),
      demand,
      activeMigration: null,
      chosen: null,
      priority: 0,
    })
  }
  return { hosts: [...all.values()], instances }
}

export function drainOf(
  drainCase: DrainCase,
  set: Partial<DrainInput> = {},
  groups: readonly GroupRule[] = [],
): DrainInput {
  const grouped = drainCase.instances.flatMap(({ record }): [InstanceId, GroupId][] =>
    record.group === null ? [] : [[record.id, record.group]],
  )
  return {
    kind: 'drain',
    host: hostId(1),
    hosts: drainCase.hosts,
    instances: drainCase.instances,
    groups,
    members: new Map(grouped),
    limits: { perSource: 2, perTarget: 2, fleet: 64 },
    policy: 'spread',
    fallback: 'cold',
    helpersAllowed: true,
    steps: 100_000,
    ...set,
  }
}
