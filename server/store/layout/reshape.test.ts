import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Change } from '../../engine/change'
import type { Host } from '../../engine/host'
import { planLayout } from '../../engine/layout'
import { rolloutChange } from '../../engine/layout/change'
import { differences } from '../../engine/layout/differences'
import { newRollout, type Rollout, rolloutHost } from '../../engine/layout/rollout'
import { inOrder, undone } from '../../engine/rows'
import { CHOICES, type Choice, COUNTINGS, FLAVORS, flatHost } from '../../engine/testing/flat-hosts'
import { smallHost } from '../../engine/testing/hosts'
import { demandFor, flavor, pinned, verdictOn } from '../../engine/testing/instances'
import type { HostId } from '../../engine/words/ids'
import { commit } from '../commit/commit'
import { connectDatabase } from '../database/database'
import { ACTOR, AT, build, buildOf, changeOf, present, putHost } from '../testing/records'
import { childId } from './ids'
import { readLastRollout, readMarker, readRollout } from './read'
import { reshapeHost } from './reshape'

const database = onFreshDatabase(connectDatabase)
let next = 1

const attribution = { actor: ACTOR, at: AT }
const send = (change: Change) => commit(database, change)
const reshape = (id: HostId, rollout: Rollout | null = null, through = send) =>
  reshapeHost({ database, commit: through, attribution }, id, rollout)
const generation = (host: Host) => host.providers[0]!.generation

async function heldHost(set: Parameters<typeof smallHost>[0] = {}): Promise<Host> {
  const host = await putHost(database, smallHost({ n: next++, shared: 2, vfs: 2, vgpus: 2, ...set }))
  for (const of of [flavor(1), pinned(2, { 'pci_passthrough:alias': 'vf:1' }), flavor(2, { 'hw:numa_nodes': '2' })]) {
    await build(database, host.id, { flavor: of })
  }
  return present(database, host.id)
}

function planOf(host: Host) {
  const answer = planLayout(host, childId)
  if (!answer.ok) throw new Error(answer.blockedBy)
  return answer.plan
}

const draw = <T>(from: readonly T[]) => fc.constantFrom(...from)
const hostShapes = fc.record(
  Object.fromEntries(Object.entries(CHOICES).map(([part, from]) => [part, draw<number>(from)])),
) as unknown as fc.Arbitrary<Choice>
const countings = draw<readonly string[]>(COUNTINGS)
const shapes = fc.nat({ max: FLAVORS.length - 1 })
const histories = fc.array(fc.record({ shape: shapes, leaves: fc.nat({ max: 9 }) }), { maxLength: 14 })

describe('a host', () => {
  test('is converted as planned in one transaction, and its marker has author and time', async () => {
    const before = await heldHost()
    expect(await reshape(before.id)).toEqual({ did: 'verified' })
    const after = await present(database, before.id)
    expect(differences(planOf(before).after, after)).toEqual([])
    expect(generation(after)).toBe(generation(before) + 1)
    expect(await readMarker(database, before.id)).toEqual({
      ...{ host: before.id, state: 'verified', why: null, by: ACTOR.who, at: AT, version: 2, wave: null },
    })
  })

  test('with any history of claims is converted as planned, and reversed lines restore it', async () => {
    await fc.assert(
      fc.asyncProperty(hostShapes, countings, histories, async (shape, counted, history) => {
        const host = await putHost(database, flatHost({ n: next++, ...shape }, counted))
        for (const { shape: of } of history) {
          const now = await present(database, host.id)
          if (verdictOn(now, demandFor(FLAVORS[of]!)).ok) await build(database, host.id, { flavor: FLAVORS[of]! })
        }
        const before = await present(database, host.id)
        const answer = planLayout(before, childId)
        const did = await reshape(host.id)
        expect(did.did).toBe(answer.ok ? 'verified' : 'blocked')
        if (!answer.ok) return
        expect(differences(answer.plan.after, await present(database, host.id))).toEqual([])
        const back = inOrder(undone(answer.plan.lines))
        expect(await send(changeOf(back.map((line) => ({ do: 'row', line }) as const)))).toMatchObject({ ok: true })
        expect(differences(before, await present(database, host.id))).toEqual([])
      }),
      { numRuns: 25 },
    )
  })

  test('accepts claims and releases as before, from the right providers', async () => {
    const host = await heldHost()
    await reshape(host.id)
    const id = await build(database, host.id, { flavor: pinned(2, { 'pci_passthrough:alias': 'vf:1' }) })
    const nested = await present(database, host.id)
    const mine = nested.holdings.find(({ consumer }) => consumer === id)!.body
    const givers = mine.amounts.map(({ provider }) => nested.providers.find((each) => each.id === provider)!)
    expect(givers.filter(({ parent }) => parent === null).flatMap(({ inventories }) => inventories)).toHaveLength(1)
    expect(await send(changeOf([{ do: 'release', consumer: id }]))).toMatchObject({ ok: true })
    const left = await present(database, host.id)
    expect(left.holdings.map(({ body }) => body)).toEqual(
      nested.holdings.filter(({ consumer }) => consumer !== id).map(({ body }) => body),
    )
  })

  test('that gets a claim between plan and commit is not written, and the retry plans again', async () => {
    const host = await heldHost()
    let first = true
    const answer = await reshape(host.id, null, async (change) => {
      if (first) await build(database, host.id, { flavor: pinned(1) })
      first = false
      return send(change)
    })
    expect(answer).toEqual({ did: 'conflict' })
    expect((await present(database, host.id)).layout).toBe('flat')
    expect(await reshape(host.id)).toEqual({ did: 'verified' })
  })

  test('refuses a claim that was decided on the flat layout', async () => {
    const host = await heldHost()
    const decided = buildOf(host, { flavor: pinned(1) })
    await reshape(host.id)
    expect(await send(decided)).toMatchObject({ ok: false, conflict: { on: 'provider', id: host.id } })
  })

  test('that is nested is skipped, and one that was never verified is verified', async () => {
    const host = await heldHost()
    const seen: Change[] = []
    await expect(
      reshape(host.id, null, async (change) => {
        if (seen.push(change) === 2) throw new Error('killed')
        return send(change)
      }),
    ).rejects.toThrow('killed')
    expect(await readMarker(database, host.id)).toMatchObject({ state: 'healed' })
    expect(await reshape(host.id)).toEqual({ did: 'verified' })
    expect(await reshape(host.id)).toEqual({ did: 'skipped' })
    expect(await readMarker(database, host.id)).toMatchObject({ state: 'verified', version: 2 })
  })

  test('that cannot be converted stays usable, with the reason on its marker', async () => {
    const host = await heldHost()
    await database.pool.query(
      "update inventory set total = total + 1 where provider_id = $1 and resource_class = 'PCPU'",
      [host.id],
    )
    expect(await reshape(host.id)).toMatchObject({ did: 'blocked', why: expect.stringContaining('PCPU') })
    expect(await readMarker(database, host.id)).toMatchObject({ state: 'blocked', why: expect.any(String) })
    expect(await present(database, host.id)).toMatchObject({ layout: 'flat' })
    await build(database, host.id, { flavor: pinned(1) })
  })

  test('whose child has the name of another provider fails with the reason', async () => {
    const host = await heldHost()
    await database.pool.query(
      'insert into resource_provider (id, name, root_id) select id, $1, id from (select gen_random_uuid() as id) x',
      [`${host.name}_NUMA0`],
    )
    const why = expect.stringMatching(/name.*present.*Nothing was written/)
    expect(await reshape(host.id)).toMatchObject({ did: 'failed', why })
    expect(await present(database, host.id)).toEqual(host)
  })
})

