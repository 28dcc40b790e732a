import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { FindingBody } from '../../audit/auditing'
import { hostId } from '../../engine/testing/hosts'
import type { StoredFinding } from '../../store/finding/list'
import { DAMAGES } from './damages'
import { type DamageFixture, newDamageFixture } from './fixture'

// Every kind of damage to a row: the audit finds it and says why it cannot be repaired, or its repair is applied and
// the next audit finds nothing new.

const MAX_REPAIRS = 4 // one after the other, for rows that do not belong to one claim
const actor = { who: 'olga', request: null, reason: 'damaged by hand' }

let fixture: DamageFixture
beforeAll(async () => {
  fixture = await newDamageFixture()
}, 60_000)
afterEach(() => fixture.restore())
afterAll(() => fixture.scenario.close())

const kindsOf = (findings: readonly StoredFinding<FindingBody>[]) => findings.map(({ kind }) => kind)
const canBeRepaired = ({ body }: StoredFinding<FindingBody>) => body.instead === null && body.locked === null

test('the undamaged fleet has no findings', async () => {
  expect(kindsOf(await fixture.found())).toEqual([])
})

test.each(Object.entries(DAMAGES))('%s', { timeout: 30_000 }, async (_name, damage) => {
  await fixture.damage(damage)
  let findings = await fixture.found()
  expect(kindsOf(findings)).toContain(damage.finds)
  const about = findings.find(({ kind }) => kind === damage.finds)
  if (damage.tells) {
    expect(about?.body.instead).toMatch(damage.tells)
    return
  }
  expect(about?.body.instead).toBeNull()
  for (let repairs = 0; findings.some(canBeRepaired); repairs++) {
    expect(repairs).toBeLessThan(MAX_REPAIRS)
    const kindsBefore = new Set(kindsOf(findings))
    const one =
      findings.find((each) => each.kind === damage.finds && canBeRepaired(each)) ?? findings.find(canBeRepaired)
    const planned = await fixture.audit.healing.plan([one?.id ?? ''], 'olga')
    if (!planned.ok) throw new Error(planned.why)
    const foreseen = await fixture.foreseen(planned.plan)
    const applied = await fixture.audit.healing.apply({ plan: planned.plan, parts: [1], actor })
    expect(applied).toMatchObject({ state: 'applied', applied: 1, conflicts: [] })
    const after = await fixture.found()
    expect(foreseen === null || foreseen.every(({ kind }) => kindsOf(after).includes(kind))).toBe(true)
    expect(after.length).toBeLessThan(findings.length)
    expect(kindsOf(after).filter((kind) => !kindsBefore.has(kind))).toEqual([])
    findings = after
  }
  expect(kindsOf(findings)).toEqual([])
})

test('a card removed under an instance is one critical finding at once, and stays the only one', async () => {
  const { scenario, audit, instances } = fixture
  const unit = await fixture.unitOf(instances.web)
  await scenario.fleet.setFault(hostId(1), { do: 'take-device', unit })
  const [once, ...others] = await fixture.found(1)
  expect(once).toMatchObject({
    kind: 'device-lost',
    severity: 'critical',
    confidence: 'sure',
    instance: instances.web,
    unit,
  })
  expect(once?.body.finding.found).toMatch(/^vm-.* has lost this device$/)
  expect(others).toEqual([])
  const [lost] = await fixture.found()
  const planned = await audit.healing.plan([lost?.id ?? ''], 'olga')
  if (!planned.ok) throw new Error(planned.why)
  const stays = { kind: 'device-lost', instance: instances.web, unit, isNew: false }
  expect(await fixture.foreseen(planned.plan)).toMatchObject([stays])
  expect(await audit.healing.apply({ plan: planned.plan, parts: [1], actor })).toMatchObject({
    state: 'applied',
    found: [],
  })
  expect(kindsOf(await fixture.found())).toEqual(['device-lost'])
})
