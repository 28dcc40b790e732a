import { expect, test } from 'vitest'
import { decide } from '../../engine/claim'
import { confined } from '../../engine/heal/confine'
import { hostFrom, withHolding, withoutHolding } from '../../engine/holdings'
import type { Host } from '../../engine/host'
import { MEMORY_MB } from '../../engine/words/units'
import { demoFleet } from '../../import/demo-fleet'
import { placeWorkloads } from '../../import/placing'
import { checkMemory } from './checker'
import { runRandomFleet } from './random-fleet'
import { type MemoryRows, memoryRowsOf } from './rows'

// The full sizes: MEMORY_FLEETS=10000 MEMORY_DEMO=500x20000 npx vitest run server/simulation/memory
const FLEETS = Number(process.env.MEMORY_FLEETS ?? 100)
const [HOSTS, INSTANCES] = (process.env.MEMORY_DEMO ?? '25x1005').split('x').map(Number) as [number, number]

test('no node of a random fleet is ever overcommitted, by page size', { timeout: 3_600_000 }, () => {
  const sum = { claims: 0, moves: 0, reverts: 0, refused: 0 }
  for (let seed = 1; seed <= FLEETS; seed++) {
    const run = runRandomFleet(seed, (hosts) => {
      const { over } = checkMemory(hosts.map(memoryRowsOf))
      if (over.length > 0) expect({ seed, over }).toEqual({ seed, over: [] })
    })
    for (const key of ['claims', 'moves', 'reverts', 'refused'] as const) sum[key] += run[key]
  }
  for (const count of Object.values(sum)) expect(count).toBeGreaterThan(FLEETS)
})

const isOvercommitted = ({ providers }: Host): boolean =>
  providers.some(({ inventories }) =>
    inventories.some(({ resourceClass, allocationRatioMilli: ratio }) => resourceClass === MEMORY_MB && ratio > 1000),
  )

// Not on overcommitted hosts: an instance with small pages may be there before others leave it no room.
test('every claim of a random fleet can be decided again on its own units', { timeout: 3_600_000 }, () => {
  let judged = 0
  for (let seed = 1; seed <= FLEETS / 3; seed++) {
    runRandomFleet(seed, (hosts, demands) => {
      for (const host of hosts.filter((each) => !isOvercommitted(each))) {
        for (const { claim, body: places } of host.holdings) {
          const demand = demands.get(claim)
          if (demand === undefined || seed % 10 !== judged++ % 10) continue
          const answer = confined({ decide, demand, host: withoutHolding(host, claim), places })
          expect({ seed, claim, refused: answer.ok ? null : answer }).toMatchObject({ refused: null })
        }
      }
    })
  }
  expect(judged).toBeGreaterThan(FLEETS)
})

test('the demo fleet places the instances that journeys need, and overcommits no node', { timeout: 3_600_000 }, () => {
  const fleet = demoFleet(HOSTS, INSTANCES)
  const bare = fleet.hosts.map((spec) => hostFrom(spec.frame, { ...spec, leftovers: [] }, []))
  const { placed } = placeWorkloads(fleet.workloads, bare, { demand: { aliases: fleet.aliases }, order: fleet.order })
  const hosts = new Map(bare.map((host): [string, Host] => [host.id, host]))
  for (const { claim, instance, plan } of placed) {
    const host = hosts.get(plan.host)
    const holding = { claim, consumer: instance, consumerKind: 'instance', instance, body: plan } as const
    if (host) hosts.set(plan.host, withHolding(host, holding))
  }
  expect(checkMemory([...hosts.values()].map(memoryRowsOf)).over).toEqual([])
  expect(placed.length).toBeGreaterThanOrEqual(Math.floor((INSTANCES * 20_000) / 20_100))
})

test('the checker reports a node, a page size, or the host as a whole', () => {
  const row: MemoryRows = {
    ...{ host: 'h', policy: 'exact', inventories: [{ reserved: 512, ratioMilli: 1000 }] },
    nodes: [
      {
        ...{ node: 0, cpus: 4, memoryMib: 4096 },
        pages: [
          { sizeKib: 4, total: 524_288, reserved: 0 },
          { sizeKib: 2048, total: 1024, reserved: 24 },
        ],
      },
    ],
    ...{ placed: [], floatingMib: [] },
  }
  const over = (more: Partial<MemoryRows>) =>
    checkMemory([{ ...row, ...more }]).over.map(({ node, pageKib }) => [node, pageKib])
  const on = (memoryMib: number, pageKib: number | null) => ({ placed: [{ node: 0, memoryMib, pageKib }] })
  expect(over({ floatingMib: [1536] })).toEqual([])
  expect(over({ floatingMib: [1000, 537] })).toEqual([[null, 0]])
  expect(over(on(2000, 2048))).toEqual([])
  expect(over(on(2002, 2048))).toEqual([[0, 2048]])
  expect(over(on(2052, null))).toEqual([
    [0, 4],
    [null, 0],
  ])
  expect(over({ ...on(1000, 4), floatingMib: [537] })).toEqual([[null, 0]])
})