describe('a rollout', () => {
  const started = async (hosts: readonly Host[]): Promise<Rollout> => {
    const id = crypto.randomUUID()
    const rollout = newRollout({
      id,
      hosts: hosts.map(({ id: host }) => host),
      by: 'tester',
      reason: 'because',
      at: AT + next++,
    })
    expect(await send(rolloutChange(null, rollout, attribution))).toMatchObject({ ok: true })
    expect(await readRollout(database, id)).toEqual(rollout)
    return rollout
  }

  test('counts each host in the transaction that converts it, and ends', async () => {
    const [one, two] = [await heldHost(), await heldHost()]
    await reshape(two.id)
    await started([one, two])
    for (;;) {
      const rollout = (await readLastRollout(database))!
      const host = rolloutHost(rollout)
      if (host === null) break
      await reshape(host, rollout)
    }
    expect(await readLastRollout(database)).toMatchObject({ state: 'done', next: 2, healed: 1, skipped: 1 })
    expect(await readMarker(database, one.id)).toMatchObject({ state: 'verified', wave: expect.any(String) })
  })

  test('that is paused converts nothing more, and no second one can be open', async () => {
    const host = await heldHost()
    const rollout = await started([host])
    const other = newRollout({ ...rollout, id: crypto.randomUUID() })
    expect(await send(rolloutChange(null, other, attribution))).toMatchObject({ ok: false, conflict: { on: 'row' } })
    await send(rolloutChange(rollout, { ...rollout, state: 'paused' }, attribution))
    expect(await reshape(host.id, rollout)).toEqual({ did: 'conflict' })
    expect(await present(database, host.id)).toMatchObject({ layout: 'flat' })
    const paused = { ...rollout, state: 'paused' } as const
    await send(rolloutChange(paused, { ...paused, state: 'running' }, attribution))
    expect(await reshape(host.id, rollout)).toEqual({ did: 'verified' })
    expect(await readLastRollout(database)).toMatchObject({ state: 'done', healed: 1 })
  })

  test('stops at a failed host and stays there', async () => {
    const host = await heldHost()
    const rollout = await started([host])
    await database.pool.query(
      `create function refuse_nested() returns trigger language plpgsql as
        $$ begin raise exception 'no nested hosts today'; end $$`,
    )
    await database.pool.query(
      "create trigger refuse before update on host for each row when (new.layout = 'nested') execute function refuse_nested()",
    )
    const before = await present(database, host.id)
    expect(await reshape(host.id, rollout)).toMatchObject({
      did: 'failed',
      why: expect.stringContaining('no nested hosts'),
    })
    expect(await present(database, host.id)).toEqual(before)
    const stopped = await readLastRollout(database)
    expect(stopped).toMatchObject({ state: 'stopped', failed: host.id, next: 0 })
    await database.pool.query('drop trigger refuse on host')
    const resumed = { ...stopped!, state: 'running', failed: null, why: null } as const
    await send(rolloutChange(stopped, resumed, attribution))
    expect(await reshape(host.id, resumed)).toEqual({ did: 'verified' })
  })
})
