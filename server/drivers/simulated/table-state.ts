import type { HostId, InstanceId } from '../../engine/words/ids'
import { emptyInstance, type HostRecord, type InstanceRecord } from './record'
import { hostAt, hostsOf, type SimulatorState, type StoredHosts, type StoredRecord, sceneOf } from './state'

// The simulated fleet in a table. The store owns the table and does not know its contents; wiring passes it in.

interface Row {
  readonly kind: 'host' | 'guest'
  readonly key: string
  readonly version: number
  readonly hosts: readonly string[]
  readonly record: unknown
}

/** Implemented by server/store/simulator/simulator.ts. */
export interface Table {
  readInstance(instance: string, hosts: readonly string[]): Promise<readonly Row[]>
  readHost(host: string): Promise<readonly Row[]>
  readAll(): Promise<readonly Row[]>
  write(rows: readonly Row[]): Promise<boolean>
  put(rows: readonly Row[]): Promise<void>
}

export function tableState(table: Table): SimulatorState {
  return {
    readScene: async (instance, hosts) => {
      const rows = await table.readInstance(instance, hosts)
      const found = instancesIn(rows)[0] ?? { version: 0, record: emptyInstance(instance) }
      return sceneOf(found, hosts, hostsIn(rows))
    },
    readHost: async (host) => {
      const rows = await table.readHost(host)
      const hosts = hostsIn(rows)
      const scenes = instancesIn(rows).map((instance) => sceneOf(instance, [host], hosts))
      return { host: hostAt(host, hosts), scenes }
    },
    readAll: async () => {
      const rows = await table.readAll()
      const hosts = hostsIn(rows)
      return instancesIn(rows).map((instance) => sceneOf(instance, [], hosts))
    },
    write: ({ instances, hosts }) => table.write([...instances.map(instanceRow), ...hosts.map(hostRow)]),
    adopt: (instances) => table.put(instances.map((record) => instanceRow({ version: 0, record }))),
  }
}

function hostsIn(rows: readonly Row[]): StoredHosts {
  const found = rows.filter((row) => row.kind === 'host')
  return new Map(found.map(({ key, version, record }) => [key as HostId, { version, record: record as HostRecord }]))
}

function instancesIn(rows: readonly Row[]): StoredRecord<InstanceRecord>[] {
  const found = rows.filter((row) => row.kind === 'guest')
  return found.map(({ version, record }) => ({ version, record: record as InstanceRecord }))
}

const instanceRow = ({ version, record }: StoredRecord<InstanceRecord>): Row => ({
  kind: 'guest',
  key: record.instance satisfies InstanceId,
  version,
  hosts: hostsOf(record),
  record,
})

const hostRow = ({ version, record }: StoredRecord<HostRecord>): Row => ({
  kind: 'host',
  key: record.host satisfies HostId,
  version,
  hosts: [],
  record,
})
