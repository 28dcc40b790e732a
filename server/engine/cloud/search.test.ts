import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Chance, chanceOf } from '../testing/fleet'
import { auditCloud } from './audit'
import { failedGuards } from './guard'
import { CLOUD_FINDING_KINDS } from './kinds'
import { type CloudPlan, planRepairs } from './plan'
import type { CloudSnapshot } from './snapshot'
import type { Plant } from './testing/deaths'
import {
  addServer,
  capture,
  FLAVORS,
  hostNamed,
  type ModelCloud,
  type ModelHost,
  type ModelServer,
  newCloud,
  write,
} from './testing/nova-cloud'
import {
  advance,
  apply,
  begin,
  build,
  confirmResize,
  liveMigrate,
  remove,
  resize,
  revertResize,
  step,
} from './testing/nova-operations'
import { PLANTS } from './testing/planted'

// The audit against a cloud that follows Nova's own sequence of writes, read while everything moves.

function cloudOf(chance: Chance): ModelCloud {
  const cloud = newCloud({ hosts: 3 + chance(2), shared: chance(2) === 0, witness: chance(2) === 0 })
  const hosts = [...cloud.hosts.values()]
  for (let at = 0; at < 6; at++) {
    const [host, flavor] = [hosts[chance(hosts.length)], FLAVORS[chance(FLAVORS.length)]]
    if (host !== undefined && flavor !== undefined) addServer(cloud, host, flavor)
  }
  return cloud
}

const idle = ({ servers, operations, migrations }: ModelCloud): readonly ModelServer[] =>
  [...servers.values()].filter(
    ({ id, vmState }) =>
      vmState === 'active' &&
      !operations.some(({ instance }) => instance === id) &&
      !migrations.some(({ instance, status }) => instance === id && status === 'finished'),
  )

/** Starts an operation of any kind on an instance at rest. */
function beginAny(cloud: ModelCloud, chance: Chance): void {
  const waiting = cloud.migrations.find(
    ({ status, instance }) =>
      status === 'finished' &&
      cloud.servers.get(instance)?.vmState === 'resized' &&
      !cloud.operations.some((each) => each.instance === instance),
  )
  const resized = cloud.servers.get(waiting?.instance ?? '')
  if (waiting !== undefined && resized !== undefined && chance(3) === 0) {
    const back = revertResize(cloud, resized, waiting)
    begin(cloud, resized.id, chance(2) === 0 ? back : confirmResize(cloud, resized, waiting))
    return
  }
  const rest = idle(cloud)
  const server = rest[chance(Math.max(1, rest.length))]
  if (server !== undefined) beginOn(cloud, server, chance)
}

function beginOn(cloud: ModelCloud, server: ModelServer, chance: Chance): void {
  const hosts = [...cloud.hosts.values()].filter(({ name }) => name !== server.host)
  const target = hosts[chance(hosts.length)] as ModelHost
  const kind = chance(8)
  const flavor = FLAVORS[chance(FLAVORS.length)] ?? server.flavor
  if (kind < 4) begin(cloud, server.id, liveMigrate(cloud, server, { target, failsAfter: kind < 2 ? null : chance(3) }))
  else if (kind < 6) begin(cloud, server.id, resize(cloud, server, { target, flavor }))
  else if (kind === 6) begin(cloud, server.id, remove(cloud, server))
  else begin(cloud, '', build(cloud, target, FLAVORS[0]))
}

function move(cloud: ModelCloud, chance: Chance): void {
  if (chance(6) === 0) beginAny(cloud, chance)
  const operation = cloud.operations[chance(Math.max(1, cloud.operations.length))]
  if (operation !== undefined) step(cloud, operation)
  advance(cloud, chance(1_500))
}

/** The result of each call of the plan. */
const failuresOf = (plan: CloudPlan, cloud: ModelCloud) =>
  plan.steps.map(({ call }) => failedGuards(capture(cloud), call.guards, plan.at))

function captureSeries(cloud: ModelCloud, chance: Chance): readonly CloudSnapshot[] {
  return Array.from({ length: 6 }, () => {
    for (let moves = chance(6); moves > 0; moves--) move(cloud, chance)
    return capture(cloud)
  })
}

