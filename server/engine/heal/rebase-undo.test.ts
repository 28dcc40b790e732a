import { expect, test } from 'vitest'
import { newAuditor, type Snapshot } from '../audit'
import type { Instance } from '../change'
import { decide } from '../claim'
import type { Host } from '../host'
import { applyLines } from '../ledger/lines'
import { claimId, smallHost } from '../testing/hosts'
import { auditDemand, instanceOf, pinned, withInstance } from '../testing/instances'
import { applyPart } from './apply'
import { type HealPart, undoPart } from './part'
import { planHeal } from './plan'
import { rebaseUndo } from './rebase-undo'

// A repair released the claim of a shelved instance. What may be restored depends on what was written since.

const AT = 1_800_000_000_000
const audit = newAuditor(auditDemand)
const flavor = pinned(2)
const instance = (n: number): Instance => instanceOf(n, flavor, { host: smallHost({ n: 1 }).id })

/** Its image is stored and nothing of it is on a host. A restored claim needs its row. */
const SHELVED: Instance = { ...instance(2), host: null, vmState: 'shelved' }

function indexSnapshot(host: Host, running: readonly Instance[]): Snapshot {
  const instances = [SHELVED, ...running]
  const domains = running.map(({ id }) => ({
    instance: id,
    observedState: 'running' as const,
    migration: null,
    body: null,
  }))
  const survey = { at: AT, answered: true, domains, devices: null }
  const hostSurveys = [{ host: host.id, latest: survey, earlier: { ...survey, at: AT - 60_000 } }]
  return {
    hosts: [host],
    instances,
    migrations: [],
    hostSurveys,
    now: AT,
    strayAllocations: [],
    looseConsumers: [],
    leftovers: [],
  }
}

/** The records after the repair, and the repair reversed. */
function healed(): { readonly snapshot: Snapshot; readonly undo: HealPart } {
  const broken = indexSnapshot(withInstance(smallHost({ n: 1 }), 2, flavor), [])
  let next = 90
  const options = { demandFor: auditDemand, decide, newClaimId: () => claimId(next++) }
  const [planned] = planHeal(audit(broken), broken, options)
  if (!planned?.healing.ok) throw new Error(JSON.stringify(planned))
  const { part } = planned.healing
  expect(part.finding.kind).toBe('instance-claim-wrong')
  const after = applyPart(broken, part)
  if (!after.ok) throw new Error(JSON.stringify(after.conflict))
  return { snapshot: after.snapshot, undo: undoPart(part) }
}

const rebase = (undo: HealPart, snapshot: Snapshot) => rebaseUndo(undo, { snapshot, findings: audit(snapshot), audit })

test('an undo of unchanged rows is the repair in reverse', () => {
  const { snapshot, undo } = healed()
  expect(rebase(undo, snapshot)).toEqual({ ok: true, part: undo })
})

test('a row that changed since gets a line from its present value', () => {
  const { snapshot, undo } = healed()
  const line = undo.lines.find(({ row }) => row === 'consumer')!
  const written = applyLines(snapshot, [line])
  if (!written.ok) throw new Error(JSON.stringify(written.conflict))
  const again = rebase(undo, written.snapshot)
  expect(again.ok && again.part.lines).toEqual(undo.lines.filter((each) => each !== line))
})

test('an undo never takes capacity that was claimed since', () => {
  const { snapshot, undo } = healed()
  const taken = indexSnapshot(withInstance(snapshot.hosts[0]!, 3, flavor), [instance(3)])
  expect(audit(taken)).toEqual([])
  expect(rebase(undo, taken)).toEqual({
    ok: false,
    why: expect.stringMatching(/^Undoing it now would break something/),
  })
})

test('a row that was already restored needs no undo', () => {
  const { snapshot, undo } = healed()
  const back = applyPart(snapshot, undo)
  if (!back.ok) throw new Error(JSON.stringify(back.conflict))
  expect(rebase(undo, back.snapshot)).toEqual({ ok: false, why: 'The rows that it would restore already exist.' })
})
