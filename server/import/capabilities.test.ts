import { describe, expect, it } from 'vitest'
import { parseCapabilities } from './capabilities'

const cellXml = (id: number, cpus: string, memory = "<memory unit='KiB'>2097152</memory>") =>
  `<cell id='${id}'>${memory}<pages unit='KiB' size='4'>524288</pages><distances><sibling id='0' value='10'/></distances>${cpus}</cell>`
const cpuXml = (id: number, siblings: string, socket = 0) =>
  `<cpu id='${id}' socket_id='${socket}' core_id='${id}' siblings='${siblings}'/>`
const hostXml = (cells: string) =>
  `<capabilities><host><uuid>u-1</uuid><cpu><arch>x86_64</arch><model>Skylake</model><vendor>Intel</vendor><feature name='vmx'/><feature name='aes'/></cpu><topology><cells>${cells}</cells></topology></host></capabilities>`
const read = (text: string, dedicated: number[] = []) =>
  parseCapabilities(text, { file: 'caps.xml', dedicated: new Set(dedicated) })

describe('capabilities of a host', () => {
  it('keep gaps in NUMA node and CPU ids, and siblings as ranges and lists', () => {
    const cpus = `<cpus>${cpuXml(0, '0,16')}${cpuXml(16, '0,16')}${cpuXml(88, '88-89')}${cpuXml(89, '88-89')}</cpus>`
    const { value, issues } = read(hostXml(cellXml(33, cpus)), [88, 89])
    expect(issues).toEqual([])
    expect(value?.numaNodes).toEqual([
      {
        id: 33,
        socket: 0,
        sharedCpus: [0, 16],
        dedicatedCpus: [88, 89],
        siblings: [
          [0, 16],
          [88, 89],
        ],
        memoryMib: 2048,
        pages: [{ sizeKib: 4, total: 524288 }],
        distances: [10],
      },
    ])
    expect(value?.cpu).toEqual({ arch: 'x86_64', vendor: 'Intel', model: 'Skylake', features: ['aes', 'vmx'] })
  })

  it('drop offline CPUs from a sibling group', () => {
    const { value } = read(hostXml(cellXml(0, `<cpus>${cpuXml(0, '0-1')}</cpus>`)))
    expect(value?.numaNodes[0]?.siblings).toEqual([[0]])
  })

  it('have no socket for a NUMA node whose CPUs are in two', () => {
    const { value } = read(hostXml(cellXml(0, `<cpus>${cpuXml(0, '0')}${cpuXml(1, '1', 1)}</cpus>`)))
    expect(value?.numaNodes[0]?.socket).toBeNull()
  })

  it('report a NUMA node that has memory but no CPUs', () => {
    const { value, issues } = read(hostXml(cellXml(0, `<cpus>${cpuXml(0, '0')}</cpus>`) + cellXml(252, '')))
    expect(value?.numaNodes.map((cell) => cell.id)).toEqual([0, 252])
    expect(issues).toMatchObject([{ level: 'note', where: 'caps.xml cell 252' }])
  })

  it.each([
    ['malformed XML', '<capabilities><host>', /line 1, column \d+/, /well-formed/],
    ['another document', '<domain/>', /caps\.xml/, /no <host>/],
    ['a host without NUMA nodes', hostXml(''), /caps\.xml/, /no <cell> elements/],
  ])('are refused for %s, with the location', (_name, text, where, what) => {
    const { value, issues } = read(text)
    expect(value).toBeNull()
    expect(issues[0]?.level).toBe('error')
    expect(issues[0]?.where).toMatch(where)
    expect(issues[0]?.what).toMatch(what)
    expect(issues[0]?.fix).not.toBe('')
  })

  it('are refused with dedicated CPUs that the host does not have', () => {
    const { value, issues } = read(hostXml(cellXml(0, `<cpus>${cpuXml(0, '0')}</cpus>`)), [7])
    expect(value).toBeNull()
    expect(issues).toMatchObject([{ level: 'error', what: expect.stringContaining('7') }])
  })
})
