import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { ALIASES, flavor, pinned, withInstance } from '../../engine/testing/instances'
import { putFlavors } from '../../store/catalog/policy'
import { openTestApi } from '../testing/api'

// "No valid host" as a page requests it: the funnel adds up, the largest that fits does fit, and users who may not see
// hosts get numbers and no names.

const north = { zone: 'north' }
const full = [1, 2, 3, 4].reduce(
  (host, n) => withInstance(host, n, pinned(4)),
  smallHost({ n: 1, vfs: 2, frame: north }),
)
// 6 of 8 CPUs held on one NUMA node and 4 of 8 on the other: six are free, and never six together.
const half = [6, 4].reduce((host, n) => withInstance(host, n, pinned(n)), smallHost({ n: 2, vfs: 2, frame: north }))
const off = smallHost({ n: 3, frame: { ...north, scheduling: 'disabled' } })
const south = smallHost({ n: 4, frame: { zone: 'south' } })
const fleet = [full, half, off, south]

const byId = new Map(fleet.map((host) => [host.id, host]))
const api = onFreshDatabase((fresh) =>
  openTestApi(fresh, {
    fleet: {
      hosts: () => fleet,
      hostsAhead: () => fleet,
      host: (id) => byId.get(id) ?? null,
      aheadAt: async (id) => byId.get(id) ?? null,
      settled: async () => {},
    },
    rules: async () => ({ policy: 'spread', demand: { aliases: ALIASES }, confirmWindowMs: null }),
  }),
)
beforeAll(async () => {
  await putFlavors(api.database, [pinned(6, {}, { name: 'six' }), flavor(4, { 'pci_passthrough:alias': 'vf:1' })])
})

const six = { flavor: 'six', zone: 'north' }

test('the funnel ends with exactly the hosts that fit', async () => {
  const view = await api.as('support').explain.get(six)
  expect(view.counts).toEqual({ hosts: 4, ok: 0, warning: 0, refused: 4, unanswered: 0 })
  expect(view.funnel.map(({ rule, asked, left }) => [rule, asked, left])).toEqual([
    ['host-disabled', 4, 3],
    ['zone', 3, 2],
    ['amount', 2, 1],
    ['dedicated-cpus', 1, 0],
  ])
})

test('each refusing host has its nearest fix, with the verdicts or from a separate query', async () => {
  const { hosts } = await api.as('support').explain.get(six)
  const nearest = await api.as('support').explain.nearest(six)
  const fixes = Object.fromEntries(hosts!.map(({ host, fix }) => [host.name, fix ?? nearest.fixes?.[host.id]]))
  expect(Object.keys(nearest.fixes ?? {}).toSorted()).toEqual([full.id, half.id])
  expect(fixes.h3).toEqual({ is: 'found', steps: [{ do: 'enable' }] })
  expect(fixes.h4).toEqual({ is: 'none', because: 'zone' })
  expect(fixes.h2).toMatchObject({ is: 'found', steps: [{ do: 'move-away', held: { pinnedCpus: 4 } }] })
})

test('hosts with the fewest changes come first and hosts without a fix last, under one summary', async () => {
  const { hosts, summary } = await api.as('support').explain.get(six)
  expect(hosts!.map(({ host, changes }) => [host.name, changes])).toEqual([
    ['h3', 1],
    ['h2', 1],
    ['h1', 2],
    ['h4', null],
  ])
  expect(summary).toMatchObject({
    fixable: {
      hosts: 3,
      causes: [
        { rule: 'host-disabled', hosts: 1 },
        { rule: 'amount', hosts: 1, need: 6 },
        { rule: 'dedicated-cpus', hosts: 1, need: 6, free: null },
      ],
    },
    unfixable: { hosts: 1, causes: [{ rule: 'zone', hosts: 1, need: 'north' }] },
  })
})

test('the largest shape that still fits is one that a build accepts', async () => {
  const view = await api.as('support').explain.nearest(six)
  const size = view.largest.find(({ axis }) => axis === 'size')
  expect(size).toMatchObject({ shape: { vcpus: 4, memoryMib: 2048 }, host: { name: 'h2' }, exact: true })
  const shape = { vcpus: 4, memoryMib: 2048, diskGib: 1, extraSpecs: { 'hw:cpu_policy': 'dedicated' } }
  const typed = await api.as('support').explain.get({ shape, zone: 'north' })
  expect(typed.counts.ok).toBe(1)
  const larger = await api.as('support').explain.get({ shape: { ...shape, vcpus: 5 }, zone: 'north' })
  expect(larger.counts.ok).toBe(0)
})

test('devices have an axis of their own when the shape requests them', async () => {
  const shape = { ...pinned(1, { 'pci_passthrough:alias': 'vf:3' }) }
  const { name: _name, ...typed } = shape
  const view = await api.as('support').explain.nearest({ shape: typed, zone: 'north' })
  expect(view.largest.find(({ axis }) => axis === 'devices')?.shape?.devices).toBe(4)
})

test('a viewer sees counts by rule, but no host', async () => {
  const view = await api.as('viewer').explain.get(six)
  expect(view.hosts).toBeNull()
  expect(view.funnel).toHaveLength(4)
  const nearest = await api.as('viewer').explain.nearest(six)
  expect(nearest.fixes).toBeNull()
  expect(nearest.largest.every(({ host }) => host === null)).toBe(true)
  expect(JSON.stringify([view, nearest])).not.toMatch(/h[1-4]"/)
  await expect(api.as('viewer').explain.host({ ...six, host: full.id })).rejects.toThrow(/role is viewer/)
})

test('a single host shows its full verdict and the claim it would make', async () => {
  const small = { vcpus: 2, memoryMib: 1024, diskGib: 1, extraSpecs: {} }
  const { verdict, mapping } = await api.as('support').explain.host({ shape: small, host: half.id })
  expect(verdict.verdict).toBe('refused')
  expect(mapping).toBeNull()
  const fits = await api.as('support').explain.host({
    shape: { ...small, extraSpecs: { 'hw:cpu_policy': 'dedicated' } },
    host: half.id,
  })
  expect(fits).toMatchObject({ verdict: { verdict: 'ok' }, fix: null })
  expect(fits.mapping?.cpus).toHaveLength(2)
})

test('a contradictory shape names its key, and a request without a shape is refused', async () => {
  const shape = { vcpus: 3, memoryMib: 1024, diskGib: 1, extraSpecs: { 'hw:numa_nodes': '2' } }
  await expect(api.as('support').explain.get({ shape })).rejects.toThrow(/flavor/)
  await expect(api.as('support').explain.get({})).rejects.toThrow(/expected a flavor, a shape/)
  await expect(api.as('support').explain.get({ flavor: 'none' })).rejects.toThrow(/no flavor/)
})
