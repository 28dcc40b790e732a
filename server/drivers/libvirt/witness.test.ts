import { expect, test } from 'vitest'
import type { HostId } from '../../engine/words/ids'
import type { Domain } from './connection'
import { HostSilence } from './host-links'
import { witnessedDomains, witnessedName } from './witness'

const HOST = '00000000-0000-4000-8000-000000000001' as HostId
const of = (name: string, state: Domain['state'], xml: string): Domain => ({
  ...{ uuid: `uuid of ${name}`, name, state, reason: 'unknown', xml },
})

const domains = [
  of(
    'pinned',
    'running',
    "<domain><cputune><vcpupin vcpu='0' cpuset='2'/><vcpupin vcpu='1' cpuset='4-5,^4'/></cputune></domain>",
  ),
  of('incoming', 'paused', '<domain/>'),
  of('left', 'shut off', '<domain'),
]
const daemon = {
  hostname: async () => 'hv1',
  domains: async <T>(of: (domain: Domain) => T | Promise<T>) => Promise.all(domains.map(of)),
}

test('the witness reports state and pins of every domain, whoever created it', async () => {
  const links = { at: <T>(_: HostId, ask: (connection: typeof daemon) => Promise<T>) => ask(daemon) }
  const witness = await witnessedDomains(links, HOST)
  expect(witness?.hostname).toBe('hv1')
  expect(await witnessedName(links, HOST)).toBe('hv1')
  expect(witness?.domains).toEqual([
    {
      uuid: 'uuid of pinned',
      name: 'pinned',
      state: 'running',
      pins: new Map([
        [0, '2'],
        [1, '4-5,^4'],
      ]),
    },
    { uuid: 'uuid of incoming', name: 'incoming', state: 'paused', pins: new Map() },
    { uuid: 'uuid of left', name: 'left', state: 'shut off', pins: null },
  ])
})

test('the witness reports nothing for a host that does not answer', async () => {
  const silent = { at: () => Promise.reject(new HostSilence(HOST, 'no route')) }
  expect(await witnessedDomains(silent, HOST)).toBeNull()
  expect(await witnessedName(silent, HOST)).toBeNull()
})
