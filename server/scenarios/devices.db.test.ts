import { beforeEach, expect, test } from 'vitest'
import type { Audit } from '../audit/audit'
import type { FindingBody } from '../audit/auditing'
import { hostId, smallHost } from '../engine/testing/hosts'
import { pinned } from '../engine/testing/instances'
import { readUnitTimes } from '../store/claim/unit-history'
import { listFindings } from '../store/finding/list'
import { readHosts } from '../store/host/read'
import { noteSurvey } from '../store/survey/survey'
import { onEachScenario } from './on-each-scenario'
import { auditOn } from './scenario'

// The devices that hypervisors report reach the findings: a card that is pulled, and a device that stays attached to an
// instance that has left.

const [H1, H2] = [hostId(1), hostId(2)]
const WITH_VF = pinned(1, { 'pci_passthrough:alias': 'vf:1' })
const scenario = onEachScenario({ hosts: [smallHost({ n: 1, vfs: 1 }), smallHost({ n: 2 })] }, { mayEndWrong: true })
let audit: Audit
beforeEach(() => {
  audit = auditOn(scenario)
})

async function surveyAndAudit(times: number) {
  for (let n = 0; n < times; n++) {
    await scenario.pass(1_000)
    const [domains, devices] = await Promise.all([scenario.fleet.survey(H1), scenario.fleet.devices?.(H1)])
    await noteSurvey(scenario.database, [{ host: H1, at: scenario.now(), guests: domains, devices: devices ?? null }])
  }
  await scenario.pass(1_000)
  await audit.auditing.audit({ cold: true })
  const { rows } = await listFindings<FindingBody>(scenario.database, { offset: 0, limit: 100 })
  return rows.map(({ id, kind, confidence, unit, body }) => ({ id, kind, confidence, unit, body }))
}
const vfNow = async () => (await readHosts(scenario.database, [H1]))[0]!.devices.at(-1)!

test('the records of a removed card are repaired after the host, and again when it returns', async () => {
  const { unit } = await vfNow()
  expect(await surveyAndAudit(2)).toEqual([])
  await scenario.fleet.setFault(H1, { do: 'take-device', unit })
  expect(await surveyAndAudit(1)).toMatchObject([{ kind: 'device-state-wrong', confidence: 'once', unit }])
  const [found] = await surveyAndAudit(1)
  expect(found).toMatchObject({ confidence: 'likely' })
  expect(await heal(found!.id)).toMatchObject({ state: 'applied', conflicts: [] })
  expect(await vfNow()).toMatchObject({ unit, gone: true, free: false })
  expect(await surveyAndAudit(1)).toEqual([])

  await scenario.fleet.setFault(H1, { do: 'put-device-back', unit })
  const [back] = await surveyAndAudit(2)
  expect(back).toMatchObject({ kind: 'device-state-wrong', confidence: 'likely' })
  await heal(back!.id)
  expect(await vfNow()).toMatchObject({ unit, free: true })
  expect(await surveyAndAudit(1)).toEqual([])
})

test('a device that stays attached is a finding with its instance, and no row is changed for it', async () => {
  const web = await scenario.running({ flavor: WITH_VF, host: H1 })
  const { unit } = await vfNow()
  await scenario.fleet.setFault(H1, { do: 'keep-attached', unit, instance: web })
  expect(await surveyAndAudit(2)).toEqual([])
  await scenario.operators.deleteInstance(web)
  await scenario.until(async () => (await vfNow()).free)
  const [found] = await surveyAndAudit(2)
  expect(found).toMatchObject({ kind: 'device-still-attached', confidence: 'likely', unit })
  expect(found!.body.evidence).toContainEqual(
    expect.objectContaining({ source: 'hypervisor', says: expect.stringMatching(/^reports .*attached to/) }),
  )
  expect(await audit.healing.plan([found!.id], 'op')).toMatchObject({ ok: false, why: expect.stringMatching(/detach/) })
  await scenario.fleet.setFault(H1, { do: 'detach-device', unit })
  expect(await surveyAndAudit(1)).toEqual([])
})

test('the history of a core has each holder with times and migrations', async () => {
  const web = await scenario.running({ flavor: pinned(1), host: H1 })
  const cpuOn = async (id: typeof H1) => {
    const [host] = await readHosts(scenario.database, [id])
    return host!.holdings.find(({ instance }) => instance === web)!.body.units.find(({ kind }) => kind === 'cpu')!.unit
  }
  const before = await cpuOn(H1)
  const migration = (await scenario.operators.migrate(web, { operation: 'live-migrate', target: H2 }))!
  await scenario.untilEnded(migration)
  const [gone] = await readUnitTimes(scenario.database, { host: H1, unit: before })
  expect(gone).toMatchObject({ instance: web, cameBy: null, wentBy: { id: migration, operation: 'live-migrate' } })
  expect(gone!.to).not.toBeNull()
  const [held] = await readUnitTimes(scenario.database, { host: H2, unit: await cpuOn(H2) })
  expect(held).toMatchObject({
    instance: web,
    cameBy: { id: migration, operation: 'live-migrate' },
    to: null,
    wentBy: null,
  })
})

test('a host that reports no devices causes no finding', async () => {
  const { unit } = await vfNow()
  await scenario.fleet.setFault(H1, { do: 'take-device', unit })
  await surveyAndAudit(2)
  await noteSurvey(scenario.database, [{ host: H1, at: scenario.now() + 1, guests: [], devices: null }])
  await audit.auditing.audit({ cold: true })
  expect((await listFindings(scenario.database, { offset: 0, limit: 100 })).rows).toEqual([])
})

async function heal(finding: string) {
  const planned = await audit.healing.plan([finding], 'op')
  if (!planned.ok) throw new Error(planned.why)
  return audit.healing.apply({ plan: planned.plan, parts: [1], actor: { who: 'op', request: null, reason: 'card' } })
}
