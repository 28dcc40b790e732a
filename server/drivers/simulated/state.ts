import type { HostId, InstanceId } from '../../engine/words/ids'
import { emptyGuest, type GuestRecord, type HostRecord, healthyHost } from './record'

// Storage of the simulated fleet. Like real hosts, it is outside of the conductor: in a table that all servers share
// and that outlives them, or in memory for a test.

/** Records with the version that was read; version 0 was never written. */
export interface StoredRecord<T> {
  readonly version: number
  readonly record: T
}

export interface ReadScene {
  readonly guest: StoredRecord<GuestRecord>
  readonly hosts: readonly StoredRecord<HostRecord>[]
}

export interface SceneWrite {
  readonly guests: readonly StoredRecord<GuestRecord>[]
  readonly hosts: readonly StoredRecord<HostRecord>[]
}

export interface SimulatorState {
  /** One instance and the given hosts; records that were never written are new. */
  readScene(guest: InstanceId, hosts: readonly HostId[]): Promise<ReadScene>
  /** The host and every instance with a copy or a transfer there, each with all hosts that its state depends on. */
  readHost(host: HostId): Promise<{ host: StoredRecord<HostRecord>; scenes: readonly ReadScene[] }>
  /** Every instance at one moment. */
  readAll(): Promise<readonly ReadScene[]>
  /** Writes all records or, if one of them was written since it was read, none. */
  write(records: SceneWrite): Promise<boolean>
  /** Writes instances as if they had existed before: for an import, or the demo fleet. */
  adopt(guests: readonly GuestRecord[]): Promise<void>
}

/** The hosts in an instance's record. */
export function hostsOf(guest: GuestRecord): HostId[] {
  const job = guest.job ? [guest.job.source, guest.job.target] : []
  return [...new Set([...guest.copies.map((copy) => copy.host), ...job])].filter((host) => host !== null)
}

export type StoredHosts = ReadonlyMap<HostId, StoredRecord<HostRecord>>

/** The instance with these hosts and all in its record. */
export function sceneOf(guest: StoredRecord<GuestRecord>, more: readonly HostId[], hosts: StoredHosts): ReadScene {
  const ids = [...new Set([...more, ...hostsOf(guest.record)])]
  return { guest, hosts: ids.map((id) => hostAt(id, hosts)) }
}

export const hostAt = (id: HostId, hosts: StoredHosts): StoredRecord<HostRecord> =>
  hosts.get(id) ?? { version: 0, record: healthyHost(id) }

export function memoryState(): SimulatorState {
  const guests = new Map<InstanceId, StoredRecord<GuestRecord>>()
  const hosts = new Map<HostId, StoredRecord<HostRecord>>()
  const guestAt = (id: InstanceId) => guests.get(id) ?? { version: 0, record: emptyGuest(id) }
  return {
    readScene: async (guest, more) => sceneOf(guestAt(guest), more, hosts),
    readHost: async (host) => {
      const here = [...guests.values()].filter((guest) => hostsOf(guest.record).includes(host))
      return { host: hostAt(host, hosts), scenes: here.map((guest) => sceneOf(guest, [host], hosts)) }
    },
    readAll: async () => [...guests.values()].map((guest) => sceneOf(guest, [], hosts)),
    write: async (records) => {
      const fresh =
        records.guests.every((guest) => guestAt(guest.record.instance).version === guest.version) &&
        records.hosts.every((host) => hostAt(host.record.host, hosts).version === host.version)
      if (!fresh) return false
      for (const { version, record } of records.guests) guests.set(record.instance, { version: version + 1, record })
      for (const { version, record } of records.hosts) hosts.set(record.host, { version: version + 1, record })
      return true
    },
    adopt: async (records) => {
      for (const record of records) guests.set(record.instance, { version: 1, record })
    },
  }
}
