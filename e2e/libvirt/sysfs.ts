import fs from 'node:fs'
import path from 'node:path'

// A fake /sys tree. Bind-mounted over /sys of a rig host, it makes libvirt report its NUMA nodes, CPUs, huge pages and
// PCI functions as those of the host. Contains only what libvirt 9 to 11 reads.

export interface RigNode {
  readonly id: number
  /** 0: a memory-only node, such as that of a GPU. */
  readonly cores: number
  readonly threads: 1 | 2
  readonly memoryMib: number
  /** Number of huge pages by size in KiB. The node has no other sizes. */
  readonly pages: Readonly<Record<number, number>>
}

export interface RigDevice {
  readonly address: string
  readonly vendor: string
  readonly device: string
  readonly deviceClass: string
  /** Null: the firmware does not report it. */
  readonly node: number | null
  readonly driver: string
  readonly group: number
  /** Enabled virtual functions of a PF, and its maximum. */
  readonly functions?: { readonly enabled: number; readonly most: number; readonly device: string }
  readonly mdevTypes?: Readonly<Record<string, number>>
}

export interface RigTopology {
  readonly nodes: readonly RigNode[]
  readonly offlineCpus: readonly number[]
  readonly devices: readonly RigDevice[]
}

interface RigCpu {
  readonly id: number
  readonly node: number
  readonly core: number
  readonly siblings: readonly number[]
}

/** Numbered as in Linux with SMT: the first threads of all cores, node by node, then the second threads. */
export function cpusOf(nodes: readonly RigNode[]): readonly RigCpu[] {
  const cores = nodes.flatMap((node) => Array.from({ length: node.cores }, (_, core) => ({ node, core })))
  const idOf = (core: number, thread: number) => thread * cores.length + core
  return cores.flatMap(({ node, core }, at) => {
    const siblings = Array.from({ length: node.threads }, (_, thread) => idOf(at, thread))
    return siblings.map((id) => ({ id, node: node.id, core, siblings }))
  })
}

export function writeSysfs(root: string, topology: RigTopology): void {
  const cpus = cpusOf(topology.nodes)
  const online = cpus.filter(({ id }) => !topology.offlineCpus.includes(id))
  for (const folder of ['bus/pci/devices', 'bus/pci/drivers', 'class/mdev_bus', 'fs', 'kernel', 'devices'])
    fs.mkdirSync(path.join(root, folder), { recursive: true })
  writeCpus(path.join(root, 'devices/system/cpu'), cpus, new Set(online.map(({ id }) => id)))
  for (const node of topology.nodes) writeNode(root, node, { topology, online })
  const withCpus = topology.nodes.filter(({ cores }) => cores > 0)
  const all = list(topology.nodes.map(({ id }) => id))
  writeAll(path.join(root, 'devices/system/node'), {
    online: all,
    possible: all,
    has_memory: all,
    has_normal_memory: all,
    has_cpu: list(withCpus.map(({ id }) => id)),
  })
  for (const device of topology.devices) writeDevice(root, device)
}

function writeCpus(folder: string, cpus: readonly RigCpu[], online: ReadonlySet<number>): void {
  const ids = cpus.map(({ id }) => id)
  writeAll(folder, {
    present: list(ids),
    possible: list(ids),
    online: list([...online]),
    offline: list(ids.filter((id) => !online.has(id))),
    kernel_max: '255',
  })
  for (const cpu of cpus) {
    write(path.join(folder, `cpu${cpu.id}/online`), online.has(cpu.id) ? '1' : '0')
    if (!online.has(cpu.id)) continue // the kernel reports no topology of an offline CPU
    const package_ = cpus.filter((other) => other.node === cpu.node && online.has(other.id)).map(({ id }) => id)
    const siblings = cpu.siblings.filter((id) => online.has(id))
    writeAll(path.join(folder, `cpu${cpu.id}/topology`), {
      physical_package_id: `${cpu.node}`,
      die_id: '0',
      core_id: `${cpu.core}`,
      thread_siblings_list: list(siblings),
      thread_siblings: mask(siblings),
      core_siblings_list: list(package_),
      core_siblings: mask(package_),
    })
  }
}

interface NodeContext {
  readonly topology: RigTopology
  readonly online: readonly RigCpu[]
}

