import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type AddressOptions, type HypervisorAddress, parseAddress } from './address'
import type { Domain, DomainEvent, HypervisorConnection } from './connection'

// Requirements on the reads of every HypervisorConnection. The test of a client runs it with a real daemon; there
// `virsh` independently creates the objects and verifies the answers.

export interface ConnectionFixture {
  connect(): Promise<HypervisorConnection>
  virsh(...words: string[]): Promise<string>
  /** What `virsh define` takes; the file is read by the daemon's own client. */
  writeXml(xml: string): string
  readonly hostname: string
  /** A foreign domain that runs there throughout. */
  readonly other: string
  /** A size in KiB that the node has, and its free pages; a size that it does not have. */
  readonly pages: { readonly node: number; readonly sizeKib: number; readonly free: number; readonly noSizeKib: number }
}

export function connectionContract(name: string, fixture: () => ConnectionFixture): void {
  describe(`the contract of connections: ${name}`, () => {
    let connection: HypervisorConnection
    beforeAll(async () => {
      connection = await fixture().connect()
    })
    afterAll(() => connection.close())

    hostCases(fixture, () => connection)
    domainCases(fixture, () => connection)

    test('a connection that was closed locally ends without an error', async () => {
      const own = await fixture().connect()
      await own.close()
      expect(await own.ended).toBeNull()
    })
  })
}

function hostCases(fixture: () => ConnectionFixture, connection: () => HypervisorConnection): void {
  test('the connection reports the versions that the client of the daemon prints', async () => {
    const { libvirt, hypervisor } = await connection().versions()
    const version = await fixture().virsh('version', '--daemon')
    expect(version).toContain(`Running against daemon: ${libvirt}\n`)
    expect(version).toContain(`Running hypervisor: QEMU ${hypervisor}\n`)
  })

  test('the connection reports the name and the capabilities of the host', async () => {
    expect(await connection().hostname()).toBe(fixture().hostname)
    expect((await connection().capabilities()).trim()).toBe((await fixture().virsh('capabilities')).trim())
  })

  test('the connection reports exactly the PCI functions, with their XML', async () => {
    const names = (await fixture().virsh('nodedev-list', '--cap', 'pci')).split('\n').filter((line) => line !== '')
    const devices = await connection().nodeDevices()
    expect(devices.map((device) => device.name)).toEqual(names.sort())
    for (const { name, xml } of devices)
      expect(xml.trim()).toBe((await fixture().virsh('nodedev-dumpxml', name)).trim())
  })

  test('the connection counts free pages, and refuses a page size that the node does not have', async () => {
    const { node, sizeKib, free, noSizeKib } = fixture().pages
    expect(await connection().freePages(node, sizeKib)).toBe(free)
    await expect(connection().freePages(node, noSizeKib)).rejects.toMatchObject({ kind: 'refused' })
  })
}

function domainCases(fixture: () => ConnectionFixture, connection: () => HypervisorConnection): void {
  const define = definer(fixture)
  statusCases({ fixture, connection, define })
  eventCases({ fixture, connection, define })
}

/** Defines a domain of that name, and returns its uuid; it is removed after the test. */
function definer(fixture: () => ConnectionFixture): (name: string) => Promise<string> {
  const made: string[] = []
  const define = async (name: string) => {
    const uuid = randomUUID()
    made.push(uuid)
    await fixture().virsh('define', fixture().writeXml(smallDomain(uuid, name)))
    return uuid
  }
  afterEach(async () => {
    for (const uuid of made.splice(0)) {
      await fixture()
        .virsh('destroy', uuid)
        .catch(() => {})
      await fixture().virsh('undefine', uuid)
    }
  })
  return define
}

interface DomainFixture {
  readonly fixture: () => ConnectionFixture
  readonly connection: () => HypervisorConnection
  readonly define: (name: string) => Promise<string>
}

