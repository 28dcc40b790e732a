import type { HostId, InstanceId } from '../../engine/words/ids'
import { emptyGuest, type GuestRecord, type HostRecord } from './record'
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
  readGuest(guest: string, hosts: readonly string[]): Promise<readonly Row[]>
  readHost(host: string): Promise<readonly Row[]>
  readAll(): Promise<readonly Row[]>
  write(rows: readonly Row[]): Promise<boolean>
  put(rows: readonly Row[]): Promise<void>
}

export function tableState(table: Table): SimulatorState {
  return {
    readScene: async (guest, hosts) => {
      const rows = await table.readGuest(guest, hosts)
      const found = guestsIn(rows)[0] ?? { version: 0, record: emptyGuest(guest) }
      return sceneOf(found, hosts, hostsIn(rows))
    },
    readHost: async (host) => {
      const rows = await table.readHost(host)
      const hosts = hostsIn(rows)
      const scenes = guestsIn(rows).map((guest) => sceneOf(guest, [host], hosts))
      return { host: hostAt(host, hosts), scenes }
    },
    readAll: async () => {
      const rows = await table.readAll()
      const hosts = hostsIn(rows)
      return guestsIn(rows).map((guest) => sceneOf(guest, [], hosts))
    },
    write: ({ guests, hosts }) => table.write([...guests.map(guestRow), ...hosts.map(hostRow)]),
    adopt: (guests) => table.put(guests.map((record) => guestRow({ version: 0, record }))),
  }
}

function hostsIn(rows: readonly Row[]): StoredHosts {
  const found = rows.filter((row) => row.kind === 'host')
  return new Map(found.map(({ key, version, record }) => [key as HostId, { version, record: record as HostRecord }]))
}

function guestsIn(rows: readonly Row[]): StoredRecord<GuestRecord>[] {
  const found = rows.filter((row) => row.kind === 'guest')
  return found.map(({ version, record }) => ({ version, record: record as GuestRecord }))
}

const guestRow = ({ version, record }: StoredRecord<GuestRecord>): Row => ({
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
