import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectHost } from '../../server/cli/connect-host'
import { parseArguments } from '../../server/import/arguments'
import { guardedRig } from './guarded-rig'
import { whyNoRig } from './prerequisites'
import type { Rig } from './rig'
import type { RigHost } from './rig-host'

// The import command of docs/first-host.md against a real daemon.

const why = whyNoRig()
if (why !== null) console.log(`skipped: ${why}`)

describe.skipIf(why !== null)(`a host read from its daemon${why === null ? '' : ` (skipped: ${why})`}`, () => {
  const at = guardedRig()
  let rig: Rig
  let host: RigHost
  beforeAll(async () => {
    rig = at().rig
    host = rig.hosts[0] as RigHost
    const file = path.join(host.folder, 'domain.xml')
    fs.writeFileSync(file, DOMAIN)
    await host.virsh('define', file)
  })
  const connect = (...words: string[]) => {
    const parsed = parseArguments(['host', '--connect', ...words, '--session'])
    if (!parsed.ok || parsed.order.what !== 'hypervisor') throw new Error('a wrong call')
    return connectHost(parsed.order)
  }

  it('has its real NUMA nodes, CPUs, pages and devices, and the pins of its domains', async () => {
    const { value, lines, issues } = await connect(`unix:${host.socketPath}`, '--dedicated', '4-7,12-14')
    const [spec] = value?.hosts ?? []
    expect(issues.map(({ level }) => level)).toEqual(['note'])
    expect(spec?.frame).toMatchObject({ name: 'hv1', driver: 'libvirt', scheduling: 'disabled' })
    expect(
      spec?.numaNodes.map(({ id, sharedCpus, dedicatedCpus, siblings }) => ({
        id,
        sharedCpus,
        dedicatedCpus,
        siblings,
      })),
    ).toEqual([
      { id: 0, sharedCpus: [0, 1, 2, 3, 8, 9, 10, 11], dedicatedCpus: [], siblings: pairs([0, 1, 2, 3]) },
      { id: 2, sharedCpus: [], dedicatedCpus: [4, 5, 6, 7, 12, 13, 14], siblings: [...pairs([4, 5, 6]), [7]] },
      { id: 5, sharedCpus: [], dedicatedCpus: [], siblings: [] },
    ])
    const functions = spec?.devices.filter(({ kind }) => kind === 'pci') ?? []
    expect(functions.map(({ pci, cell }) => [pci?.address, pci?.devType, cell])).toEqual([
      ['0000:3b:00.0', 'type-PCI', 2],
      ['0000:5e:00.0', 'type-PF', 0],
      ...[0, 1, 2, 3].map((fn) => [`0000:5e:02.${fn}`, 'type-VF', 0]),
      ['0000:d8:00.0', 'type-PCI', null],
    ])
    expect(spec?.devices.filter(({ kind }) => kind === 'vgpu').length).toBe(4)
    expect(lines.join('\n')).toContain('512 × 2 MiB (512 free), 2 × 1 GiB (2 free)')
    expect(lines.at(-1)).toBe(
      '  web 1, shut off (unknown): 2 vCPUs pinned 0→1 1→9; 32 MiB on node 0; 2 MiB pages; 0000:5e:02.1',
    )
  })

  it('is the same over TLS and through virsh', async () => {
    const [bySocket, byTls, byVirsh] = [
      await connect(`unix:${host.socketPath}`),
      await connect(`tls:${host.ip}`, '--pki', host.pkiPath),
      await connect(`unix:${host.socketPath}`, '--client', 'virsh'),
    ]
    for (const other of [byTls, byVirsh]) {
      expect(other.value?.hosts).toEqual(bySocket.value?.hosts)
      expect(other.lines.slice(1)).toEqual(bySocket.lines.slice(1))
    }
  })

  it('names the obstacles to a connection', async () => {
    const issueOf = async (...words: string[]) => (await connect(...words)).issues[0]?.what
    expect(await issueOf(`unix:${host.folder}/none`)).toMatch(/^not reached/)
    expect(await issueOf(`tls:${host.ip}`, '--pki', rig.unauthorizedPkiPath)).toMatch(/^reached, but not authenticated/)
    expect(await issueOf(`tls:${host.ip}:1`, '--pki', host.pkiPath)).toMatch(/^not reached/)
    expect(await issueOf('qemu:///system')).toMatch(/is not an address/)
  })
})

/** Core k of the host has the threads k and k + 8. */
const pairs = (cores: readonly number[]) => cores.map((core) => [core, core + 8])

const DOMAIN = `<domain type='qemu'><name>web 1</name><memory unit='MiB'>32</memory><vcpu placement='static'>2</vcpu>
  <memoryBacking><hugepages><page size='2' unit='MiB'/></hugepages></memoryBacking>
  <cputune><vcpupin vcpu='0' cpuset='1'/><vcpupin vcpu='1' cpuset='9'/></cputune><numatune><memory mode='strict' nodeset='0'/></numatune>
  <os><type arch='x86_64' machine='pc'>hvm</type></os>
  <devices><controller type='usb' model='none'/><memballoon model='none'/><hostdev mode='subsystem' type='pci' managed='no'>
  <source><address domain='0x0000' bus='0x5e' slot='0x02' function='0x1'/></source></hostdev></devices></domain>`
