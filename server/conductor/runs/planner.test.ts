import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { planDrain } from '../../engine/drain'
import { drainCaseOf, drainOf } from '../../engine/testing/drains'
import { smallHost } from '../../engine/testing/hosts'
import { pinned } from '../../engine/testing/instances'
import { makePlanner, type Planner } from './planner'

// The thread returns the planner's plan; when it fails, the caller gets an error and the next request is served.

let planner: Planner
afterEach(() => planner.close())

const ask = drainOf(
  drainCaseOf(
    [1, 2, 3].map((n) => smallHost({ n })),
    [1, 2].map((vcpus) => ({ flavor: pinned(vcpus), on: 1 })),
  ),
  { helpersAllowed: false, steps: 100 },
)
/** More orders than can be tried. */
const crowded = drainOf(
  drainCaseOf(
    [1, 2, 3, 4].map((n) => smallHost({ n })),
    [1, 2, 3, 4].flatMap((on) => [1, 1, 1].map((vcpus) => ({ flavor: pinned(vcpus), on }))),
  ),
)
/** A thread whose behaviour the request's text selects. */
const threadThat = (does: string) => () =>
  new Worker(`require('node:worker_threads').parentPort.on('message', (ask) => { ${does} })`, { eval: true })
const errorOf = (plan: Promise<unknown>) =>
  plan.then(
    () => 'planned',
    ({ name, message }: Error) => `${name}: ${message}`,
  )

test('a thread returns the plan of the planner, repeatedly', async () => {
  planner = makePlanner()
  const plan = planDrain(ask)
  expect(plan.migrations.length).toBeGreaterThan(0)
  expect(await planner.plan(ask)).toEqual(plan)
  expect(await Promise.all([planner.plan(ask), planner.plan(ask)])).toEqual([plan, plan])
})

test('a thread that dies is reported, and the next request gets a new one', async () => {
  let started = 0
  const answers = `require('node:worker_threads').parentPort.postMessage({ moves: [], remaining: [], decisions: 1 })`
  planner = makePlanner({
    threads: 1,
    start: () => threadThat(started++ === 0 ? `throw new Error('no memory')` : answers)(),
  })
  const [first, second] = [planner.plan(ask), planner.plan(ask)]
  expect(await errorOf(first)).toMatch(/^Fault: The planner thread died: no memory\. Nothing was planned/)
  expect(await second).toEqual({ moves: [], remaining: [], decisions: 1 })
  expect(started).toBe(2)
})

test('a thread that ends without a plan is reported', async () => {
  planner = makePlanner({ start: threadThat('process.exit(3)') })
  expect(await errorOf(planner.plan(ask))).toMatch(/it ended with code 3/)
})

test('a cancelled request gets an error, waiting or running, and the others are served', async () => {
  let started = 0
  const answers = `require('node:worker_threads').parentPort.postMessage({ moves: [], remaining: [], decisions: 1 })`
  planner = makePlanner({ threads: 1, start: () => threadThat(started++ === 0 ? 'for (;;);' : answers)() })
  const [underWay, waits] = [new AbortController(), new AbortController()]
  const plans = [planner.plan(ask, underWay.signal), planner.plan(ask, waits.signal), planner.plan(ask)]
  waits.abort()
  expect(await errorOf(plans[1]!)).toBe('Fault: Planning was cancelled. Nothing was planned.')
  underWay.abort()
  expect(await errorOf(plans[0]!)).toBe('Fault: Planning was cancelled. Nothing was planned.')
  expect(await plans[2]).toEqual({ moves: [], remaining: [], decisions: 1 })
  expect(await errorOf(planner.plan(ask, AbortSignal.abort()))).toMatch(/cancelled/)
})

test('the planner runs no more threads than allowed', async () => {
  let started = 0
  planner = makePlanner({
    threads: 2,
    start: () => {
      started++
      return threadThat('for (;;);')()
    },
  })
  const plans = [1, 2, 3].map(() => errorOf(planner.plan(ask)))
  expect(started).toBe(2)
  await planner.close()
  expect(await Promise.all(plans)).toEqual(Array(3).fill(expect.stringMatching(/server is stopping/)))
})

test('closing the planner does not wait for a plan under way', async () => {
  planner = makePlanner({ threads: 1 })
  await planner.plan(ask)
  const long = errorOf(planner.plan({ ...crowded, steps: 10_000_000 }))
  await planner.close()
  expect(await long).toMatch(/server is stopping/)
})

test('the time limit covers the wait for a thread', async () => {
  planner = makePlanner({ threads: 1, limitMs: 300, start: threadThat('for (;;);') })
  const plans = Promise.all([1, 2, 3, 4].map(() => errorOf(planner.plan(ask))))
  const later = new Promise((resolve) => setTimeout(resolve, 900, 'some still wait'))
  expect(await Promise.race([plans, later])).toEqual(Array(4).fill(expect.stringMatching(/did not end within 0.3 s/)))
})

test('a plan that exceeds the time limit is abandoned', async () => {
  planner = makePlanner({ limitMs: 50, start: threadThat('for (;;);') })
  expect(await errorOf(planner.plan(ask))).toMatch(/did not end within 0.05 s/)
})
