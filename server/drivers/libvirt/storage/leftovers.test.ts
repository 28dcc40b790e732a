import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { HostId, InstanceId, MigrationId } from '../../../engine/words/ids'
import type { DriverOperation, ObservedState } from '../../driver'
import type { HypervisorConnection } from '../connection'
import { emptyRecord, inProcessRecordStore } from '../domain-record'
import { type HostLinks, HostSilence } from '../host-links'
import type { ObservedDomain, ObservedSides } from '../observation'
import type { LibvirtContext } from '../operation'
import { element } from '../xml/edit'
import { buildXml } from '../xml/tree'
import { cleanCopy, cleanDisk } from './leftovers'
import { volumeName } from './volume'

// The observed state of both sides decides which volumes are deleted. Hosts are reduced to their pools here;
// e2e/libvirt tests listing and deletion on real daemons.

const [HERE, THERE] = [randomUUID() as HostId, randomUUID() as HostId]
const INSTANCE = randomUUID() as InstanceId
const MIGRATION = randomUUID() as MigrationId
const [OWN, COPY] = [volumeName(INSTANCE, null), volumeName(INSTANCE, MIGRATION)]
const OTHERS = ['debian.qcow2', volumeName(randomUUID() as InstanceId, null)]

function leftoverFixture(volumes: readonly string[]) {
  const left = new Set([...volumes, ...OTHERS])
  const asked: Pick<HypervisorConnection, 'volumes' | 'deleteVolume' | 'migratableXml'> = {
    volumes: async () => [...left],
    deleteVolume: async (_pool, name) => void left.delete(name),
    migratableXml: async () => null,
  }
  const links = {
    at: <T>(_host: HostId, ask: (connection: HypervisorConnection) => Promise<T>) => ask(asked as HypervisorConnection),
    hostOf: async () => ({ pool: 'vms' }),
  } as unknown as HostLinks
  return { context: { links, memory: inProcessRecordStore() } as LibvirtContext, left }
}

const domainWith = (volume: string): ObservedDomain => {
  const disk = element(
    'disk',
    { type: 'volume' },
    element('source', { pool: 'vms', volume }),
    element('target', { dev: 'vda' }),
  )
  const stored = element('domain', {}, element('devices', {}, disk))
  const tag = {
    instance: INSTANCE,
    migration: MIGRATION,
    settled: false,
    role: 'instance',
    claim: null,
    kept: null,
  } as const
  return { state: 'running', reason: 'booted', tag, stored, storedXml: buildXml(stored) }
}

const sidesOf = (source: ObservedState, target: ObservedState, disks = [OWN, COPY]): ObservedSides => {
  const domain = (state: ObservedState, at: number) =>
    state === 'silent' || state === 'absent' ? null : domainWith(disks[at] ?? '')
  const silent = [...(source === 'silent' ? [HERE] : []), ...(target === 'silent' ? [THERE] : [])]
  return {
    source: domain(source, 0),
    target: domain(target, 1),
    observedState: { source, target },
    silent: silent.map((host) => new HostSilence(host, 'it does not answer')),
  }
}

const operation = (reach: DriverOperation['reach']) =>
  ({ instance: INSTANCE, migration: MIGRATION, source: HERE, target: THERE, reach }) as DriverOperation
const BOTH = { source: true, target: true }

describe('the copy of a disk on the target', () => {
  it.each([
    ['running', 'absent', BOTH, 'goes'],
    ['stopped', 'shell', BOTH, 'goes'],
    ['silent', 'absent', BOTH, 'stays'],
    ['left', 'absent', BOTH, 'stays'],
    // The source is permanently lost: a paused target domain has no guest, a stopped one may be the only copy.
    ['silent', 'shell', { source: false, target: true }, 'goes'],
    ['silent', 'stopped', { source: false, target: true }, 'stays'],
  ] as const)('when the source is %s and the target %s (%j) it %s', async (source, target, reach, end) => {
    const { context, left } = leftoverFixture([COPY])
    const cleaned = cleanCopy(context, operation(reach), {
      ...{ host: THERE, record: emptyRecord(INSTANCE), sides: sidesOf(source, target) },
    })
    await (end === 'goes' ? cleaned : expect(cleaned).rejects.toThrow(HostSilence))
    expect(left.has(COPY)).toBe(end === 'stays')
    expect([...left].filter((name) => name !== COPY)).toEqual(OTHERS)
  })

  it('is kept when both sides share the disk', async () => {
    const { context, left } = leftoverFixture([OWN])
    const sides = sidesOf('silent', 'shell', [OWN, OWN])
    await cleanCopy(context, operation({ source: false, target: true }), {
      ...{ host: THERE, record: emptyRecord(INSTANCE), sides },
    })
    expect(left.has(OWN)).toBe(true)
  })
})

describe('the disk that an instance left on its source', () => {
  it.each([
    ['absent', 'running', BOTH, 'goes'],
    ['left', 'stopped', BOTH, 'goes'],
    ['absent', 'shell', BOTH, 'stays'],
    ['absent', 'absent', BOTH, 'stays'],
    ['absent', 'silent', BOTH, 'stays'],
    ['absent', 'silent', { source: true, target: false }, 'stays'],
  ] as const)('when the source is %s and the target %s (%j) it %s', async (source, target, reach, end) => {
    const { context, left } = leftoverFixture([OWN])
    const cleaned = cleanDisk(context, operation(reach), {
      ...{ host: HERE, record: emptyRecord(INSTANCE), sides: sidesOf(source, target) },
    })
    await (end === 'goes' ? cleaned : expect(cleaned).rejects.toThrow(HostSilence))
    expect(left.has(OWN)).toBe(end === 'stays')
    expect([...left].filter((name) => name !== OWN)).toEqual(OTHERS)
  })

  it.each([
    ['the target uses the same disk', sidesOf('absent', 'running', [OWN, OWN]), null],
    ['the last definition of the target has it', sidesOf('absent', 'silent'), domainWith(OWN).storedXml],
  ])('is kept silently when %s', async (_what, sides, xml) => {
    const { context, left } = leftoverFixture([OWN])
    await cleanDisk(context, operation({ source: true, target: false }), {
      ...{ host: HERE, record: { ...emptyRecord(INSTANCE), xml }, sides },
    })
    expect(left.has(OWN)).toBe(true)
  })
})
