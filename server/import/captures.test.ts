import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type HostCapabilities, parseCapabilities } from './capabilities'
import { parseDomain } from './domain'
import { rangesOf } from './hypervisor-report'
import { type NodedevFile, parseNodedevs } from './nodedev'
import { cpusOfList } from './xml'

// Captures of real hosts, which are not part of the project: each must import, and the result must agree with its own
// /sys. BERTH_CAPTURES names another folder. docs/captured-hosts.md lists them (`vitest -u` writes it).

const CAPTURES = process.env.BERTH_CAPTURES ?? path.resolve(import.meta.dirname, '../../../shared/data/hosts')
const filesOf = (folder: string, ending: string) => {
  const place = path.join(CAPTURES, folder)
  return fs.existsSync(place)
    ? fs
        .readdirSync(place)
        .filter((name) => name.endsWith(ending))
        .sort()
    : []
}
const read = (folder: string, name: string) => fs.readFileSync(path.join(CAPTURES, folder, name), 'utf8')
const here = fs.existsSync(CAPTURES)
if (!here) console.log(`skipped: no captures of hosts in ${CAPTURES}`)

const unpacked = fs.mkdtempSync(path.join(os.tmpdir(), 'captures-'))
afterAll(() => fs.rmSync(unpacked, { recursive: true, force: true }))
/** Unpacks the archive, and returns the folder. */
function unpack(folder: string, archive: string): string {
  execFileSync('tar', ['xf', path.join(CAPTURES, folder, archive), '-C', unpacked])
  return path.join(unpacked, archive.replace(/\.tar\.\w+$/, '').replace(/^vircaps-/, ''))
}

/** The /sys of a capture, and libvirt's output for it. `amounts`: memory and pages are real, unlike in its tests. */
interface CaptureFixture {
  readonly archive: readonly [folder: string, name: string]
  readonly system: string
  readonly xml: readonly [folder: string, name: string]
  readonly amounts: boolean
}

const PRINTED: readonly CaptureFixture[] = [
  ...filesOf('hwloc', '.tar.bz2').map((archive) => ({
    archive: ['hwloc', archive] as const,
    system: 'sys/devices/system',
    xml: ['derived', `capabilities-${archive.replace('.tar.bz2', '')}.xml`] as const,
    amounts: true,
  })),
  ...filesOf('libvirt/sysfs', '.tar.gz').flatMap((archive) => {
    const [, name] = /^vircaps-linux-(\w+)\.tar\.gz$/.exec(archive) ?? []
    const xml = ['libvirt/capabilities', `vircaps-x86_64-${name}.xml`] as const
    return name ? [{ archive: ['libvirt/sysfs', archive] as const, system: 'system', xml, amounts: false }] : []
  }),
]

function capabilities(folder: string, name: string): HostCapabilities {
  const { value, issues } = parseCapabilities(read(folder, name), { file: name, dedicated: new Set() })
  expect(issues.filter(({ level }) => level === 'error')).toEqual([])
  if (value === null) throw new Error(`${name} has no host`)
  return value
}