/** Each part is an answer of a different moment. */
function torn(reads: readonly CloudSnapshot[], chance: Chance): CloudSnapshot {
  const any = () => reads[chance(reads.length)] as CloudSnapshot
  const last = reads.at(-1) as CloudSnapshot
  const providers = any().providers
  if (!providers.isRead) throw new Error('a capture reads all')
  const listOf = (id: string) => {
    const { providers: read } = any()
    return read.isRead ? read.value.find((provider) => provider.id === id)?.allocations : undefined
  }
  const value = providers.value.map((provider) => ({
    ...provider,
    allocations: listOf(provider.id) ?? provider.allocations,
  }))
  return {
    ...last,
    servers: any().servers,
    migrations: any().migrations,
    topologies: any().topologies,
    domains: any().domains,
    consumers: chance(2) === 0 ? new Map() : any().consumers,
    providers: { ...providers, value },
  }
}

const seed = fc.integer({ min: 0, max: 2 ** 31 })
const RUNS = { numRuns: Number(process.env.CLOUD_RUNS ?? 400) }

const findingKeys = (findings: ReturnType<typeof auditCloud>) =>
  findings.map(({ kind, object }) => `${kind} ${object.id}`).sort()

describe('a cloud under Nova operations', () => {
  test('has no finding, whatever times its responses are from', () => {
    fc.assert(
      fc.property(seed, (start) => {
        const chance = chanceOf(start)
        const cloud = cloudOf(chance)
        for (let moves = chance(60); moves > 0; moves--) move(cloud, chance)
        // Either answers of many moments, or two reads within the time that Nova needs between two writes.
        const slow = chance(2) === 0
        const first = slow ? captureSeries(cloud, chance) : [capture(cloud)]
        const before = torn(first, chance)
        for (let moves = slow ? chance(40) : 0; moves > 0; moves--) move(cloud, chance)
        advance(cloud, 1_000 * (1 + chance(slow ? 40 : 5)))
        const second = slow ? captureSeries(cloud, chance) : [capture(cloud)]
        // A cache may answer with what it kept.
        const after = torn(slow && chance(2) === 0 ? [...first, ...second] : second, chance)
        expect(findingKeys(auditCloud({ before, after }))).toEqual([])
      }),
      RUNS,
    )
  })
})

const isLong = ({ needs }: Plant): boolean => needs.includes('hours')
const isFit = ({ needs }: Plant, cloud: ModelCloud): boolean => needs.every((need) => need === 'hours' || cloud[need])

/** Two reads, with every stuck state old enough. */
function captureTwice(cloud: ModelCloud, hours: boolean) {
  advance(cloud, hours ? 30 * 3_600_000 : 60_000)
  const before = capture(cloud)
  advance(cloud, 30_000)
  return { before, after: capture(cloud) }
}