function writeNode(root: string, node: RigNode, { topology, online }: NodeContext): void {
  const folder = path.join(root, `devices/system/node/node${node.id}`)
  const own = online.filter((cpu) => cpu.node === node.id).map(({ id }) => id)
  const kib = node.memoryMib * 1024
  const huge = Object.entries(node.pages).reduce((sum, [sizeKib, count]) => sum + Number(sizeKib) * count, 0)
  const used = Math.floor(kib / 10) + huge
  const line = (name: string, value: number) => `Node ${node.id} ${name}: ${value} kB`
  writeAll(folder, {
    cpulist: list(own),
    cpumap: mask(own),
    distance: topology.nodes.map(({ id }) => (id === node.id ? 10 : 21)).join(' '),
    meminfo: [line('MemTotal', kib), line('MemFree', kib - used), line('MemUsed', used)].join('\n'),
  })
  for (const [sizeKib, count] of Object.entries(node.pages))
    writeAll(path.join(folder, `hugepages/hugepages-${sizeKib}kB`), {
      nr_hugepages: `${count}`,
      free_hugepages: `${count}`,
      surplus_hugepages: '0',
    })
  for (const id of own) {
    link(path.join(root, `devices/system/cpu/cpu${id}`), path.join(folder, `cpu${id}`))
    link(folder, path.join(root, `devices/system/cpu/cpu${id}/node${node.id}`))
  }
}

const FIRST_FUNCTION = 16 // sriov_offset: the distance of the first virtual function from its PF

function writeDevice(root: string, device: RigDevice): void {
  const folder = writeFunction(root, device)
  const { functions, mdevTypes = {} } = device
  if (functions) {
    const { enabled, most } = functions
    writeAll(folder, { sriov_totalvfs: `${most}`, sriov_numvfs: `${enabled}`, sriov_offset: '16', sriov_stride: '1' })
    for (let nth = 0; nth < enabled; nth++) {
      const address = addressAfter(device.address, FIRST_FUNCTION + nth)
      const group = device.group + 1 + nth
      const virtual = { ...device, address, device: functions.device, driver: 'vfio-pci', group }
      const own = writeFunction(root, virtual)
      link(folder, path.join(own, 'physfn'))
      link(own, path.join(folder, `virtfn${nth}`))
    }
  }
  for (const [type, available] of Object.entries(mdevTypes)) {
    writeAll(path.join(folder, 'mdev_supported_types', type), {
      name: type,
      available_instances: `${available}`,
      device_api: 'vfio-pci',
    })
    link(folder, path.join(root, 'class/mdev_bus', device.address))
  }
}

/** Returns the folder of the device. */
function writeFunction(root: string, { address, vendor, device, deviceClass, node, driver, group }: RigDevice): string {
  const bridge = path.join(root, `devices/pci${address.slice(0, 7)}`)
  const folder = path.join(bridge, address)
  write(path.join(bridge, 'uevent'), '')
  const id = `${vendor}:${device}`.toUpperCase()
  writeAll(folder, {
    vendor: `0x${vendor}`,
    device: `0x${device}`,
    class: `0x${deviceClass}`,
    subsystem_vendor: `0x${vendor}`,
    subsystem_device: '0x0000',
    numa_node: `${node ?? -1}`,
    enable: '1',
    uevent: `DRIVER=${driver}\nPCI_CLASS=${deviceClass.toUpperCase()}\nPCI_ID=${id}\nPCI_SLOT_NAME=${address}`,
  })
  fs.writeFileSync(path.join(folder, 'config'), Buffer.alloc(256))
  const groupFolder = path.join(root, `kernel/iommu_groups/${group}`)
  const driverFolder = path.join(root, `bus/pci/drivers/${driver}`)
  fs.mkdirSync(driverFolder, { recursive: true })
  fs.mkdirSync(path.join(groupFolder, 'devices'), { recursive: true })
  link(path.join(root, 'bus/pci'), path.join(folder, 'subsystem'))
  link(driverFolder, path.join(folder, 'driver'))
  link(groupFolder, path.join(folder, 'iommu_group'))
  link(folder, path.join(groupFolder, 'devices', address))
  link(folder, path.join(root, 'bus/pci/devices', address))
  return folder
}

function addressAfter(address: string, distance: number): string {
  const [domain = '', bus = '0', rest = '0.0'] = address.split(':')
  const [slot = '0', fn = '0'] = rest.split('.')
  const flat = Number.parseInt(slot, 16) * 8 + Number(fn) + distance
  const hex = (value: number) => value.toString(16).padStart(2, '0')
  return `${domain}:${hex(Number.parseInt(bus, 16) + Math.floor(flat / 256))}:${hex(Math.floor((flat % 256) / 8))}.${flat % 8}`
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, `${text}\n`)
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) write(path.join(folder, name), text)
}

/** Makes a relative link, because the tree is mounted elsewhere. */
function link(to: string, at: string): void {
  fs.mkdirSync(path.dirname(at), { recursive: true })
  if (!fs.existsSync(at)) fs.symlinkSync(path.relative(path.dirname(at), to), at)
}

const list = (ids: readonly number[]) => [...ids].sort((a, b) => a - b).join(',')

function mask(ids: readonly number[]): string {
  const bits = ids.reduce((sum, id) => sum | (1n << BigInt(id)), 0n)
  return bits.toString(16).padStart(8, '0')
}
