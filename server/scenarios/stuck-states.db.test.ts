import { beforeEach, describe, expect, test } from 'vitest'
import type { Audit } from '../audit/audit'
import { kindRow } from '../engine/audit'
import { hostId, smallHost } from '../engine/testing/hosts'
import { pinned } from '../engine/testing/instances'
import type { InstanceId, MigrationId } from '../engine/words/ids'
import { readHosts } from '../store/host/read'
import { noteSurvey } from '../store/survey/survey'
import { onEachScenario } from './on-each-scenario'
import { auditOn } from './scenario'

// States in which migrations get stuck for ever in other systems (docs/bugs.md): the source dies in each step, or after
// a confirm was accepted. Here each ends when the host returns, or when an operator marks the host; until then the
// migration says what it waits for, and the audit reports no live claim as orphaned.

const [H1, H2] = [hostId(1), hostId(2)]
const scenario = onEachScenario({ hosts: [smallHost({ n: 1 }), smallHost({ n: 2 })] }, { mayEndWrong: true })
let audit: Audit
beforeEach(() => {
  audit = auditOn(scenario)
})

/** The findings of an audit after two surveys of every hypervisor. */
async function found() {
  for (const _survey of [1, 2]) {
    await scenario.pass(1_000)
    const hosts = await readHosts(scenario.database)
    const answers = hosts.map(async ({ id }) => ({
      ...{ host: id, at: scenario.now(), guests: await scenario.fleet.survey(id) },
      devices: (await scenario.fleet.devices?.(id)) ?? null,
    }))
    await noteSurvey(scenario.database, await Promise.all(answers))
    await scenario.pass(1_000)
  }
  return (await audit.auditing.audit({ cold: true })).findings
}
const kinds = async () => [...new Set((await found()).map(({ kind }) => kind))].sort()

/** No claim is reported as orphaned, and no repair would release any. */
async function nothingIsTakenForALeak(): Promise<void> {
  for (const { kind, body } of await found()) {
    expect({ kind, givesBack: body.givesBack }).toEqual({ kind, givesBack: [] })
    expect(kindRow(kind).severity, kind).not.toBe('warning')
  }
}

type FailureStep = 'prepare' | 'transfer' | 'switch' | 'release'

/** A live migration whose source dies in that step, during a driver operation. */
async function diesIn(step: FailureStep): Promise<{ web: InstanceId; migration: MigrationId }> {
  const web = await scenario.running({ flavor: pinned(2), host: H1 })
  const asked = { switch: 'locate', release: 'clean' } as const
  if (step === 'switch' || step === 'release') {
    await scenario.fleet.setFault(H1, { do: 'plan', fault: { on: asked[step], nth: 1, goes: 'silent' } })
  }
  const migration = (await scenario.operators.migrate(web, { operation: 'live-migrate', target: H2 }))!
  if (step === 'prepare') await scenario.fleet.setFault(H1, { do: 'kill' })
  if (step === 'transfer') await scenario.untilStep(migration, 'transfer')
  else await scenario.until(async () => (await scenario.migration(migration)).waiting !== null)
  // Once the instance is seen on the target, `switch` needs no answer of the source; the migration waits in `release`.
  expect((await scenario.migration(migration)).step).toBe(step === 'switch' ? 'release' : step)
  await scenario.fleet.setFault(H1, { do: 'kill' })
  await scenario.pass(120_000)
  // The reason for waiting names that host.
  expect((await scenario.migration(migration)).waiting).toMatchObject({ for: 'host', host: H1 })
  return { web, migration }
}

async function hostReturns(): Promise<void> {
  await scenario.fleet.setFault(H1, { do: 'return' })
  await scenario.until(async () => (await scenario.fleet.survey(H1)) !== null)
  const [host] = await readHosts(scenario.database, [H1])
  if (host?.status !== 'up') await scenario.operators.setStatus(H1, 'up')
  await scenario.until(async () => (await readHosts(scenario.database, [H1]))[0]?.scheduling === 'enabled')
}

const heldOn = async (web: InstanceId) => (await scenario.heldFor(web)).map(({ host }) => host)

