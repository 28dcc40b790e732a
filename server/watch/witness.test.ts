import { describe, expect, it } from 'vitest'
import type { CloudServer, CloudSnapshot, WitnessedDomain } from '../engine/cloud/snapshot'
import { witnessedOf } from './witness'

const server = (id: string, over: Partial<CloudServer> = {}) =>
  ({ id, host: 'cmp1', vmState: 'active', taskState: null, powerState: 1, ...over }) as CloudServer
const domain = (instance: string, state: WitnessedDomain['state'] = 'running'): WitnessedDomain => ({
  ...{ instance, name: `domain of ${instance}`, state },
})

const partOf = <T>(value: T, complete = true) => ({ isRead: true as const, at: 1, complete, value })
const knownOf = (servers: readonly CloudServer[], complete = true) => ({
  hypervisors: partOf([{ host: 'cmp1', node: 'cmp1', type: 'QEMU' }]) as unknown as CloudSnapshot['hypervisors'],
  servers: partOf(servers, complete),
})

interface WitnessFixture {
  readonly servers: readonly CloudServer[]
  readonly complete?: boolean
  readonly domains: readonly WitnessedDomain[] | null
}

async function witnessed({ servers, complete, domains }: WitnessFixture) {
  const answers = await witnessedOf(
    knownOf(servers, complete),
    async () => new Map([['cmp1', domains]]),
    () => 7,
  )
  return answers.get('cmp1')
}

describe('libvirt as a witness of a host', () => {
  it('is dated by the time before the query', async () => {
    expect(await witnessed({ servers: [server('a')], domains: [domain('a')] })).toMatchObject({ isRead: true, at: 7 })
  })

  it('reports nothing when it did not answer', async () => {
    expect(await witnessed({ servers: [], domains: null })).toEqual({ isRead: false, why: 'libvirt did not answer' })
  })

  it('is ignored if it has none of the instances that Nova shows running there', async () => {
    const answer = await witnessed({ servers: [server('a')], domains: [domain('x'), domain('y')] })
    expect(answer).toMatchObject({ isRead: false, why: expect.stringContaining('another machine of the same name') })
  })

  it.each<[string, WitnessFixture]>([
    ['one domain is known, wherever Nova has it', { servers: [server('a', { host: 'cmp2' })], domains: [domain('a')] }],
    ['it has a known one among others', { servers: [server('a')], domains: [domain('x'), domain('a', 'shut off')] }],
    ['it has no domains at all', { servers: [server('a')], domains: [] }],
    ['nothing is said to run there', { servers: [server('a', { powerState: 4 })], domains: [domain('x')] }],
    ['something is in progress', { servers: [server('a', { taskState: 'migrating' })], domains: [domain('x')] }],
    ['rows of the cloud may be missing', { servers: [server('a')], complete: false, domains: [domain('x')] }],
  ])('is accepted where %s', async (_, given) => {
    expect(await witnessed(given)).toMatchObject({ isRead: true })
  })
})