function statusCases({ fixture, connection, define }: DomainFixture): void {
  const only = async (): Promise<readonly Omit<Domain, 'xml'>[]> =>
    (await connection().domains(({ xml: _, ...domain }) => domain)).filter(({ uuid }) => uuid !== fixture().other)

  test('the connection lists exactly the defined domain', async () => {
    expect(await connection().domains(({ uuid }) => uuid)).toEqual([fixture().other])
  })

  test('the state of a domain follows its life cycle, with a reason for each state', async () => {
    const uuid = await define('one')
    expect(await only()).toEqual([{ uuid, name: 'one', state: 'shut off', reason: 'unknown' }])
    await fixture().virsh('start', uuid)
    expect(await only()).toEqual([{ uuid, name: 'one', state: 'running', reason: 'booted' }])
    await fixture().virsh('suspend', uuid)
    expect(await only()).toEqual([{ uuid, name: 'one', state: 'paused', reason: 'user' }])
    await fixture().virsh('destroy', uuid)
    expect(await only()).toEqual([{ uuid, name: 'one', state: 'shut off', reason: 'destroyed' }])
  })

  test('the XML of a domain is returned unchanged, with its pins', async () => {
    const uuid = await define('pinned')
    const domain = await connection().domain(uuid)
    expect(domain?.xml.trim()).toBe((await fixture().virsh('dumpxml', uuid)).trim())
    expect(domain?.xml).toContain("<vcpupin vcpu='0' cpuset='1'/>")
  })

  test('a domain is found by its uuid whatever its name, and an unknown uuid is not found', async () => {
    const names = ['--all', "it's 10", 'grüße']
    const uuids: string[] = []
    for (const name of names) uuids.push(await define(name))
    for (const [at, uuid] of uuids.entries())
      expect(await connection().domain(uuid)).toMatchObject({ uuid, name: names[at] })
    expect(await connection().domain(randomUUID())).toBeNull()
    await expect(connection().domain('--all')).rejects.toMatchObject({ kind: 'refused' })
  })
}

function eventCases({ fixture, connection, define }: DomainFixture): void {
  test('a domain without a job has none, running or off, and an unknown domain is an error', async () => {
    const uuid = await define('idle')
    expect(await connection().jobStatistics(uuid, 'current')).toMatchObject({ type: 'none', elapsedMs: null })
    await fixture().virsh('start', uuid)
    expect(await connection().jobStatistics(uuid, 'current')).toMatchObject({ type: 'none', operation: 'unknown' })
    expect(await connection().jobStatistics(randomUUID(), 'current')).toBeNull()
  })

  test('the connection receives events of a domain until it unsubscribes', async () => {
    const events: DomainEvent[] = []
    const stop = await connection().subscribe((event) => events.push(event))
    const uuid = await define('heard')
    await expect
      .poll(async () => {
        // Events are hints, and one from before virsh listened is lost: something has to happen again.
        await fixture().virsh('start', uuid)
        await fixture().virsh('destroy', uuid)
        return events.map((event) => event.kind === 'lifecycle' && `${event.name} ${event.event}`)
      })
      .toEqual(expect.arrayContaining(['heard started', 'heard stopped']))
    await stop()
  })
}

/** A domain without a disk: it runs its firmware, finds nothing to boot and halts. */
const smallDomain = (uuid: string, name: string) => `<domain type='qemu'>
  <name>${name}</name><uuid>${uuid}</uuid>
  <memory unit='MiB'>32</memory><vcpu placement='static'>1</vcpu>
  <cputune><vcpupin vcpu='0' cpuset='1'/><emulatorpin cpuset='0'/></cputune>
  <os><type arch='x86_64' machine='pc'>hvm</type></os>
  <features><tcg><tb-cache unit='MiB'>32</tb-cache></tcg></features>
  <devices><controller type='usb' model='none'/><memballoon model='none'/></devices>
</domain>`

/** The address of a session daemon, as the hosts of a rig have. */
export function sessionAddress(text: string, options: AddressOptions = {}): HypervisorAddress {
  const parsed = parseAddress(text, { daemon: 'session', ...options })
  if (!parsed.ok) throw new Error(parsed.why)
  return parsed.address
}