describe.skipIf(!here)(`captures of real hosts${here ? '' : ` (skipped: not in ${CAPTURES})`}`, () => {
  const capabilityFiles = ['derived', 'libvirt/capabilities', 'this-machine', 'this-machine/faked'].flatMap((folder) =>
    filesOf(folder, '.xml').flatMap((name) => (/(^|vir)cap/.test(name) ? [[folder, name] as const] : [])),
  )

  it.each(capabilityFiles)('%s/%s is read with each CPU once and in one sibling group', (folder, name) => {
    const { numaNodes } = capabilities(folder, name)
    const cpus = numaNodes.flatMap(({ sharedCpus }) => sharedCpus)
    expect(cpus.length).toBeGreaterThan(0)
    expect(new Set(cpus).size).toBe(cpus.length)
    expect(numaNodes.flatMap(({ siblings }) => siblings.flat()).sort(ascending)).toEqual([...cpus].sort(ascending))
  })

  it.each(PRINTED)('$archive.1: the capabilities printed by libvirt equal its /sys', (printed) => {
    const { numaNodes } = capabilities(...printed.xml)
    const system = path.join(unpack(...printed.archive), printed.system)
    expect(numaNodes.map(({ id }) => id)).toEqual(nodesOf(system))
    for (const cell of numaNodes) {
      const node = path.join(system, `node/node${cell.id}`)
      const cpus = cpusOfNode(node).filter((cpu) => isOnline(system, cpu))
      expect([cell.id, cell.sharedCpus]).toEqual([cell.id, cpus])
      if (printed.amounts) {
        expect([cell.id, cell.memoryMib]).toEqual([cell.id, memoryMib(node)])
        expect([cell.id, hugePages(cell)]).toEqual([cell.id, hugePagesIn(node)])
      }
      for (const group of cell.siblings)
        for (const cpu of group) {
          const siblings = listIn(path.join(system, `cpu/cpu${cpu}/topology/thread_siblings_list`))
          expect([cpu, group]).toEqual([cpu, siblings.filter((other) => cpus.includes(other))])
        }
    }
  })

  const archives = filesOf('derived', '.tar.gz').map((archive) => ['derived', archive] as const)
  it.each(archives)('%s/%s: every assignable function is read', (folder, archive) => {
    checkDevices(filesFrom(folder, archive))
  })

  it.each(['libvirt/nodedev', 'this-machine', 'this-machine/faked'])('%s: every function is read', (folder) => {
    const names = filesOf(folder, '.xml').filter((name) => !/cap|dumpxml/.test(name))
    const byAddress = new Map(names.map((name) => [/pci_0000_02_10_7/.test(name) ? 'one' : name, name]))
    checkDevices([...byAddress.values()].map((file) => ({ file, text: read(folder, file) })))
  })

  it('docs/captured-hosts.md lists what is imported from each', async () => {
    const rows = capabilityFiles.map(([folder, name]) => {
      const { numaNodes } = capabilities(folder, name)
      const devices = `nodedev-${name.replace(/^capabilities-|\.xml$/g, '')}.tar.gz`
      const own = PRINTED.find(({ xml }) => xml.join('/') === `${folder}/${name}`)
      return [
        `${folder}/${name}`,
        numaNodes.map(({ id, sharedCpus }) => `${id}: ${rangesOf(sharedCpus) || 'no CPUs'}`).join('<br>'),
        `${numaNodes.flatMap(({ sharedCpus }) => sharedCpus).length}`,
        threadsOf(numaNodes),
        `${numaNodes.reduce((sum, { memoryMib: mib }) => sum + mib, 0)}`,
        pagesOf(numaNodes),
        archives.some(([, archive]) => archive === devices) ? `${functionsIn('derived', devices)}` : 'not captured',
        own ? `its /sys${own.amounts ? '' : ', except memory and pages'}` : 'itself: each CPU once',
      ]
    })
    const head = [
      'capture',
      'NUMA nodes',
      'CPUs',
      'siblings',
      'MiB',
      'huge pages: KiB × number',
      'devices',
      'checked against',
    ]
    const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
    await expect(`${TABLE_HEAD}\n${table.join('\n')}\n`).toMatchFileSnapshot('../../docs/captured-hosts.md')
  })

  it('a running domain is read with its pins', () => {
    const { value, issues } = parseDomain(read('this-machine', 'dumpxml-running.xml'), 'p1')
    expect(issues).toEqual([])
    expect(value).toMatchObject({ vcpus: 2, memoryMib: 128, emulatorCpus: [0], guestNodes: 2 })
    expect(value?.pins).toEqual([
      { vcpu: 0, cpus: [0] },
      { vcpu: 1, cpus: [1] },
    ])
  })
})

const ALL_NODES = new Set(Array.from({ length: 256 }, (_, id) => id))
const ascending = (a: number, b: number) => a - b
/** In some captures the files of /sys are one page long, padded with zeros after the text. */
const textIn = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').replaceAll('\0', '').trim() : '')
const listIn = (file: string): readonly number[] => cpusOfList(textIn(file)) ?? []
const functionsIn = (folder: string, archive: string): number =>
  parseNodedevs(filesFrom(folder, archive), ALL_NODES).value?.filter(({ kind }) => kind === 'pci').length ?? 0

function pagesOf(cells: HostCapabilities['numaNodes']): string {
  const all = cells.flatMap(({ pages }) => [...pages].sort((one, other) => one.sizeKib - other.sizeKib).slice(1))
  const sizes = [...new Set(all.map(({ sizeKib }) => sizeKib))].sort(ascending)
  const sum = (size: number) => all.reduce((total, each) => total + (each.sizeKib === size ? each.total : 0), 0)
  return sizes.flatMap((size) => (sum(size) > 0 ? [`${size} × ${sum(size)}`] : [])).join('<br>') || 'none'
}

