import { describe, expect, it } from 'vitest'
import { type ConstraintResult, guestTopologyOf, type ImageProperties } from './constraints'

// The vectors hold hundreds of cases; these are the ones missing there, and the shape of an answer.

interface ConstraintRequest {
  readonly vcpus?: number
  readonly memoryMib?: number
  readonly specs?: Readonly<Record<string, string>>
  readonly image?: ImageProperties
}

function answer({ vcpus = 4, memoryMib = 2048, specs = {}, image = {} }: ConstraintRequest): ConstraintResult {
  return guestTopologyOf({ vcpus, memoryMib, extraSpecs: specs }, image)
}

describe('constraints of flavor and image', () => {
  it('are empty without any request', () => expect(answer({})).toEqual({ ok: true, topology: null }))

  it('define NUMA nodes with shared and dedicated vCPUs', () => {
    const specs = { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '^0', 'hw:numa_nodes': '2' }
    expect(answer({ specs })).toMatchObject({
      ok: true,
      topology: {
        cells: [
          { id: 0, sharedVcpus: [0], dedicatedVcpus: [1], memoryMib: 1024, cpuPolicy: 'mixed' },
          { id: 1, sharedVcpus: [], dedicatedVcpus: [2, 3], memoryMib: 1024, cpuPolicy: 'mixed' },
        ],
      },
    })
  })
})

describe('a broken rule', () => {
  const check = (name: string, request: ConstraintRequest, error: string) =>
    it(`${name}: ${error}`, () => {
      const result = answer(request)
      expect(result.ok ? 'no error' : `${result.error.stage} ${result.error.kind}`).toBe(error)
    })

  check('zero NUMA nodes of the image', { image: { hw_numa_nodes: '0' } }, 'constraints numa-nodes-invalid')
  check('a word for the NUMA nodes of the image', { image: { hw_numa_nodes: 'two' } }, 'image not-a-value')
  check('an unparsable CPU list of the image', { image: { 'hw_numa_cpus.0': '3-1' } }, 'image cpu-list-invalid')
  check('an unparsable memory of the image', { image: { 'hw_numa_mem.0': '1GB' } }, 'image not-a-value')
  check('an unknown thread policy of the image', { image: { hw_cpu_thread_policy: 'avoid' } }, 'image not-a-value')
  check('a node count with a leading zero', { specs: { 'hw:numa_nodes': '02' } }, 'constraints numa-nodes-invalid')
  check('an unparsable mask', { specs: { 'hw:cpu_dedicated_mask': '1-' } }, 'constraints cpu-list-invalid')
  check(
    'an unparsable real-time mask',
    { specs: { 'hw:cpu_policy': 'dedicated', 'hw:cpu_realtime': 'on', 'hw:cpu_realtime_mask': 'x' } },
    'constraints cpu-list-invalid',
  )
  check(
    'the first of several broken rules',
    { specs: { 'hw:cpu_policy': 'pinned', 'hw:mem_page_size': 'huge' } },
    'constraints cpu-policy-invalid',
  )
  check(
    'an unparsable page size of the image where it may choose',
    { specs: { 'hw:mem_page_size': 'any' }, image: { hw_mem_page_size: '2M' } },
    'constraints page-size-invalid',
  )
})
