import { describe, expect, it } from 'vitest'
import { parseDomain } from './domain'

const domainXml = (
  inner: string,
  head = "<memory unit='KiB'>8388608</memory><vcpu placement='static' current='2'>4</vcpu>",
) => `<domain type='kvm' id='7'><name>web</name>${head}${inner}</domain>`
const read = (inner: string, head?: string) => parseDomain(domainXml(inner, head), 'domain web')

describe('the claim of a domain', () => {
  it('has its pins, its memory with nodes and pages, and its devices', () => {
    const { value, issues } = read(`<memoryBacking><hugepages><page size='2048' unit='KiB'/></hugepages></memoryBacking>
      <cputune><vcpupin vcpu='0' cpuset='1'/><vcpupin vcpu='1' cpuset='8-10,^9'/><emulatorpin cpuset='0-3'/></cputune>
      <numatune><memory mode='strict' nodeset='0-1'/><memnode cellid='0' mode='strict' nodeset='3'/></numatune>
      <cpu><numa><cell id='0' cpus='0-1' memory='4194304'/><cell id='1' cpus='2-3' memory='4194304'/></numa></cpu>
      <devices>
        <hostdev mode='subsystem' type='pci'><source><address domain='0x0000' bus='0x5e' slot='0x02' function='0x1'/></source></hostdev>
        <hostdev mode='subsystem' type='mdev'><source><address uuid='c2177883-f1bb-47f0-914d-32a22e3a8804'/></source></hostdev>
        <hostdev mode='subsystem' type='usb'><source><address bus='1' device='2'/></source></hostdev>
        <interface type='hostdev'><source><address type='pci' domain='0x0000' bus='0xaf' slot='0x00' function='0x0'/></source></interface>
        <interface type='network'><source network='default'/></interface>
      </devices>`)
    expect(issues).toEqual([])
    expect(value).toEqual({
      vcpus: 4,
      memoryMib: 8192,
      pins: [
        { vcpu: 0, cpus: [1] },
        { vcpu: 1, cpus: [8, 10] },
      ],
      emulatorCpus: [0, 1, 2, 3],
      memoryNodes: [0, 1, 3],
      boundMib: [{ node: 3, memoryMib: 4096 }],
      pageKib: [2048],
      guestNodes: 2,
      pciAddresses: ['0000:5e:02.1', '0000:af:00.0'],
      mdevUuids: ['c2177883-f1bb-47f0-914d-32a22e3a8804'],
    })
  })

  it('has floating memory and vCPUs by default', () => {
    expect(read('').value).toMatchObject({
      vcpus: 4,
      pins: [],
      emulatorCpus: [],
      memoryNodes: [],
      boundMib: [],
      pageKib: [],
      guestNodes: 0,
    })
  })

  it.each([
    ["<memory mode='strict' nodeset='1'/>", [{ node: 1, memoryMib: 8192 }]],
    ["<memory mode='strict' nodeset='0-1'/>", []],
    ["<memnode cellid='0' nodeset='0-1'/>", []],
    ["<memnode cellid='4' nodeset='0'/>", []],
  ])('binds memory to one node with %s only where that is unambiguous', (inner, bound) => {
    expect(read(`<numatune>${inner}</numatune>`).value?.boundMib).toEqual(bound)
  })

  it.each([
    ['<hugepages/>', [null]],
    ["<hugepages><page size='1' unit='GiB' nodeset='0'/><page size='2048'/></hugepages>", [1_048_576, 2048]],
    ['<nosharepages/>', []],
  ])('has pages from %s', (inner, sizes) => {
    expect(read(`<memoryBacking>${inner}</memoryBacking>`).value?.pageKib).toEqual(sizes)
  })

  it.each([
    ['KiB', '1025', 2],
    ['MiB', '64', 64],
    ['GiB', '1', 1024],
    ['bytes', '1048576', 1],
  ])('counts memory in %s', (unit, amount, mib) => {
    const head = `<memory unit='${unit}'>${amount}</memory><vcpu>1</vcpu>`
    expect(read('', head).value?.memoryMib).toBe(mib)
  })

  it.each([
    ['malformed XML', '<domain>', /well-formed/],
    ['another document', '<pool/>', /no <domain>/],
    ['a domain without memory', '<domain><vcpu>1</vcpu></domain>', /missing/],
    ['an invalid pin', domainXml("<cputune><vcpupin vcpu='0' cpuset='all'/></cputune>"), /1 of its lists/],
    [
      'an endless list',
      domainXml(`<cputune><emulatorpin cpuset='${'0-9,'.repeat(9_999)}'/></cputune>`),
      /1 of its lists/,
    ],
  ])('is refused for %s', (_name, text, what) => {
    const { value, issues } = parseDomain(text, 'domain web')
    expect(value).toBeNull()
    expect(issues).toMatchObject([
      { level: 'error', where: expect.stringMatching(/^domain web/), what: expect.stringMatching(what) },
    ])
  })
})
