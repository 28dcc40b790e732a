import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { HypervisorAddress } from './address'
import type { HypervisorConnection } from './connection'
import { type MigrationOrder, PLAIN_POLICY } from './control'

// Requirements on the changes of every HypervisorConnection, at a real daemon and between two. `virsh` verifies them
// independently; the guest itself reports its boots.

export interface ControlFixture {
  connect(host: ControlHost['name'], readOnly?: boolean): Promise<HypervisorConnection>
  readonly source: ControlHost
  readonly destination: ControlHost
  /** A domain with two vCPUs on CPUs 0 and 1 that takes a while to copy, and access to its guest's output. */
  newDomain(uuid: string): ControlDomain
}

export interface ControlHost {
  readonly name: string
  readonly peerAddress: HypervisorAddress
  virsh(...words: string[]): Promise<string>
}

export interface ControlDomain {
  readonly xml: string
  readonly words: () => { readonly boots: readonly string[]; readonly ticks: number; readonly offs: number }
}

const SLOW = { ...PLAIN_POLICY, bandwidthMibPerS: 1 }

export function controlContract(name: string, fixture: () => ControlFixture): void {
  describe(`the contract of control: ${name}`, () => {
    let source: HypervisorConnection
    beforeAll(async () => {
      source = await fixture().connect(fixture().source.name)
    })
    afterAll(() => source.close())
    const uuids = cleared(fixture)
    const define = async () => {
      const uuid = randomUUID()
      uuids.push(uuid)
      const domain = fixture().newDomain(uuid)
      await source.define(domain.xml)
      return { uuid, domain }
    }
    const tools = { fixture, source: () => source, define }
    lifecycleCases(tools)
    migrationCases(tools)
    policyCases(tools)
  })
}

/** A list of uuids that are removed from all hosts after the test. */
function cleared(fixture: () => ControlFixture): string[] {
  const uuids: string[] = []
  afterEach(async () => {
    for (const uuid of uuids.splice(0))
      for (const { virsh } of [fixture().source, fixture().destination])
        for (const command of ['destroy', 'undefine']) await virsh(command, uuid).catch(() => {})
  })
  return uuids
}

interface ControlTools {
  readonly fixture: () => ControlFixture
  readonly source: () => HypervisorConnection
  readonly define: () => Promise<{ readonly uuid: string; readonly domain: ControlDomain }>
}

function lifecycleCases({ fixture, source, define }: ControlTools): void {
  const shown = async (uuid: string) => (await fixture().source.virsh('domstate', '--reason', uuid)).trim()

  test('a domain changes its state with each operation', async () => {
    const { uuid, domain } = await define()
    expect(await shown(uuid)).toBe('shut off (unknown)')
    await source().start(uuid)
    await expect.poll(() => domain.words().ticks).toBeGreaterThan(0)
    await source().suspend(uuid)
    expect(await shown(uuid)).toBe('paused (user)')
    await source().resume(uuid)
    expect(await shown(uuid)).toBe('running (unpaused)')
    await source().reset(uuid)
    await expect.poll(() => domain.words().boots.length).toBe(2)
    await expect.poll(() => domain.words().ticks).toBeGreaterThan(1)
    await source().shutdown(uuid)
    await expect.poll(() => shown(uuid)).toBe('shut off (shutdown)')
    expect(domain.words().offs).toBe(1)
    await source().start(uuid)
    await source().destroy(uuid)
    expect(await shown(uuid)).toBe('shut off (destroyed)')
    await source().undefine(uuid)
    expect(await fixture().source.virsh('list', '--all', '--uuid')).not.toContain(uuid)
  })

  test('a new definition takes effect at the next start, not in the running domain', async () => {
    const { uuid, domain } = await define()
    await source().start(uuid)
    await source().define(swappedPins(domain.xml))
    expect(await source().migratableXml(uuid, 'running')).toContain("<vcpupin vcpu='0' cpuset='0'/>")
    expect(await source().migratableXml(uuid, 'stored')).toContain("<vcpupin vcpu='0' cpuset='1'/>")
    expect(await source().migratableXml(randomUUID(), 'stored')).toBeNull()
  })

  test('invalid operations are refused', async () => {
    const { uuid } = await define()
    const refused = { kind: 'refused' }
    await expect(source().shutdown(uuid)).rejects.toMatchObject(refused)
    await expect(source().abortJob(uuid)).rejects.toMatchObject(refused)
    await expect(source().start(randomUUID())).rejects.toMatchObject(refused)
    await expect(source().destroy('--all')).rejects.toMatchObject(refused)
    await expect(source().define('<domain><name>no machine</name></domain>')).rejects.toMatchObject(refused)
  })

  test('a read-only connection returns the stored definition and changes nothing', async () => {
    const { uuid, domain } = await define()
    const reader = await fixture().connect(fixture().source.name, true)
    expect(await reader.migratableXml(uuid, 'stored')).toContain("<vcpupin vcpu='0' cpuset='0'/>")
    await expect(reader.define(swappedPins(domain.xml))).rejects.toMatchObject({ kind: 'refused' })
    const changes = ['undefine', 'start', 'destroy', 'shutdown', 'suspend', 'resume', 'abortJob'] as const
    for (const change of changes) await expect(reader[change](uuid)).rejects.toMatchObject({ kind: 'refused' })
    await reader.close()
    expect(await shown(uuid)).toBe('shut off (unknown)')
    expect(await source().migratableXml(uuid, 'stored')).toContain("<vcpupin vcpu='0' cpuset='0'/>")
  })
}