describe('a planted fault', () => {
  test.each(CLOUD_FINDING_KINDS)('exists for the finding kind %s', (kind) => {
    expect(PLANTS.map((plant) => plant.kind)).toContain(kind)
  })

  test.each(PLANTS.map((plant, at) => [plant.kind, at] as const))(
    '%s (%i) is the only finding, and is repaired',
    (_kind, at) => {
      const plant = PLANTS[at] as Plant
      const cloud = newCloud({ hosts: 3, shared: plant.needs.includes('shared'), witness: true })
      const host = hostNamed(cloud, 'host-1')
      const server = addServer(cloud, host, FLAVORS[0])
      const planted = plant.make(cloud, server, chanceOf(1))
      checkAndMend(cloud, [{ ...planted, kind: plant.kind }, ...(planted.also ?? [])], isLong(plant))
    },
  )

  test('is found among any others without false findings, and plans and operators end them all', () => {
    fc.assert(
      fc.property(seed, (start) => {
        const chance = chanceOf(start)
        const cloud = cloudOf(chance)
        const hours = chance(3) === 0
        const fit = PLANTS.filter((plant) => isFit(plant, cloud) && (hours || !isLong(plant)))
        const spared = [...cloud.servers.values()].slice(4)
        if (!hours) for (const server of spared) beginOn(cloud, server, chance)
        const planted = [...cloud.servers.values()].slice(0, 1 + chance(4)).flatMap((server) => {
          const plant = fit[chance(fit.length)] as Plant
          const { also = [], ...made } = plant.make(cloud, server, chance)
          return [{ ...made, kind: plant.kind }, ...also]
        })
        checkAndMend(cloud, planted, hours)
      }),
      RUNS,
    )
  })

  test('of a migrating instance gets no plan, and its plan is void once the instance moves', () => {
    fc.assert(
      fc.property(seed, (start) => {
        const chance = chanceOf(start)
        const cloud = cloudOf(chance)
        const fit = PLANTS.filter((plant) => isFit(plant, cloud) && !isLong(plant))
        for (const server of [...cloud.servers.values()].slice(0, 3))
          (fit[chance(fit.length)] as Plant).make(cloud, server, chance)
        const { before, after } = captureTwice(cloud, false)
        const plan = planRepairs({ findings: auditCloud({ before, after }), snapshot: after })
        const moved = [...cloud.servers.values()].find(
          ({ id, host, taskState }) =>
            taskState === null && hostNamed(cloud, host).up && plan.steps.some(({ call }) => call.instance === id),
        )
        if (moved === undefined) return
        advance(cloud, 1_000)
        const still = failuresOf(plan, cloud)
        write(cloud, moved, { taskState: 'migrating' })
        const moving = failuresOf(plan, cloud)
        const ofMoved = plan.steps.map(({ call }) => call.instance === moved.id)
        expect(moving.map(({ length }) => length > 0)).toEqual(still.map(({ length }, at) => length > 0 || ofMoved[at]))
        const again = captureTwice(cloud, false)
        const second = planRepairs({ findings: auditCloud(again), snapshot: again.after })
        expect(second.steps.filter(({ call }) => call.instance === moved.id)).toEqual([])
      }),
      RUNS,
    )
  })
})

describe('a plan that relies on an attestation', () => {
  test('is void once the host reports again', () => {
    fc.assert(
      fc.property(seed, (start) => {
        const chance = chanceOf(start)
        const cloud = cloudOf(chance)
        for (const server of [...cloud.servers.values()].slice(0, 3)) {
          const fit = PLANTS.filter((plant) => isFit(plant, cloud) && !isLong(plant))
          ;(fit[chance(fit.length)] as Plant).make(cloud, server, chance)
        }
        const { before, after } = captureTwice(cloud, false)
        const plan = planRepairs({ findings: auditCloud({ before, after }), snapshot: after })
        const dead = new Set([...cloud.hosts.values()].filter((host) => host.dead).map(({ name }) => name))
        const onDead = (id: string | null) => dead.has(cloud.servers.get(id ?? '')?.host ?? '')
        for (const host of cloud.hosts.values()) if (host.dead) Object.assign(host, { dead: false, up: true })
        advance(cloud, 1_000)
        const failures = failuresOf(plan, cloud)
        const gone = plan.steps.filter(({ call }, at) => onDead(call.instance) && failures[at]?.length === 0)
        expect(gone.map(({ call }) => call.does)).toEqual([])
      }),
      RUNS,
    )
  })
})

interface ExpectedFinding {
  readonly kind: string
  readonly object: string
  readonly resolve?: () => void
}

function checkAndMend(cloud: ModelCloud, planted: readonly ExpectedFinding[], hours: boolean): void {
  const first = captureTwice(cloud, hours)
  expect(findingKeys(auditCloud(first))).toEqual(planted.map(({ kind, object }) => `${kind} ${object}`).sort())
  const resolutions = new Map(planted.map(({ object, resolve }) => [object, resolve]))
  for (let round = 0; round < 4; round++) {
    const { before, after } = captureTwice(cloud, hours)
    const findings = auditCloud({ before, after })
    const plan = planRepairs({ findings, snapshot: after })
    for (const { finding, instead } of plan.leftOut) {
      const resolve = instead === null ? undefined : resolutions.get(finding.object.id)
      resolutions.delete(finding.object.id)
      resolve?.()
    }
    for (const { call } of plan.steps) {
      advance(cloud, 1_000)
      expect(failedGuards(capture(cloud), call.guards, plan.at)).toEqual([])
      expect(apply(cloud, call)).toBeLessThan(300)
    }
  }
  while (cloud.operations[0] !== undefined) step(cloud, cloud.operations[0])
  const last = captureTwice(cloud, hours)
  expect(findingKeys(auditCloud(last))).toEqual([])
}
