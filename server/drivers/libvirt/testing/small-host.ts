import type { Domain, NodeDevice } from '../connection'
import type { CapturedHost } from './captured-daemon'

// A daemon's report of a small host: two NUMA nodes of four threads, a GPU, and domains that the test chooses.

const cpu = (id: number, node: number) =>
  `<cpu id='${id}' socket_id='${node}' core_id='${id % 2}' siblings='${id < 4 ? (id % 2 === 0 ? '0,2' : '1,3') : id % 2 === 0 ? '4,6' : '5,7'}'/>`
const node = (id: number) => `<cell id='${id}'><memory unit='KiB'>8388608</memory>
  <pages unit='KiB' size='4'>1835008</pages><pages unit='KiB' size='2048'>512</pages>
  <cpus num='4'>${[0, 1, 2, 3].map((nth) => cpu(id * 4 + nth, id)).join('')}</cpus></cell>`
const capabilities = (uuid: string) => `<capabilities><host><uuid>${uuid}</uuid>
  <cpu><arch>x86_64</arch><model>Skylake-Server</model><vendor>Intel</vendor></cpu>
  <topology><cells num='2'>${node(0)}${node(1)}</cells></topology></host></capabilities>`
const GPU: NodeDevice = {
  name: 'pci_0000_af_00_0',
  xml: `<device><name>pci_0000_af_00_0</name><capability type='pci'><class>0x030200</class><domain>0</domain><bus>175</bus>
    <slot>0</slot><function>0</function><product id='0x20f1'/><vendor id='0x10de'/><numa node='1'/></capability></device>`,
}

export interface SmallCapture {
  readonly hostname?: string
  /** Of the machine. */
  readonly uuid?: string
  readonly domains?: readonly Domain[]
}

export const smallCapture = ({ hostname = 'hv1', uuid = MACHINE, domains = [] }: SmallCapture = {}): CapturedHost => ({
  ...{ hostname, capabilities: capabilities(uuid), nodeDevices: [GPU], domains },
})

export const MACHINE = '6f7c8f1e-6b1f-4c3e-9a51-000000000001'

/** A running domain with a vCPU pinned to each of these CPUs; without any, one vCPU that floats. */
export const pinnedDomain = (nth: number, cpus: readonly number[]): Domain => ({
  ...{ name: `web-${nth}`, uuid: `6f7c8f1e-6b1f-4c3e-9a51-1000000000${String(nth).padStart(2, '0')}` },
  ...{ state: 'running', reason: 'booted' },
  xml: `<domain type='kvm'><name>web-${nth}</name><memory unit='KiB'>1048576</memory><vcpu>${cpus.length || 1}</vcpu><cputune>${cpus
    .map((at, vcpu) => `<vcpupin vcpu='${vcpu}' cpuset='${at}'/>`)
    .join('')}</cputune></domain>`,
})
