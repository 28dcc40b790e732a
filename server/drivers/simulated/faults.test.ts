import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DriverOperation } from '../driver'
import { HOST_BOOT_MS, type HostFault } from './faults'
import { type DriverOperationKind, OUTCOMES_OF_A_FAULT } from './record'
import { A, B, makeTwoHosts, moving, SECOND, type TwoHosts } from './two-hosts'

describe('a planned fault', () => {
  const expected = { fail: 'failed', 'lose-answer': 'no-answer', silent: 'no-answer', half: 'failed' } as const

  test.each(OUTCOMES_OF_A_FAULT)('%s: hits only the nth call, and a second try succeeds', async (goes) => {
    const fixture = makeTwoHosts()
    const driverOperation = await moving(fixture)
    await fixture.driver.setFault(B, { do: 'plan', fault: { on: 'prepare', nth: 2, goes } })
    expect(await fixture.driver.prepare(driverOperation)).toEqual({ did: 'done' })
    await fixture.driver.clean(driverOperation, 'target')
    expect((await fixture.driver.prepare(driverOperation)).did).toBe(expected[goes])
    await fixture.driver.setFault(B, { do: 'return' })
    expect(await fixture.driver.prepare(driverOperation)).toEqual({ did: 'done' })
  })

  // The failure was lost with the server that had asked, so the next one asks again.
  test('that makes half of a domain: the next call makes the rest', async () => {
    const fixture = makeTwoHosts()
    const driverOperation = await moving(fixture)
    await fixture.driver.setFault(B, { do: 'plan', fault: { on: 'prepare', nth: 1, goes: 'half' } })
    expect((await fixture.driver.prepare(driverOperation)).did).toBe('failed')
    expect(await fixture.driver.prepare(driverOperation)).toEqual({ did: 'done' })
    expect(await fixture.driver.survey(B)).toMatchObject([{ claim: driverOperation.claim.target }])
  })

  test('that breaks a transfer halfway fails it, and the instance keeps running at the source', async () => {
    const fixture = makeTwoHosts()
    const driverOperation = await moving(fixture)
    await fixture.driver.setFault(A, { do: 'plan', fault: { on: 'transfer', nth: 1, goes: 'half' } })
    await fixture.driver.prepare(driverOperation)
    expect((await fixture.driver.transfer(driverOperation)).did).toBe('running')
    fixture.advance(3600 * SECOND)
    expect((await fixture.driver.transfer(driverOperation)).did).toBe('failed')
    expect(await fixture.driver.locate(driverOperation)).toEqual({ source: 'running', target: 'shell' })
  })

  test('that interrupts a switch leaves no domain running, and the next call completes it', async () => {
    const fixture = makeTwoHosts()
    const driverOperation = await moving(fixture, { operation: 'cold-migrate' })
    await fixture.driver.setFault(B, { do: 'plan', fault: { on: 'runAt', nth: 1, goes: 'half' } })
    await fixture.driver.prepare(driverOperation)
    await fixture.driver.transfer(driverOperation)
    fixture.advance(3600 * SECOND)
    await fixture.driver.transfer(driverOperation)
    expect((await fixture.driver.runAt(driverOperation, 'target')).did).toBe('no-answer')
    expect(await fixture.driver.locate(driverOperation)).toEqual({ source: 'stopped', target: 'shell' })
    expect(await fixture.driver.runAt(driverOperation, 'target')).toEqual({ did: 'done' })
  })
})

type Move =
  | { readonly do: 'verb'; readonly verb: DriverOperationKind; readonly side: 'source' | 'target' }
  | { readonly do: 'fault'; readonly host: 'A' | 'B'; readonly fault: HostFault['do'] }
  | { readonly do: 'wait'; readonly ms: number }

const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    do: fc.constant('verb' as const),
    verb: fc.constantFrom<DriverOperationKind>(
      'prepare',
      'transfer',
      'stopTransfer',
      'forceTransfer',
      'runAt',
      'clean',
    ),
    side: fc.constantFrom('source' as const, 'target' as const),
  }),
  fc.record({
    do: fc.constant('fault' as const),
    host: fc.constantFrom('A' as const, 'B' as const),
    fault: fc.constantFrom<HostFault['do']>('go-silent', 'kill', 'return'),
  }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
)

async function play(fixture: TwoHosts, driverOperation: DriverOperation, move: Move): Promise<void> {
  const { driver } = fixture
  if (move.do === 'wait') return fixture.advance(move.ms)
  if (move.do === 'fault') {
    return driver.setFault(move.host === 'A' ? A : B, { do: move.fault } as HostFault)
  }
  if (move.verb === 'runAt') await driver.runAt(driverOperation, move.side)
  else if (move.verb === 'clean') await driver.clean(driverOperation, move.side)
  else if (move.verb === 'prepare') await driver.prepare(driverOperation)
  else if (move.verb === 'transfer') await driver.transfer(driverOperation)
  else if (move.verb === 'stopTransfer') await driver.stopTransfer(driverOperation)
  else await driver.forceTransfer(driverOperation)
}

test('no sequence of operations and faults runs an instance twice or deletes its last copy', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('live-migrate' as const, 'cold-migrate' as const, 'resize' as const),
      fc.array(moves, { maxLength: 25 }),
      async (operation, script) => {
        const fixture = makeTwoHosts()
        const driverOperation = await moving(fixture, { operation })
        for (const move of script) await play(fixture, driverOperation, move)
        for (const host of [A, B]) await fixture.driver.setFault(host, { do: 'return' })
        fixture.advance(HOST_BOOT_MS)
        const surveys = await Promise.all([A, B].map((host) => fixture.driver.survey(host)))
        const observedStates = surveys.flat().map((domain) => domain?.observedState)
        expect(observedStates.filter((observedState) => observedState === 'running').length).toBeLessThanOrEqual(1)
        expect(observedStates.filter((observedState) => observedState !== 'shell').length).toBeGreaterThanOrEqual(1)
      },
    ),
    { numRuns: 500 },
  )
})
