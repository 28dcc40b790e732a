import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinHosts, type NamedConnection, type NamedHost } from './join'

const host = (name: string, node = name): NamedHost => ({ host: name, node })
const connection = (id: string, hostname: string): NamedConnection => ({ id, hostname })
const joins = (hosts: readonly NamedHost[], connections: readonly NamedConnection[]) =>
  Object.fromEntries([...joinHosts(hosts, connections)].map(([name, { id }]) => [name, id]))

describe('a host of a cloud', () => {
  it.each<[string, readonly NamedHost[], readonly NamedConnection[], Readonly<Record<string, string>>]>([
    ['is joined by the name of its hypervisor', [host('a', 'a.x')], [connection('1', 'a.x')], { a: '1' }],
    ['is joined by the name of its service', [host('a', 'a.x')], [connection('1', 'a')], { a: '1' }],
    ['is joined in any case of letters', [host('Cmp1')], [connection('1', 'CMP1')], { Cmp1: '1' }],
    ['is not joined by a part of its name', [host('a', 'a.x')], [connection('1', 'a.y')], {}],
    ['is joined by its hypervisor first', [host('a', 'b'), host('b', 'c')], [connection('1', 'b')], { a: '1' }],
    [
      'is not joined to one of two machines with its name',
      [host('a')],
      [connection('1', 'a'), connection('2', 'A')],
      {},
    ],
    ['is not joined if two hosts have the name', [host('a', 'n'), host('b', 'n')], [connection('1', 'n')], {}],
  ])('%s', (_, hosts, connections, expected) => {
    expect(joins(hosts, connections)).toEqual(expected)
  })

  const name = fc.constantFrom('a', 'A', 'b', 'a.x', 'c')
  const hosts = fc.uniqueArray(fc.record({ host: name, node: name }), { selector: (each) => each.host, maxLength: 5 })
  const connections = fc
    .array(name, { maxLength: 5 })
    .map((names) => names.map((each, at) => connection(`${at}`, each)))

  it('has at most one connection, which has its name and no other host, in any order', () => {
    fc.assert(
      fc.property(hosts, connections, (some, others) => {
        const joined = joinHosts(some, others)
        for (const [of, { hostname }] of joined) {
          const { node } = some.find((each) => each.host === of) as NamedHost
          expect([node.toLowerCase(), of.toLowerCase()]).toContain(hostname.toLowerCase())
        }
        expect(new Set(joined.values()).size).toBe(joined.size)
        expect(joins(some.toReversed(), others.toReversed())).toEqual(joins(some, others))
      }),
    )
  })
})
