import { expect, test } from 'vitest'
import { type EvacuationFacts, mayAttest, stagesOf } from './stages'

const machine = { method: null, permit: { ok: true }, asks: false, attempt: null } as const
const view = (set: Partial<EvacuationFacts['view']> = {}): EvacuationFacts['view'] => ({
  ...{ host: { id: 'h', name: 'h' }, lastSeenAt: 1, status: 'down', contact: null, run: null, asks: false },
  ...{ approval: null, stale: [], quarantined: false, permit: { ok: true } },
  fencing: { ...machine, state: 'none', by: null, at: null, how: '', reason: null },
  ...set,
})
const attested = { ...machine, state: 'attested', by: 'ada', at: 1, how: 'pulled', reason: 'pulled' } as const
const instance = (state: 'planned' | 'blocked') => ({ state }) as never
const plan = { guests: [instance('planned'), instance('planned')], blockers: [] }
const stageLabels = (facts: Partial<EvacuationFacts>) =>
  stagesOf({ view: view(), plan, run: null, ...facts }).map(({ badge }) => badge.label)
const stale = [{ instance: { id: 'i', name: 'i' }, observedState: 'running', observedAt: 1, livesOn: null }]

test('each step shows the state of the facts, from a dead host to a clean one', () => {
  expect(
    stageLabels({ view: view({ status: 'up', contact: 'answering' }), plan: { guests: [], blockers: [] } }),
  ).toEqual([...['not yet', 'not yet', 'not yet', 'not yet', 'not yet']])
  expect(stageLabels({})).toEqual(['done', 'to do', 'ready', 'not yet', 'not yet'])
  expect(stageLabels({ view: view({ status: 'fenced', fencing: attested }) })).toEqual([
    ...['done', 'attested', 'ready', 'not yet', 'not yet'],
  ])
  const running = { state: 'running', done: 1, total: 2, left: 1 } as const
  const fenced = { status: 'fenced', fencing: attested, quarantined: true, stale } as const
  expect(stageLabels({ view: view(fenced), run: running })).toEqual([
    ...['done', 'attested', 'done', 'in progress', 'waiting'],
  ])
  for (const state of ['paused', 'stopped'] as const)
    expect(stageLabels({ view: view(fenced), run: { ...running, state } })[3]).toBe(state)
  const done = { state: 'done', done: 2, total: 2, left: 0 } as const
  expect(stageLabels({ view: view(fenced), run: done })).toEqual(['done', 'attested', 'done', 'done', 'waiting'])
  expect(stageLabels({ view: view(fenced), plan: { guests: [], blockers: [] }, run: done })[2]).toBe('done')
  const back = { status: 'up', contact: 'answering' } as const
  expect(stageLabels({ view: view({ ...back, quarantined: true, stale }), run: done }).at(-1)).toBe('in progress')
  expect(stageLabels({ view: view(back), run: done }).at(-1)).toBe('done')
})

test('a step names what is unknown', () => {
  const unknown = (set: Partial<EvacuationFacts['view']>) =>
    stagesOf({ view: view(set), plan, run: null }).flatMap(({ id, unknown: text }) => (text ? [id] : []))
  expect(unknown({})).toEqual(['fencing'])
  expect(unknown({ status: 'up', contact: 'silent' })).toEqual(['down'])
  expect(unknown({ status: 'fenced', fencing: attested, quarantined: true })).toEqual(['fencing', 'cleanUp'])
  expect(unknown({ status: 'up', contact: 'answering' })).toEqual([])
})

test('a host that an operator recorded down and that still answers is a problem, and its instances may still run', () => {
  const [down] = stagesOf({ view: view({ contact: 'answering' }), plan, run: null })
  expect(down).toMatchObject({
    ...{ badge: { label: 'problem' }, known: 'Recorded down, but it still answers.' },
    unknown: 'whether its instances still run.',
  })
})

test('a host that no survey has reached is not called silent', () => {
  const known = (contact: 'silent' | 'never-answered') =>
    stagesOf({ view: view({ status: 'up', contact }), plan, run: null })[0]?.known
  expect(known('silent')).toBe('Recorded up, but it does not answer.')
  expect(known('never-answered')).toBe('Recorded up, but no survey has reached it yet.')
})

test('a blocked instance and a host that answered after it was fenced are problems', () => {
  const blocked = { guests: [instance('planned'), instance('blocked')], blockers: [] }
  expect(stageLabels({ plan: blocked })[2]).toBe('problem')
  const fencing = { ...attested, state: 'contradicted' } as const
  expect(stageLabels({ view: view({ status: 'fenced', fencing }) })[1]).toBe('problem')
})

const method = { kind: 'redfish', where: 'https://bmc', deadlineMs: 1, verifies: true } as const
const attempt = (state: 'running' | 'verified' | 'unverified' | 'failed') =>
  ({ id: 'f', method: 'redfish', state, by: 'ada', askedAt: 1, deadlineAt: 2, endedAt: null, log: [] }) as const

test('power state off from the machine verifies fencing, and a running request shows as under way', () => {
  const running = { ...view().fencing, method, attempt: attempt('running') }
  expect(stagesOf({ view: view({ fencing: running }), plan, run: null })[1]).toMatchObject({
    badge: { label: 'in progress' },
    known: 'It is being powered off.',
    unknown: 'whether its instances still run.',
  })
  const verified = { ...attested, state: 'verified', method, attempt: attempt('verified') } as const
  const [, step] = stagesOf({ view: view({ status: 'fenced', fencing: verified }), plan, run: null })
  expect(step).toMatchObject({ badge: { label: 'done' }, unknown: null })
})

test('attestation is offered only where no fencing device can verify', () => {
  expect(mayAttest({ method: null, attempt: null })).toBe(true)
  expect(mayAttest({ method, attempt: null })).toBe(false)
  expect(mayAttest({ method, attempt: attempt('running') })).toBe(false)
  expect(mayAttest({ method, attempt: attempt('failed') })).toBe(true)
  expect(mayAttest({ method, attempt: attempt('unverified') })).toBe(true)
})
