import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FencingFacts, nextFencingStep, type PowerReading } from './fencing'

const reading = fc.record({
  power: fc.constantFrom('on', 'off', 'unknown'),
  detail: fc.constant('it says so'),
  denied: fc.boolean(),
}) satisfies fc.Arbitrary<PowerReading>

const facts = fc.record({
  reading: fc.option(reading),
  ordered: fc.constantFrom('no', 'earlier', 'here'),
  accepted: fc.option(fc.boolean()),
  now: fc.integer({ min: 0, max: 20 }),
  deadlineAt: fc.integer({ min: 0, max: 20 }),
}) satisfies fc.Arbitrary<FencingFacts>

const check = (holds: (step: ReturnType<typeof nextFencingStep>, of: FencingFacts) => boolean) =>
  fc.assert(fc.property(facts, (of) => holds(nextFencingStep(of), of)))

test('fencing is verified exactly when the machine reports off', () => {
  check((step, { reading }) => (step.do === 'end' && step.state === 'verified') === (reading?.power === 'off'))
})

test('power-off is sent only before the deadline, and where power is readable only after it read on', () => {
  check(
    (step, { reading, now, deadlineAt }) =>
      step.do !== 'order' || (now < deadlineAt && (reading === null || (reading.power === 'on' && !reading.denied))),
  )
})

test('power-off is not sent twice by one server, and never again without a reading', () => {
  check(
    (step, { reading, ordered }) =>
      step.do !== 'order' || ordered === 'no' || (ordered === 'earlier' && reading !== null),
  )
})

test('fencing ends at its deadline, or at once when access is denied', () => {
  check((step, { reading, now, deadlineAt }) => step.do === 'end' || (now < deadlineAt && !reading?.denied))
})

test('a machine that is on, or got no order, never ends as unverified', () => {
  check(
    (step, { reading, ordered, accepted }) =>
      step.do !== 'end' ||
      step.state !== 'unverified' ||
      (reading?.power !== 'on' && ordered !== 'no' && accepted !== false),
  )
})

test.each<[string, FencingFacts, string]>([
  ['a host that is off already', { ...base(), reading: { power: 'off', detail: '' } }, 'verified'],
  ['a host that is on', { ...base(), reading: { power: 'on', detail: '' } }, 'order'],
  [
    'a host that is powering off',
    { ...base(), reading: { power: 'on', detail: '' }, ordered: 'here', accepted: true },
    'poll',
  ],
  ['an order by a server that died', { ...base(), reading: { power: 'on', detail: '' }, ordered: 'earlier' }, 'order'],
  ['such an order without a power reading', { ...base(), ordered: 'earlier' }, 'unverified'],
  ['a command that succeeded', { ...base(), ordered: 'here', accepted: true }, 'unverified'],
  [
    'a host that is on, after the clock was set back an hour',
    { ...base(), reading: { power: 'on', detail: '' }, deadlineAt: 3_690_000 },
    'failed',
  ],
  ['a host without a power reading, after the same', { ...base(), deadlineAt: 3_690_000 }, 'failed'],
  ['a command that failed', { ...base(), ordered: 'here', accepted: false }, 'failed'],
])('the next step is right for %s', (_, of, wanted) => {
  const step = nextFencingStep(of)
  expect(step.do === 'end' ? step.state : step.do).toBe(wanted)
})

function base(): FencingFacts {
  return { reading: null, ordered: 'no', accepted: null, now: 1, deadlineAt: 10 }
}