const swappedPins = (xml: string) =>
  xml
    .replace("<vcpupin vcpu='0' cpuset='0'/>", "<vcpupin vcpu='0' cpuset='1'/>")
    .replace("<vcpupin vcpu='1' cpuset='1'/>", "<vcpupin vcpu='1' cpuset='0'/>")

async function running({ source, define }: ControlTools) {
  const { uuid, domain } = await define()
  await source().start(uuid)
  await expect.poll(() => domain.words().ticks).toBeGreaterThan(0)
  return { uuid, domain }
}

async function orderOf(
  { fixture, source }: ControlTools,
  uuid: string,
  policy = PLAIN_POLICY,
): Promise<MigrationOrder> {
  const [live, stored] = [await source().migratableXml(uuid, 'running'), await source().migratableXml(uuid, 'stored')]
  return {
    destination: fixture().destination.peerAddress,
    dataAddress: null,
    liveXml: swappedPins(live ?? ''),
    persistentXml: swappedPins(stored ?? ''),
    copiedDisks: [],
    policy,
  }
}

/** Starts it over a separate connection; `ended` has the result of the call. */
async function startMigration(tools: ControlTools, uuid: string, order: MigrationOrder) {
  const own = await tools.fixture().connect(tools.fixture().source.name)
  const ended = own
    .migrate(uuid, order)
    .then(() => null)
    .catch((error: unknown) => error)
    .finally(() => own.close())
  await copying(tools, uuid)
  return { ended } // an async function would await a bare promise
}

/** Encrypted, and on a busy machine. */
const STARTS_WITHIN_MS = 60_000

/** The memory is being copied; earlier settings would be overwritten by the start. */
async function copying({ source }: ControlTools, uuid: string): Promise<void> {
  const processed = async () => (await source().jobStatistics(uuid, 'current'))?.memoryProcessedBytes ?? 0
  await expect.poll(processed, { timeout: STARTS_WITHIN_MS }).toBeGreaterThan(0)
}

function migrationCases(tools: ControlTools): void {
  const { fixture, source } = tools

  test('a live migration applies new pins without an interruption of the guest', async () => {
    const { uuid, domain } = await running(tools)
    await source().migrate(uuid, await orderOf(tools, uuid))
    const { virsh } = fixture().destination
    expect((await virsh('domstate', '--reason', uuid)).trim()).toBe('running (migrated)')
    expect(await affinityOf(virsh, uuid)).toEqual([[1], [0]])
    const stored = await virsh('dumpxml', '--inactive', uuid)
    expect(stored).toContain("<vcpupin vcpu='0' cpuset='1'/>")
    expect(await fixture().source.virsh('list', '--all', '--uuid')).not.toContain(uuid)
    const { ticks } = domain.words()
    await expect.poll(() => domain.words().ticks).toBeGreaterThan(ticks)
    expect(domain.words().boots.length).toBe(1)
    expect(await source().domain(uuid)).toBeNull()
    const destination = await fixture().connect(fixture().destination.name)
    const statistics = await destination.jobStatistics(uuid, 'completed')
    await destination.close()
    expect(statistics?.operation).toBe('migration-in')
    expect(statistics?.downtimeMs).toBeGreaterThan(0)
  })

  test('an aborted migration leaves the domain as it was, and nothing at the destination', async () => {
    const { uuid, domain } = await running(tools)
    const { ended } = await startMigration(tools, uuid, await orderOf(tools, uuid, SLOW))
    expect((await fixture().destination.virsh('domstate', '--reason', uuid)).trim()).toBe('paused (migrating)')
    expect(await source().jobStatistics(uuid, 'current')).toMatchObject({ operation: 'migration-out' })
    await source().abortJob(uuid)
    expect(await ended).toMatchObject({ kind: 'refused' })
    expect((await source().domain(uuid))?.state).toBe('running')
    expect(await affinityOf(fixture().source.virsh, uuid)).toEqual([[0], [1]])
    expect(await fixture().destination.virsh('list', '--all', '--uuid')).not.toContain(uuid)
    const { ticks } = domain.words()
    await expect.poll(() => domain.words().ticks).toBeGreaterThan(ticks)
    expect(domain.words().boots.length).toBe(1)
  })

  test('a destination without the CPU model refuses, and the domain stays', async () => {
    const { uuid } = await running(tools)
    const order = await orderOf(tools, uuid)
    const liveXml = order.liveXml.replace("vcpu='0' cpuset='1'", "vcpu='0' cpuset='4000'")
    await expect(source().migrate(uuid, { ...order, liveXml })).rejects.toMatchObject({ kind: 'refused' })
    expect((await source().domain(uuid))?.state).toBe('running')
    expect(await fixture().destination.virsh('list', '--all', '--uuid')).not.toContain(uuid)
  })
}