/** The migration has ended, the instance has one claim, on its host, and the audit has only the expected findings. */
async function atRest(web: InstanceId, migration: MigrationId, expected: readonly string[] = []): Promise<void> {
  const { host } = await scenario.instance(web)
  expect(await heldOn(web)).toEqual([host])
  expect((await scenario.migration(migration)).outcome).not.toBeNull()
  expect(await kinds()).toEqual(expected)
}

const STEPS = ['prepare', 'transfer', 'switch', 'release'] as const satisfies FailureStep[]

describe.each(STEPS)('the source of a live migration dies in %s', (step) => {
  test('both sides stay held until the host returns and ends the migration', async () => {
    const { web, migration } = await diesIn(step)
    if ((await scenario.migration(migration)).outcome === null) {
      expect(await heldOn(web)).toHaveLength(2)
      expect((await scenario.migration(migration)).waiting).toMatchObject({ for: 'host' })
    }
    await nothingIsTakenForALeak()
    await hostReturns()
    await scenario.untilEnded(migration)
    await atRest(web, migration)
  })

  test('marking the host as fenced ends the migration while the host is still dead', async () => {
    const { web, migration } = await diesIn(step)
    await scenario.operators.setStatus(H1, 'fenced')
    await scenario.untilEnded(migration)
    expect(await heldOn(web)).toHaveLength(1)
    await hostReturns()
    // Given up before the hand-over, it leaves the instance on the source: shut down, because the source lost power.
    await atRest(web, migration, step === 'prepare' || step === 'transfer' ? ['instance-shut-down'] : [])
  })
})

async function resized() {
  const web = await scenario.running({ flavor: pinned(2), host: H1 })
  const migration = (await scenario.operators.migrate(web, { operation: 'resize', target: H2, newFlavor: pinned(3) }))!
  await scenario.untilStep(migration, 'verify')
  return { web, migration }
}

describe('the source dies after a confirm was requested and before it is accepted', () => {
  async function confirmedOnADeadSource() {
    const { web, migration } = await resized()
    expect(await scenario.operators.requestAction(migration, 'confirm')).toBe(true)
    await scenario.fleet.setFault(H1, { do: 'kill' })
    await scenario.pass(120_000)
    return { web, migration }
  }

  test('the requested action and the claims are kept until the host returns, and then released', async () => {
    const { web, migration } = await confirmedOnADeadSource()
    expect((await scenario.migration(migration)).waiting).toMatchObject({ for: 'host', host: H1 })
    expect(await heldOn(web)).toHaveLength(2)
    await nothingIsTakenForALeak()
    await hostReturns()
    expect((await scenario.untilEnded(migration)).outcome).toBe('completed')
    await atRest(web, migration)
  })

  test('marking the host as lost ends the migration', async () => {
    const { web, migration } = await confirmedOnADeadSource()
    await scenario.operators.setStatus(H1, 'lost')
    expect((await scenario.untilEnded(migration)).outcome).toBe('completed')
    await atRest(web, migration)
  })
})

test('an audit during a migration finds no orphaned claim, and the migration ends with one claim', async () => {
  const web = await scenario.running({ flavor: pinned(2), host: H1 })
  const findings = async () => (await audit.auditing.judge({ cold: true })).findings
  const migration = (await scenario.operators.migrate(web, { operation: 'cold-migrate', target: H2 }))!
  expect(await findings(), 'accepted').toEqual([])
  for (const step of ['transfer', 'verify'] as const) {
    await scenario.untilStep(migration, step)
    expect(await heldOn(web)).toHaveLength(2)
    expect(await findings(), step).toEqual([])
    await nothingIsTakenForALeak()
  }
  await scenario.operators.requestAction(migration, 'confirm')
  expect(await findings(), 'confirmed').toEqual([])
  await scenario.untilEnded(migration)
  await atRest(web, migration)
})

test('an evacuation leaves no claim on the source while it is still dead', async () => {
  const web = await scenario.running({ flavor: pinned(2), host: H1 })
  await scenario.fleet.setFault(H1, { do: 'kill' })
  await scenario.operators.setStatus(H1, 'fenced')
  const migration = (await scenario.operators.migrate(web, { operation: 'evacuate' }))!
  await scenario.untilEnded(migration)
  await atRest(web, migration)
  expect(await heldOn(web)).toEqual([H2])
})
