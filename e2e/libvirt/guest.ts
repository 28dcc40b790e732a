import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { BuildOrder } from '../../server/drivers/driver'
import type { HostId, InstanceId } from '../../server/engine/words/ids'
import { IMAGE, POOL } from './pool'

// The software of a rig guest: 293 bytes for QEMU's multiboot loader, so that no kernel is needed. It picks a random id
// when it boots, fills 24 MiB with incompressible data (so that a migration with a bandwidth limit takes a while), and
// halts between timer interrupts. Once a second it writes `T` and the id to its serial port: the same id after a
// migration means the same boot. On the power button it writes `O` and powers off. It needs i440fx, ACPI and 48 MiB.

const HEADER = [
  '02b0ad1b00000100fe4f51e4', // multiboot magic, flags (addresses follow), checksum
  '0000100000001000000000000000000044001000', // header and load address 1 MiB, the whole file, no bss, entry
  '0000000000000000ffff0000009acf00ffff00000092cf00', // GDT: null, flat code, flat data
  '170020001000', // its limit and address
  '7f0000000800', // limit and address of the IDT, which is written at 0x80000
]

const CODE = [
  'fa', // entry: cli
  'bc00000900', // mov esp,0x90000
  '0f011538001000', // lgdtd 0x100038
  'ea580010000800', // jmp 0x8:0x100058
  '66b81000', // seg32: mov ax,0x10
  '8ed8', // mov ds,eax
  '8ec0', // mov es,eax
  '8ed0', // mov ss,eax
  '0f31', // rdtsc
  '89c5', // mov ebp,eax
  '83cd01', // or ebp,0x1
  'bf00000800', // mov edi,0x80000
  'b910000000', // mov ecx,0x10
  'c707f0000800', // gate: mov [edi],0x800f0
  'c74704008e1000', // mov [edi+0x4],0x108e00
  '83c708', // add edi,0x8
  'e2ee', // loop gate
  '0f011d3e001000', // lidtd 0x10003e
  'b0fe', // mov al,0xfe
  'e621', // out 0x21,al
  'b0ff', // mov al,0xff
  'e6a1', // out 0xa1,al
  '66ba0206', // mov dx,0x602
  '66b80001', // mov ax,0x100
  '66ef', // out dx,ax
  '89e8', // mov eax,ebp
  'bf00002000', // mov edi,0x200000
  'b900006000', // mov ecx,0x600000
  '69c00d661900', // fill: imul eax,eax,0x19660d
  '055ff36e3c', // add eax,0x3c6ef35f
  'ab', // stos [edi],eax
  'e2f2', // loop fill
  'b055', // mov al,0x55
  'e838000000', // call say
  'bb12000000', // tick: mov ebx,0x12
  'fb', // await: sti
  'f4', // hlt
  'fa', // cli
  '66ba0006', // mov dx,0x600
  '66ed', // in ax,dx
  'f6c401', // test ah,0x1
  '750c', // jne off
  '4b', // dec ebx
  '75ef', // jne await
  'b054', // mov al,0x54
  'e81b000000', // call say
  'ebe1', // jmp tick
  'b04f', // off: mov al,0x4f
  'e812000000', // call say
  '66ba0406', // mov dx,0x604
  '66b80020', // mov ax,0x2000
  '66ef', // out dx,ax
  'f4', // hlt
  '50', // handler: push eax
  'b020', // mov al,0x20
  'e620', // out 0x20,al
  '58', // pop eax
  'cf', // iret
  'e823000000', // say: call put
  'b020', // mov al,0x20
  'e81c000000', // call put
  'b908000000', // mov ecx,0x8
  '89ee', // mov esi,ebp
  'c1c604', // digit: rol esi,0x4
  '89f0', // mov eax,esi
  '240f', // and al,0xf
  '3c0a', // cmp al,0xa
  '1c69', // sbb al,0x69
  '2f', // das
  'e804000000', // call put
  'e2ed', // loop digit
  'b00a', // mov al,0xa
  '66baf803', // put: mov dx,0x3f8
  'ee', // out dx,al
  'c3', // ret
]

export const GUEST_KERNEL = Buffer.from([...HEADER, ...CODE].join(''), 'hex')

export const writeKernel = (file: string): void => fs.writeFileSync(file, GUEST_KERNEL)

