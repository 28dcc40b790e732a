import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { HostId, InstanceId, MigrationId } from '../../../engine/words/ids'
import type { Driver, DriverOperation } from '../../driver'
import type { Domain } from '../connection'
import { sessionAddress } from '../connection.contract'
import { PLAIN_POLICY } from '../control'
import { type DomainRecordStore, inProcessRecordStore } from '../domain-record'
import { libvirtDriver } from '../driver'
import { hostLinks } from '../host-links'
import { element } from '../xml/edit'
import { type DomainTag, tagDomain } from '../xml/tag'
import { buildXml } from '../xml/tree'
import { type CapturedDaemon, startCapturedDaemon } from './captured-daemon'
import { smallCapture } from './small-host'

// The two hosts of a cold migration, with domains that the test chooses. Their daemons refuse every change.

export const [SOURCE, TARGET] = [randomUUID() as HostId, randomUUID() as HostId]
export const INSTANCE = randomUUID() as InstanceId
export const MIGRATION = randomUUID() as MigrationId

export const coldMigration = {
  ...{ migration: MIGRATION, fence: 1, instanceFence: 1, operation: 'cold-migrate', instance: INSTANCE },
  ...{ name: 'web-1', source: SOURCE, target: TARGET, wasRunning: true, storage: null },
  ...{ claim: { source: null, target: null }, reach: { source: true, target: true } },
} as unknown as DriverOperation

type State = 'running' | 'shut off'
const domain = (state: State, xml: string): Domain => ({
  ...{ uuid: INSTANCE, name: `berth-${INSTANCE}`, state, reason: 'unknown', xml },
})

export const untagged = (state: State): Domain => domain(state, "<domain type='kvm'><name>web-1</name></domain>")
export const tagged = (state: State, tag: Pick<DomainTag, 'role' | 'migration'>): Domain => {
  const whole = { instance: INSTANCE, settled: false, claim: null, kept: null, ...tag }
  return domain(state, buildXml(tagDomain(element('domain', {}), whole)))
}

export interface CapturedPair {
  readonly driver: Driver
  readonly memory: DomainRecordStore
  readonly clock: { now: number }
  readonly put: (host: HostId, domains: readonly Domain[]) => void
  /** Numbers of the procedures that the host refused. */
  readonly refused: (host: HostId) => readonly number[]
  readonly close: () => Promise<void>
}

export async function openCapturedPair({ shutdownLimitMs = 60_000 } = {}): Promise<CapturedPair> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pair-'))
  const socketOf = (host: HostId) => path.join(folder, host.slice(0, 8))
  const daemons = new Map<HostId, CapturedDaemon>()
  for (const host of [SOURCE, TARGET]) daemons.set(host, await startCapturedDaemon(smallCapture(), socketOf(host)))
  const links = hostLinks(async (host) => ({
    ok: true,
    host: {
      address: sessionAddress(`unix:${socketOf(host)}`, { readOnly: false }),
      ...{ peerAddress: null, dataAddress: null, pool: null, client: 'rpc', machine: null, policy: PLAIN_POLICY },
    },
  }))
  const memory = inProcessRecordStore()
  const clock = { now: 0 }
  const context = { links, memory, machineXml: async () => null, now: () => clock.now, shutdownLimitMs }
  return {
    driver: libvirtDriver(context),
    memory,
    clock,
    put: (host, domains) =>
      void Object.assign(daemons.get(host) as CapturedDaemon, { host: smallCapture({ domains }) }),
    refused: (host) => daemons.get(host)?.refused ?? [],
    close: async () => {
      await links.close()
      for (const daemon of daemons.values()) await daemon.close()
      fs.rmSync(folder, { recursive: true })
    },
  }
}
