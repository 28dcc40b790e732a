import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decide, explain } from '../claim'
import type { Flavor } from '../demand'
import { withHolding } from '../holdings'
import type { Host } from '../host'
import { smallHost } from '../testing/hosts'
import { demandFor, flavor, holdingOf, pinned, withInstance } from '../testing/instances'
import { type FunnelHost, funnelOf } from './funnel'
import { freeOn } from './largest'
import { nearestFix } from './nearest-fix'
import { type RefusedHost, type RefusedPart, summaryOf } from './refusal-summary'
import { changesNeeded, remedyFor } from './remedy'

const questionFor = (of: Flavor, options = {}) => ({
  demand: demandFor(of, options),
  ...{ instance: null, group: null, live: null, excludedHost: null },
})

type HostlessQuestion = ReturnType<typeof questionFor>

const refusedBy = (question: HostlessQuestion, hosts: readonly Host[]): readonly RefusedHost[] =>
  explain(question, hosts).flatMap(({ host, verdict }) =>
    verdict.ok
      ? []
      : [
          {
            ...{ host: host.id, refusals: verdict.refusals },
            remedy: remedyFor({ ...question, host }, verdict.refusals),
          },
        ],
  )

const causesOf = ({ causes }: RefusedPart) =>
  causes.map(({ rule, where, hosts, need, free }) => [rule, where.resourceClass ?? null, hosts.length, need, free])

const filled = (host: Host, of: Flavor, instances: number) =>
  Array.from({ length: instances }, (_, n) => n + 1).reduce((on, n) => withInstance(on, n, of), host)

test('hosts with the GPU lack pinned CPUs, and the others lack the GPU', () => {
  const full = (n: number) => filled(smallHost({ n, vgpus: 4 }), pinned(4), 4)
  const hosts = [full(1), full(2), smallHost({ n: 3 }), smallHost({ n: 4 }), smallHost({ n: 5 })]
  const summary = summaryOf(refusedBy(questionFor(pinned(2, { 'resources:VGPU': '1' })), hosts))
  expect(causesOf(summary.fixable)).toEqual([['amount', 'PCPU', 2, 2, 0]])
  expect(summary.unfixable.hosts).toBe(3)
  expect(causesOf(summary.unfixable)).toEqual([['vgpus', null, 3, 1, 0]])
})

test('each host counts under its first rule in the funnel, and the most common rule comes first', () => {
  const hosts = [
    filled(smallHost({ n: 1 }), pinned(4), 4),
    { ...filled(smallHost({ n: 2 }), pinned(4), 4), scheduling: 'disabled' as const },
    smallHost({ n: 3, frame: { scheduling: 'disabled' } }),
    smallHost({ n: 4, frame: { status: 'down' } }),
  ]
  const { fixable } = summaryOf(refusedBy(questionFor(pinned(4)), hosts))
  expect(causesOf(fixable)).toEqual([
    ['host-disabled', null, 2, 'a host that accepts claims', null],
    ['host-not-up', null, 1, 'a host that is up', null],
    ['amount', 'PCPU', 1, 4, 0],
  ])
})

test('a disabled host ranks before one where instances must leave, and one without a fix ranks last', () => {
  const hosts = [
    smallHost({ n: 1, cells: 1, cores: 1 }),
    { ...filled(smallHost({ n: 2 }), pinned(4), 4), scheduling: 'disabled' as const },
    filled(smallHost({ n: 3 }), pinned(4), 4),
    smallHost({ n: 4, frame: { scheduling: 'disabled' } }),
  ]
  const changes = refusedBy(questionFor(pinned(4)), hosts).map(({ remedy }) => changesNeeded(remedy))
  expect(changes).toEqual([Number.POSITIVE_INFINITY, 2, 1, 1])
})

const shapes = fc
  .record({
    vcpus: fc.integer({ min: 1, max: 4 }),
    dedicated: fc.boolean(),
    extra: fc.constantFrom<Record<string, string>>(
      {},
      {},
      { 'resources:VGPU': '1' },
      { 'pci_passthrough:alias': 'vf:1' },
      { 'hw:mem_page_size': 'large' },
      { 'trait:CUSTOM_GOLD': 'required' },
    ),
  })
  .map(({ vcpus, dedicated, extra }) => (dedicated ? pinned(vcpus, extra) : flavor(vcpus, extra)))

