import type { HostId, InstanceId } from '../../engine/words/ids'
import { emptyInstance, type HostRecord, healthyHost, type InstanceRecord } from './record'

// Storage of the simulated fleet. Like real hosts, it is outside of the conductor: in a table that all servers share
// and that outlives them, or in memory for a test.

/** Records with the version that was read; version 0 was never written. */
export interface StoredRecord<T> {
  readonly version: number
  readonly record: T
}

export interface ReadScene {
  readonly instance: StoredRecord<InstanceRecord>
  readonly hosts: readonly StoredRecord<HostRecord>[]
}

export interface SceneWrite {
  readonly instances: readonly StoredRecord<InstanceRecord>[]
  readonly hosts: readonly StoredRecord<HostRecord>[]
}

export interface SimulatorState {
  /** One instance and the given hosts; records that were never written are new. */
  readScene(instance: InstanceId, hosts: readonly HostId[]): Promise<ReadScene>
  /** The host and every instance with a copy or a transfer there, each with all hosts that its state depends on. */
  readHost(host: HostId): Promise<{ host: StoredRecord<HostRecord>; scenes: readonly ReadScene[] }>
  /** Every instance at one moment. */
  readAll(): Promise<readonly ReadScene[]>
  /** Writes all records or, if one of them was written since it was read, none. */
  write(records: SceneWrite): Promise<boolean>
  /** Writes instances as if they had existed before: for an import, or the demo fleet. */
  adopt(instances: readonly InstanceRecord[]): Promise<void>
}

/** The hosts in an instance's record. */
export function hostsOf(instance: InstanceRecord): HostId[] {
  const job = instance.job ? [instance.job.source, instance.job.target] : []
  return [...new Set([...instance.copies.map((copy) => copy.host), ...job])].filter((host) => host !== null)
}

export type StoredHosts = ReadonlyMap<HostId, StoredRecord<HostRecord>>

/** The instance with these hosts and all in its record. */
export function sceneOf(
  instance: StoredRecord<InstanceRecord>,
  more: readonly HostId[],
  hosts: StoredHosts,
): ReadScene {
  const ids = [...new Set([...more, ...hostsOf(instance.record)])]
  return { instance, hosts: ids.map((id) => hostAt(id, hosts)) }
}

export const hostAt = (id: HostId, hosts: StoredHosts): StoredRecord<HostRecord> =>
  hosts.get(id) ?? { version: 0, record: healthyHost(id) }

export function memoryState(): SimulatorState {
  const instances = new Map<InstanceId, StoredRecord<InstanceRecord>>()
  const hosts = new Map<HostId, StoredRecord<HostRecord>>()
  const instanceAt = (id: InstanceId) => instances.get(id) ?? { version: 0, record: emptyInstance(id) }
  return {
    readScene: async (instance, more) => sceneOf(instanceAt(instance), more, hosts),
    readHost: async (host) => {
      const here = [...instances.values()].filter((instance) => hostsOf(instance.record).includes(host))
      return { host: hostAt(host, hosts), scenes: here.map((instance) => sceneOf(instance, [host], hosts)) }
    },
    readAll: async () => [...instances.values()].map((instance) => sceneOf(instance, [], hosts)),
    write: async (records) => {
      const fresh =
        records.instances.every((instance) => instanceAt(instance.record.instance).version === instance.version) &&
        records.hosts.every((host) => hostAt(host.record.host, hosts).version === host.version)
      if (!fresh) return false
      for (const { version, record } of records.instances)
        instances.set(record.instance, { version: version + 1, record })
      for (const { version, record } of records.hosts) hosts.set(record.host, { version: version + 1, record })
      return true
    },
    adopt: async (records) => {
      for (const record of records) instances.set(record.instance, { version: 1, record })
    },
  }
}
