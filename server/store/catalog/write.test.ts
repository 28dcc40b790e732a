import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import type { Change } from '../../engine/change'
import { decide } from '../../engine/claim'
import { GROUP_POLICIES, type GroupPolicy } from '../../engine/demand'
import { startBuild } from '../../engine/lifecycle'
import { smallHost } from '../../engine/testing/hosts'
import { demandFor, flavor as flavorOf, IMAGE } from '../../engine/testing/instances'
import type { GroupId, HostId } from '../../engine/words/ids'
import { commit } from '../commit/commit'
import { connectDatabase } from '../database/database'
import { readGroup } from '../migration/view'
import { ACTOR, AT, newClaimId, newInstanceId, present, putHost } from '../testing/records'
import { putGroups } from './policy'
import { changeEntry } from './write'

// The policy of a group changes only while it has no members, but builds that were decided by the old policy may not be
// committed yet.

const database = onFreshDatabase(connectDatabase)
const GROUP = '00000000-0000-4000-8000-00000000abcd' as GroupId
const group = (policy: GroupPolicy) => ({ name: 'quorum', policy, maxPerHost: 1 })

interface Act {
  readonly act: 'build' | 'policy' | 'commit'
  readonly n: number
}
const acts = fc.array(
  fc.record({
    act: fc.constantFrom('build' as const, 'build' as const, 'policy' as const, 'commit' as const),
    n: fc.nat(9),
  }),
  { minLength: 3, maxLength: 16 },
)
/** Two builds are decided by a soft policy on one host, and committed once it is strict. */
const TURNED_STRICT: Act[] = [
  { act: 'build', n: 0 },
  { act: 'build', n: 0 },
  { act: 'policy', n: GROUP_POLICIES.indexOf('anti-affinity') },
  { act: 'commit', n: 0 },
  { act: 'commit', n: 0 },
]

async function decided(host: HostId): Promise<Change | null> {
  const id = newInstanceId()
  const asked = await readGroup(database, { group: GROUP, without: id })
  const flavor = flavorOf(1)
  const question = { demand: demandFor(flavor), host: await present(database, host), instance: id, group: asked }
  const verdict = decide({ ...question, live: null, excludedHost: null })
  if (!verdict.ok) return null
  const instance = { id, name: 'web', project: 'shop', flavor, image: IMAGE, zone: null, group: GROUP }
  return startBuild(instance, { id: newClaimId(), plan: verdict.plan }, { actor: ACTOR, at: AT })
}

async function setPolicy(to: GroupPolicy): Promise<void> {
  const { rows } = await database.pool.query('select policy from instance_group where id = $1', [GROUP])
  const forbids = (uses: number) => (uses > 0 ? 'it has members' : null)
  const attribution = { actor: ACTOR, at: AT }
  await changeEntry(database, {
    kind: 'group',
    name: 'quorum',
    before: group(rows[0].policy),
    after: group(to),
    forbids,
    ...attribution,
  })
}

/** Hosts of the members, and the policy that they must follow. */
async function members(): Promise<{ readonly policy: GroupPolicy; readonly hosts: readonly string[] }> {
  const { rows } = await database.pool.query(
    `select g.policy, array(select i.host_id::text from instance i where i.group_id = g.id) as hosts from instance_group g where g.id = $1`,
    [GROUP],
  )
  return rows[0]
}

function follows({ policy, hosts }: Awaited<ReturnType<typeof members>>): boolean {
  if (policy === 'anti-affinity') return new Set(hosts).size === hosts.length
  return policy !== 'affinity' || new Set(hosts).size <= 1
}

test('no build decided by a soft policy commits once the policy is strict', async () => {
  const landed = new Set<boolean>()
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      await database.pool.query('truncate resource_provider, host, instance, consumer, instance_group cascade')
      await putGroups(database, [{ ...group('soft-anti-affinity'), id: GROUP }])
      const hosts = [
        (await putHost(database, smallHost({ n: 1, cores: 16, shared: 16 }))).id,
        (await putHost(database, smallHost({ n: 2, cores: 16, shared: 16 }))).id,
      ]
      const waiting: Change[] = []
      for (const { act, n } of all) {
        if (act === 'policy') await setPolicy(GROUP_POLICIES[n % GROUP_POLICIES.length]!)
        if (act === 'build') waiting.push(...[await decided(hosts[n % 2]!)].filter((change) => change !== null))
        // A conflict on the host is decided again by every caller; here only the group is of interest.
        const change = act === 'commit' ? waiting.shift() : undefined
        if (change) landed.add((await commit(database, { ...change, guards: { ...change.guards, providers: [] } })).ok)
        expect(follows(await members())).toBe(true)
      }
    }),
    { numRuns: 40, examples: [[TURNED_STRICT]] },
  )
  expect([...landed].sort()).toEqual([false, true])
}, 60_000)