const hostsOf = (n: number) =>
  fc
    .record({
      instances: fc.array(
        fc.integer({ min: 1, max: 4 }).map((vcpus) => pinned(vcpus)),
        { minLength: 2, maxLength: 5 },
      ),
      shape: fc.record({
        ...{ shared: fc.constantFrom(0, 2), vfs: fc.constantFrom(0, 2, 2), vgpus: fc.constantFrom(0, 2, 2) },
        hugePages: fc.constantFrom(0, 1024),
        traits: fc.constantFrom([], ['CUSTOM_GOLD']),
        layout: fc.constantFrom('flat' as const, 'nested' as const),
      }),
      frame: fc.constantFrom<Partial<Host>>({}, {}, { scheduling: 'disabled' }, { status: 'down' }, { zone: 'south' }),
    })
    .map(({ instances, shape, frame }) => {
      const host = instances.reduce(
        (on, instance, at) => {
          const verdict = decide({ ...questionFor(instance), host: on })
          return verdict.ok ? withHolding(on, holdingOf(at + 1, verdict.plan)) : on
        },
        smallHost({ n, cores: 2, ...shape }),
      )
      return { ...host, ...frame }
    })

const fleets = fc.tuple(hostsOf(1), hostsOf(2), hostsOf(3), hostsOf(4), hostsOf(5))
const zones = fc.constantFrom(null, 'south')

const inFunnel = ({ refusals, remedy }: RefusedHost): FunnelHost => ({
  reasons: refusals.map(({ kind }) => kind),
  ...(remedy.kind === 'unfixable' ? { lasting: remedy.refusals.map(({ kind }) => kind) } : {}),
})
function hostsByRule(causes: RefusedPart['causes']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { rule, hosts } of causes) counts.set(rule, (counts.get(rule) ?? 0) + hosts.length)
  return counts
}

test('the summary counts every refusing host once, and its cause holds for each', () => {
  const seen = { fixable: 0, unfixable: 0, free: 0 }
  fc.assert(
    fc.property(fleets, shapes, zones, (hosts, shape, zone) => {
      const question = questionFor(shape, { zone })
      const refused = refusedBy(question, hosts)
      const { fixable, unfixable } = summaryOf(refused)
      const counted = [...fixable.causes, ...unfixable.causes].flatMap((cause) => cause.hosts)
      expect(counted.toSorted()).toEqual(refused.map(({ host }) => host).toSorted())
      expect(fixable.hosts + unfixable.hosts).toBe(refused.length)
      expect(hostsByRule([...fixable.causes, ...unfixable.causes])).toEqual(
        new Map(funnelOf(refused.map(inFunnel)).map((step) => [step.rule, step.refused])),
      )
      const hostOf = (id: string) => hosts.find((host) => host.id === id) ?? smallHost({ n: 99 })
      for (const { rule, where, hosts: ids, need, free } of fixable.causes) {
        for (const id of ids) {
          seen.fixable++
          const verdict = decide({ ...question, host: hostOf(id) })
          const same = verdict.ok
            ? []
            : verdict.refusals.filter((each) => each.kind === rule && each.where.resourceClass === where.resourceClass)
          expect(same).not.toEqual([])
          if (need !== null) expect(same.map((each) => each.need)).toContain(need)
          if (rule !== 'amount' || free === null || where.resourceClass === undefined) continue
          seen.free++
          if (where.resourceClass !== 'DISK_GB')
            expect(freeOn(hostOf(id), where.resourceClass)).toBeLessThanOrEqual(free)
        }
      }
      for (const { rule, hosts: ids } of unfixable.causes) {
        for (const id of ids) {
          seen.unfixable++
          const there = { ...question, host: { ...hostOf(id), status: 'up', scheduling: 'enabled' } as const }
          const verdict = decide(there)
          expect(verdict.ok ? [] : verdict.refusals.map(({ kind }) => kind)).toContain(rule)
          expect(nearestFix({ ...question, host: hostOf(id) })).toMatchObject({ is: 'none' })
        }
      }
    }),
    { numRuns: 40, examples: fc.sample(fc.tuple(fleets, shapes, zones), { numRuns: 20, seed: 7 }) },
  )
  for (const [part, times] of Object.entries(seen)) expect(times, part).toBeGreaterThan(2)
})

test('a remedy never counts more changes than the nearest fix has', () => {
  let compared = 0
  fc.assert(
    fc.property(hostsOf(1), shapes, (host, shape) => {
      const question = { ...questionFor(shape), host }
      const verdict = decide(question)
      if (verdict.ok) return
      const remedy = remedyFor(question, verdict.refusals)
      const fix = nearestFix(question)
      if (remedy.kind === 'repairs') expect(fix).toMatchObject({ is: 'found', steps: remedy.repairs })
      if (fix?.is !== 'found') return
      compared++
      expect(changesNeeded(remedy)).toBeLessThanOrEqual(fix.steps.length)
    }),
    { numRuns: 80, examples: fc.sample(fc.tuple(hostsOf(1), shapes), { numRuns: 40, seed: 7 }) },
  )
  expect(compared).toBeGreaterThan(5)
})