/** A domain that is not Berth's, on each host. */
export const FOREIGN_DOMAIN = 'not-berths'

export interface DomainPlan {
  readonly uuid: string
  readonly name: string
  /** The file from `writeKernel`, at the same path on every host. */
  readonly kernelPath: string
  /** The serial output of the guest, from every host on which it runs. */
  readonly logPath: string
  /** Its root disk, or in an image the base volume of the root disk. */
  readonly disk?: { readonly pool: string; readonly volume: string }
}

/** Two vCPUs on two NUMA nodes, pinned to CPUs 0 and 1 of the host. */
export const domainXml = ({ uuid, name, kernelPath, logPath, disk }: DomainPlan): string => `<domain type='qemu'>
  <name>${name}</name><uuid>${uuid}</uuid>
  <memory unit='MiB'>48</memory><vcpu placement='static'>2</vcpu>
  <cputune><vcpupin vcpu='0' cpuset='0'/><vcpupin vcpu='1' cpuset='1'/><emulatorpin cpuset='0'/></cputune>
  <numatune><memory mode='strict' nodeset='0'/><memnode cellid='0' mode='strict' nodeset='0'/></numatune>
  <os><type arch='x86_64' machine='pc'>hvm</type><kernel>${kernelPath}</kernel></os>
  <features><acpi/><apic/><tcg><tb-cache unit='MiB'>32</tb-cache></tcg></features>
  <cpu mode='custom' match='exact' check='none'><model fallback='forbid'>qemu64</model>
    <topology sockets='2' dies='1' cores='1' threads='1'/>
    <numa><cell id='0' cpus='0' memory='24' unit='MiB'/><cell id='1' cpus='1' memory='24' unit='MiB'/></numa></cpu>
  <on_poweroff>destroy</on_poweroff><on_reboot>restart</on_reboot><on_crash>destroy</on_crash>
  <devices><controller type='usb' model='none'/><memballoon model='none'/>${disk ? diskXml(disk) : ''}
    <serial type='file'><source path='${logPath}' append='on'/></serial></devices>
</domain>`

const diskXml = ({ pool, volume }: NonNullable<DomainPlan['disk']>) => `
    <disk type='volume' device='disk'><driver name='qemu' type='qcow2'/><source pool='${pool}' volume='${volume}'/>
      <target dev='vda' bus='virtio'/></disk>`

/** Domain XML of the image for every domain of a contract, with files in the folder of the rig. */
export const machineOf = (folder: string, kind?: 'own-disk'): string =>
  domainXml({
    ...{ uuid: randomUUID(), name: 'machine', kernelPath: path.join(folder, 'guest') },
    logPath: path.join(folder, 'guest.log'),
    ...(kind && { disk: { pool: POOL, volume: IMAGE } }),
  })

export const DISK_IMAGE = 'tiny-disk'

/** The spec for a driver to build: pinned to CPUs 0 and 1 of node 0. */
export const buildOrderOn = (host: HostId, kind?: 'own-disk'): BuildOrder => ({
  ...{ instance: randomUUID() as InstanceId, name: 'web-1', host, fence: 1 },
  flavor: { name: 'm1', vcpus: 2, memoryMib: 48, diskGib: kind ? 1 : 0, extraSpecs: {} },
  image: { name: kind ? DISK_IMAGE : 'tiny', properties: {} },
  claim: {
    amounts: [],
    cells: [0, 1].map((cell) => ({
      ...{ guestCell: cell, hostCell: 0, memoryMib: 24, pageKib: null, sharedVcpus: [], reservedCpus: [] },
      ...{ pins: [[cell, cell] as const], cpuPolicy: 'dedicated' as const, threadPolicy: null },
    })),
    units: [],
  },
})

export interface GuestLog {
  /** Ids of its boots, oldest first. */
  readonly boots: readonly string[]
  /** Id of the last boot that wrote a line. */
  readonly boot: string | null
  readonly ticks: number
  /** How often it powered off. */
  readonly offs: number
}

export function readGuestLog(file: string): GuestLog {
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []
  const of = (word: string) => lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(2))
  const ticks = of('T')
  return { boots: of('U'), boot: ticks.at(-1) ?? null, ticks: ticks.length, offs: of('O').length }
}
