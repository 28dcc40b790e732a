import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseCapabilities } from './capabilities'
import { parseDomain } from './domain'
import { parseNodedevs } from './nodedev'

// XML that was truncated, duplicated or overwritten must give a clear error or valid numbers, and never a crash or a
// hang. BERTH_FUZZ is the number of runs.

const RUNS = Number(process.env.BERTH_FUZZ ?? 300)

const SAMPLES = [
  `<capabilities><host><uuid>u</uuid><cpu><arch>x86_64</arch><model>m</model><vendor>v</vendor></cpu><topology><cells num='2'>
  <cell id='0'><memory unit='KiB'>8388608</memory><pages unit='KiB' size='2048'>100</pages><distances><sibling id='0' value='10'/></distances>
  <cpus num='2'><cpu id='0' socket_id='0' core_id='0' siblings='0,16-17'/><cpu id='16' socket_id='0' core_id='0' siblings='0,16'/></cpus></cell>
  <cell id='252'><memory unit='KiB'>1024</memory><cpus num='0'/></cell></cells></topology></host></capabilities>`,
  `<device><name>pci</name><capability type='pci'><class>0x020000</class><domain>0</domain><bus>94</bus><slot>2</slot><function>1</function>
  <product id='0x154c'/><vendor id='0x8086'/><capability type='phys_function'><address domain='0x0000' bus='0x5e' slot='0x00' function='0x0'/>
  </capability><capability type='mdev_types'><type id='t1'><availableInstances>4</availableInstances></type></capability><numa node='0'/></capability></device>`,
  `<domain type='kvm'><name>a&amp;b</name><memory unit='KiB'>1048576</memory><vcpu>4</vcpu><memoryBacking><hugepages><page size='2048' unit='KiB'/>
  </hugepages></memoryBacking><cputune><vcpupin vcpu='0' cpuset='1-3,^2'/></cputune><numatune><memory nodeset='0-1'/></numatune><devices><hostdev>
  <source><address domain='0' bus='0x5e' slot='0' function='0'/></source></hostdev></devices></domain>`,
] as const

const PIECES = [
  '<',
  '>',
  '/',
  "'",
  '&',
  '&lt;',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '__proto__',
  '-',
  '0-999999',
  '4294967295',
  '0x',
  '^',
  '\u0000',
  '<!--',
  ']]>',
]
const mutation = fc.record({
  sample: fc.nat({ max: SAMPLES.length - 1 }),
  edits: fc.array(
    fc.record({
      at: fc.nat(),
      remove: fc.nat({ max: 12 }),
      insert: fc.oneof(fc.constantFrom(...PIECES), fc.stringMatching(/^[0-9]{0,12}$/), fc.string({ maxLength: 4 })),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

const isSound = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0
  return typeof value !== 'object' || value === null || Object.values(value).every(isSound)
}

it('mutated XML is refused with a location or yields valid numbers', () => {
  let refused = 0
  const property = fc.property(mutation, ({ sample, edits }) => {
    const text = edits.reduce((before, { at, remove, insert }) => {
      const from = at % (before.length + 1)
      return before.slice(0, from) + insert + before.slice(from + remove)
    }, SAMPLES[sample] as string)
    const answers = [
      parseCapabilities(text, { file: 'caps.xml', dedicated: new Set() }),
      parseNodedevs([{ file: 'dev.xml', text }], new Set([0])),
      parseDomain(text, 'domain'),
    ]
    const { value, issues } = answers[sample] as (typeof answers)[number]
    if (issues.length > 0) refused += 1
    for (const { where, what, fix } of issues) expect([where, what, fix]).not.toContain('')
    expect(value !== null || issues.length > 0).toBe(true)
    expect(isSound(value)).toBe(true)
  })
  const cut = { sample: 0, edits: [{ at: 0, remove: 1, insert: '' }] }
  fc.assert(property, { numRuns: RUNS, examples: [[cut]] })
  expect(refused).toBeGreaterThan(0)
})
