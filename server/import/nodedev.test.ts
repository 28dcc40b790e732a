import { describe, expect, it } from 'vitest'
import { parseNodedevs } from './nodedev'

interface Sketch {
  readonly fn: number
  readonly inner?: string
  readonly cls?: string
  readonly numa?: number
}

const pci = ({ fn, inner = '', cls = '0x020000', numa }: Sketch) => ({
  file: `pci_${fn}.xml`,
  text: `<device><name>pci_${fn}</name><capability type='pci'><class>${cls}</class><domain>0</domain><bus>94</bus><slot>0</slot><function>${fn}</function><product id='0x1572'/><vendor id='0x8086'/>${inner}${numa === undefined ? '' : `<numa node='${numa}'/>`}</capability></device>`,
})
const PF = "<capability type='virt_functions' maxCount='8'/>"
const VF =
  "<capability type='phys_function'><address domain='0x0000' bus='0x5e' slot='0x00' function='0x0'/></capability>"
const MDEV =
  "<capability type='mdev_types'><type id='t1'><availableInstances>2</availableInstances></type><type id='t2'><availableInstances>4</availableInstances></type></capability>"
const cells = new Set([0, 1])

describe('node devices of a host', () => {
  it('include a PF without VFs, and a VF with its parent', () => {
    const { value, issues } = parseNodedevs([pci({ fn: 0, inner: PF, numa: 1 }), pci({ fn: 1, inner: VF })], cells)
    expect(issues).toEqual([])
    expect(value).toMatchObject([
      {
        unit: 'pci:0000:5e:00.0',
        cell: 1,
        parent: null,
        pci: { devType: 'type-PF', vendorId: '8086', productId: '1572' },
      },
      { unit: 'pci:0000:5e:00.1', cell: null, parent: 'pci:0000:5e:00.0', pci: { devType: 'type-VF' } },
    ])
  })

  it('leave out bridges and devices that are not PCI', () => {
    const other = { file: 'net.xml', text: "<device><name>net_eth0</name><capability type='net'/></device>" }
    expect(parseNodedevs([pci({ fn: 0, cls: '0x060400' }), other], cells)).toEqual({ value: [], issues: [] })
  })

  it('have one mdev type per GPU, with a unit for each instance', () => {
    const { value, issues } = parseNodedevs([pci({ fn: 0, cls: '0x030200', inner: MDEV, numa: 0 })], cells)
    expect(value?.map((device) => device.unit)).toEqual([
      'pci:0000:5e:00.0',
      'vgpu:0000:5e:00.0:t1:0',
      'vgpu:0000:5e:00.0:t1:1',
    ])
    expect(issues).toMatchObject([{ level: 'note', where: 'pci_0.xml' }])
  })

  it.each([
    ['truncated XML', [{ file: 'a.xml', text: '<device>' }], /well-formed/],
    ['another document', [{ file: 'a.xml', text: '<pool/>' }], /no <device>/],
    ['a duplicate device', [pci({ fn: 0 }), pci({ fn: 0 })], /already described/],
    ['an unknown NUMA node', [pci({ fn: 0, numa: 7 })], /NUMA node 7/],
  ])('report the error for %s', (_name, files, what) => {
    const { issues } = parseNodedevs(files, cells)
    expect(issues).toHaveLength(1)
    expect(issues[0]).toMatchObject({ level: 'error', what: expect.stringMatching(what) })
  })
})
