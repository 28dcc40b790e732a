import { describe, expect, it, vi } from 'vitest'
import type { Driver, HostDomains } from '../drivers/driver'
import { driversFrom, unconnected } from '../drivers/registry'
import type { HostId } from '../engine/words/ids'
import { openWitness } from './witness'

const id = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}` as HostId
const domain = (uuid: string, pins: ReadonlyMap<number, string> | null = new Map()) => ({
  ...{ uuid, name: `domain of ${uuid}`, state: 'running' as const, pins },
})

interface Machine {
  readonly name: string
  /** Null: no answer. */
  says: HostDomains | null
}

/** A Berth with libvirt hosts under the given names. */
function berthWith(machines: Readonly<Record<number, Machine>>) {
  const asked: string[] = []
  let clockMs = 0
  const of = (host: HostId) => Object.entries(machines).find(([nth]) => id(Number(nth)) === host)?.[1]
  const libvirt: Driver = {
    ...unconnected('libvirt'),
    domains: async (host) => {
      asked.push(`domains of ${of(host)?.name}`)
      return of(host)?.says ?? null
    },
    hostname: async (host) => {
      asked.push(`name of ${of(host)?.name}`)
      return of(host)?.says?.hostname ?? null
    },
  }
  const drivers = driversFrom({ libvirt })
  const hosts = [
    { id: id(9), name: 'cmp1', driver: 'simulated' as const },
    ...Object.entries(machines).map(([nth, { name }]) => ({ id: id(Number(nth)), name, driver: 'libvirt' as const })),
  ]
  const witness = openWitness({
    ...{ drivers, fleet: { hosts: () => hosts }, now: () => 5, monotonicMs: () => clockMs },
    readHost: async (host) => {
      asked.push(`all of ${of(host)?.name}`)
      const says = of(host)?.says
      return says
        ? { hostname: says.hostname, hypervisor: {} as never, domains: [], freePages: new Map(), unreported: [] }
        : null
    },
  })
  const pass = (ms: number) => {
    clockMs += ms
  }
  return { asked, witness, pass }
}

const CMP1 = { host: 'cmp1', node: 'cmp1.example.org' }
const says = (hostname: string, ...domains: HostDomains['domains']): HostDomains => ({ hostname, domains })

describe('libvirt as a witness', () => {
  it('is queried on the connection whose machine has the name, whatever its name in Berth', async () => {
    const { witness, asked } = berthWith({
      1: { name: 'rack-3', says: says('cmp1.example.org', domain('a', new Map([[0, '2-3,^2']]))) },
      2: { name: 'cmp1', says: says('other.example.org', domain('b')) },
    })
    expect(await witness.ask([CMP1])).toEqual(
      new Map([['cmp1', [{ instance: 'a', name: 'domain of a', state: 'running', pins: new Map([[0, [3]]]) }]]]),
    )
    expect(asked).toEqual(['name of rack-3', 'name of cmp1', 'domains of rack-3'])
    await witness.ask([CMP1])
    expect(asked.slice(3)).toEqual(['domains of rack-3'])
  })

  it('ends a reading that is not done in time', async () => {
    vi.useFakeTimers()
    const signals: AbortSignal[] = []
    const witness = openWitness({
      drivers: driversFrom({ libvirt: { ...unconnected('libvirt'), domains: async () => null } }),
      ...{ fleet: { hosts: () => [{ id: id(1), name: 'cmp1', driver: 'libvirt' }] }, now: () => 5 },
      readHost: (_, signal) => {
        signals.push(signal)
        return new Promise(() => {})
      },
    })
    const reading = witness.read({ host: 'cmp1', node: 'cmp1' })
    await vi.advanceTimersByTimeAsync(9_999)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    await vi.advanceTimersByTimeAsync(1)
    expect((await reading).did).toBe('silent')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    vi.useRealTimers()
  })

  it('reports no pins where their list cannot be parsed', async () => {
    const { witness } = berthWith({ 1: { name: 'cmp1', says: says('cmp1', domain('a', new Map([[0, 'x']]))) } })
    expect((await witness.ask([CMP1])).get('cmp1')).toEqual([{ instance: 'a', name: 'domain of a', state: 'running' }])
  })

  it('that does not answer is silent under its last known name, or else its name in Berth', async () => {
    const machine: Machine = { name: 'cmp1', says: null }
    const { witness, pass } = berthWith({ 1: machine })
    expect(await witness.ask([CMP1])).toEqual(new Map([['cmp1', null]]))
    expect(await witness.read(CMP1)).toEqual({ did: 'silent', connection: { id: id(1), name: 'cmp1' } })
    machine.says = says('cmp2.example.org')
    pass(60_000)
    expect(await witness.ask([CMP1])).toEqual(new Map())
    machine.says = null
    pass(600_000)
    expect(await witness.ask([{ host: 'x', node: 'cmp2.example.org' }])).toEqual(new Map([['x', null]]))
  })

  it('is ignored once another machine answers there', async () => {
    const machine: Machine = { name: 'cmp1', says: says('cmp1.example.org') }
    const { witness, pass } = berthWith({ 1: machine })
    expect(await witness.ask([CMP1])).toEqual(new Map([['cmp1', []]]))
    expect(await witness.read(CMP1)).toMatchObject({ did: 'read' })
    machine.says = says('new.example.org', domain('a'))
    pass(5_000)
    expect(await witness.read(CMP1)).toEqual({ did: 'unconnected' })
    expect(await witness.ask([CMP1])).toEqual(new Map())
  })

  it('is queried once for all readers within seconds, dated before the query', async () => {
    const { witness, asked, pass } = berthWith({ 1: { name: 'hv', says: says('cmp1') } })
    const [one, other] = await Promise.all([witness.read(CMP1), witness.read(CMP1)])
    expect(one).toMatchObject({ did: 'read', connection: { name: 'hv' }, reading: { at: 5, hostname: 'cmp1' } })
    expect(other).toEqual(one)
    expect(asked.filter((each) => each === 'all of hv')).toHaveLength(1)
    pass(5_000)
    await witness.read(CMP1)
    expect(asked.filter((each) => each === 'all of hv')).toHaveLength(2)
  })
})