function policyCases(tools: ControlTools): void {
  const { fixture, source } = tools

  test('bandwidth and maximum downtime can be changed during the migration', async () => {
    const { uuid } = await running(tools)
    const { ended } = await startMigration(tools, uuid, await orderOf(tools, uuid, SLOW))
    await source().setMigrationDowntime(uuid, 777)
    expect((await fixture().source.virsh('migrate-getmaxdowntime', uuid)).trim()).toBe('777')
    await expect(source().startPostCopy(uuid)).rejects.toMatchObject({ kind: 'refused' })
    await source().setMigrationSpeed(uuid, 2_000)
    expect(await ended).toBeNull()
    expect((await fixture().destination.virsh('domstate', uuid)).trim()).toBe('running')
  })

  test.each([
    ['encrypted', { tls: true }, 'query-migrate-parameters', /"tls-creds":"[^"]+"/],
    ['with auto-converge', { autoConverge: true }, 'query-migrate-capabilities', capability('auto-converge')],
    ['over two connections', { parallelConnections: 2 }, 'query-migrate-capabilities', capability('multifd')],
  ] as const)('its memory goes %s when the policy says so', async (_how, policy, execute, says) => {
    const { uuid, domain } = await running(tools)
    const { ended } = await startMigration(tools, uuid, await orderOf(tools, uuid, { ...SLOW, ...policy }))
    const output = await fixture().source.virsh('qemu-monitor-command', uuid, JSON.stringify({ execute }))
    expect(output.replaceAll(/\s/g, '')).toMatch(says)
    await source().setMigrationSpeed(uuid, 2_000)
    expect(await ended).toBeNull()
    expect((await fixture().destination.virsh('domstate', uuid)).trim()).toBe('running')
    expect(domain.words().boots.length).toBe(1)
  })

  test('the dirty rate is sampled, and the resident memory reported', async () => {
    const { uuid } = await running(tools)
    expect(await source().memoryStatistics(uuid)).toMatchObject({ dirtyRate: 'never' })
    await source().startDirtyRate(uuid, 1)
    await expect
      .poll(async () => (await source().memoryStatistics(uuid))?.dirtyRate)
      .toEqual({ bytesPerS: expect.any(Number) })
    expect((await source().memoryStatistics(uuid))?.residentBytes).toBeGreaterThan(24 * 1024 ** 2)
    expect(await source().memoryStatistics(randomUUID())).toBeNull()
  })

  test('the migration continues when the connection that started it ends', async () => {
    const { uuid, domain } = await running(tools)
    const own = await fixture().connect(fixture().source.name)
    const cut = own.migrate(uuid, await orderOf(tools, uuid, SLOW)).catch((error: unknown) => error)
    await copying(tools, uuid)
    await own.close()
    expect(await cut).toMatchObject({ kind: 'closed' })
    expect(await source().jobStatistics(uuid, 'current')).toMatchObject({ operation: 'migration-out' })
    await source().setMigrationSpeed(uuid, 2_000)
    const shown = () => fixture().destination.virsh('domstate', '--reason', uuid)
    await expect.poll(async () => (await shown()).trim()).toBe('running (migrated)')
    expect(domain.words().boots.length).toBe(1)
  })
}

/** QEMU's output for an enabled capability. */
const capability = (name: string) =>
  new RegExp(`\\{"state":true,"capability":"${name}"\\}|\\{"capability":"${name}","state":true\\}`)

/** The CPUs that each vCPU's thread may run on, according to the kernel. */
async function affinityOf(virsh: ControlHost['virsh'], uuid: string): Promise<readonly (readonly number[])[]> {
  const text = await virsh('vcpuinfo', uuid)
  return [...text.matchAll(/^CPU Affinity:\s+([y-]+)$/gm)].map(([, mask = '']) =>
    [...mask].flatMap((letter, cpu) => (letter === 'y' ? [cpu] : [])),
  )
}