/** `8 × 2`: 8 groups of 2 threads. */
function threadsOf(cells: HostCapabilities['numaNodes']): string {
  const sizes = cells.flatMap(({ siblings }) => siblings.map((group) => group.length))
  return [...new Set(sizes)]
    .sort(ascending)
    .map((size) => `${sizes.filter((each) => each === size).length} × ${size}`)
    .join(', ')
}

const TABLE_HEAD = `# Captured hosts

What Berth imports from each capture of a real host, and what it is checked against. \`server/import/captures.test.ts\`
checks this page and writes it (\`npx vitest run server/import/captures.test.ts -u\`). The captures are not part of the
project. Siblings: number of groups × threads per group. Devices: assignable PCI functions, each checked against the
nodedev files of the capture.
`

function filesFrom(folder: string, archive: string): readonly NodedevFile[] {
  const place = unpack(folder, archive)
  return fs.readdirSync(place).map((file) => ({ file, text: fs.readFileSync(path.join(place, file), 'utf8') }))
}

/** Some captures lack one of the two, or they disagree; libvirt reads the mask. */
const cpusOfNode = (node: string) =>
  fs.existsSync(path.join(node, 'cpumap')) ? cpusIn(path.join(node, 'cpumap')) : listIn(path.join(node, 'cpulist'))

/** A mask in words of 32 bits. */
function cpusIn(file: string): readonly number[] {
  const mask = BigInt(`0x${textIn(file).replaceAll(',', '')}`)
  const bits = [...mask.toString(2)].reverse()
  return bits.flatMap((bit, cpu) => (bit === '1' ? [cpu] : []))
}
/** The first CPU of some machines cannot be taken offline and has no such file. */
const isOnline = (system: string, cpu: number) =>
  fs.existsSync(path.join(system, `cpu/cpu${cpu}`)) && textIn(path.join(system, `cpu/cpu${cpu}/online`)) !== '0'

const nodesOf = (system: string) =>
  fs
    .readdirSync(path.join(system, 'node'))
    .flatMap((name) => (/^node\d+$/.test(name) ? [Number(name.slice(4))] : []))
    .sort(ascending)

const memoryMib = (node: string) =>
  Math.floor(Number(/MemTotal:\s+(\d+) kB/.exec(textIn(path.join(node, 'meminfo')))?.[1] ?? 0) / 1024)

/** All but the smallest, which is the ordinary page: 4 KiB, or 64 KiB on POWER. */
const hugePages = ({ pages }: HostCapabilities['numaNodes'][number]) =>
  [...pages]
    .sort((one, other) => one.sizeKib - other.sizeKib)
    .slice(1)
    .map(({ sizeKib, total }) => `${sizeKib}: ${total}`)
    .sort()

function hugePagesIn(node: string): readonly string[] {
  const folder = path.join(node, 'hugepages')
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .map(
      (name) =>
        `${Number.parseInt(name.slice('hugepages-'.length), 10)}: ${textIn(path.join(folder, name, 'nr_hugepages'))}`,
    )
    .sort()
}

/** Finds the assignable devices independently: network, display, co-processor, accelerator, and their functions. */
function checkDevices(files: readonly NodedevFile[]): void {
  const { value, issues } = parseNodedevs(files, ALL_NODES)
  expect(issues.filter(({ level }) => level === 'error')).toEqual([])
  const assignable = files.filter(
    ({ text }) => /<class>0x(02|03|0b|12)|'(phys|virt)_function/.test(text) && /'pci'/.test(text),
  )
  const functions = (value ?? []).filter(({ kind }) => kind === 'pci')
  expect(functions.length).toBe(assignable.length)
  for (const { cell, pci } of functions) {
    const [, bus, slot, fn] = /^[0-9a-f]{4}:([0-9a-f]{2}):([0-9a-f]{2})\.([0-7])$/.exec(pci?.address ?? '') ?? []
    const own = assignable.find(
      ({ text }) =>
        Number(/<bus>(\d+)</.exec(text)?.[1]) === Number.parseInt(bus ?? '', 16) &&
        Number(/<slot>(\d+)</.exec(text)?.[1]) === Number.parseInt(slot ?? '', 16) &&
        Number(/<function>(\d+)</.exec(text)?.[1]) === Number(fn),
    )
    const node = /<numa node='(\d+)'\/>/.exec(own?.text ?? '')?.[1]
    expect([pci?.address, cell]).toEqual([pci?.address, node === undefined ? null : Number(node)])
  }
}
