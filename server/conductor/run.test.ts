import { describe, expect, test, vi } from 'vitest'
import type { DriverOperation } from '../drivers/driver'
import { unconnected } from '../drivers/registry'
import { ask, type Tick } from './effects'
import { type ConductorContext, OPERATION_TIMEOUTS_MS, runTick } from './run'

const driverOperation = { source: 'a', target: 'b' } as unknown as DriverOperation

function contextOf(change: Partial<ConductorContext>): ConductorContext {
  return {
    records: {} as ConductorContext['records'],
    driverOf: async () => unconnected('simulated'),
    stopping: () => false,
    keepLease: () => () => {},
    onFault: () => {},
    ...change,
  }
}

type AnswerListener = (answer: unknown) => void

function* oneVerb(heard: AnswerListener): Tick {
  heard(yield* ask('prepare', { driverOperation }))
  heard(yield* ask('locate', { driverOperation }))
  return { nextAt: 7 }
}

async function collectAnswers(context: ConductorContext): Promise<unknown[]> {
  const answers: unknown[] = []
  await runTick(
    oneVerb((answer) => answers.push(answer)),
    context,
  )
  return answers
}

const BOTH_SILENT = { source: 'silent', target: 'silent' }

describe('a tick with real effects', () => {
  test('treats a driver that throws as a host that did not answer', async () => {
    const broken = { ...unconnected('simulated'), prepare: () => Promise.reject(new Error('socket closed')) }
    const faults: string[] = []
    const context = contextOf({
      driverOf: async () => broken,
      onFault: (verb, error) => faults.push(`${verb}: ${error.message}`),
    })
    expect(await collectAnswers(context)).toEqual([{ did: 'no-answer', why: 'socket closed' }, BOTH_SILENT])
    expect(faults).toEqual(['prepare: socket closed'])
  })

  test('treats a missing driver as a host that did not answer', async () => {
    const context = contextOf({ driverOf: () => Promise.reject(new Error('no such host')) })
    expect(await collectAnswers(context)).toEqual([{ did: 'no-answer', why: 'no such host' }, BOTH_SILENT])
  })

  test('treats a timed-out driver operation as no answer from its host', async () => {
    vi.useFakeTimers()
    try {
      const never = () => new Promise<never>(() => {})
      const hung = { ...unconnected('simulated'), prepare: never, locate: never }
      const answers = collectAnswers(contextOf({ driverOf: async () => hung }))
      await vi.advanceTimersByTimeAsync(OPERATION_TIMEOUTS_MS.prepare + OPERATION_TIMEOUTS_MS.locate)
      expect(await answers).toEqual([
        { did: 'no-answer', why: `no answer within ${OPERATION_TIMEOUTS_MS.prepare} ms` },
        BOTH_SILENT,
      ])
    } finally {
      vi.useRealTimers()
    }
  })

  test('keeps its lease during a driver operation, and releases it afterwards', async () => {
    const kept: string[] = []
    const keepLease = ({ target }: DriverOperation) => {
      kept.push(`keep ${target}`)
      return () => void kept.push('let go')
    }
    await collectAnswers(contextOf({ keepLease }))
    expect(kept).toEqual(['keep b', 'let go', 'keep b', 'let go'])
  })

  test('ends after the operation under way when the server is stopping', async () => {
    let stopping = false
    const answers: unknown[] = []
    const tick = oneVerb((answer) => {
      answers.push(answer)
      stopping = true
    })
    await runTick(tick, contextOf({ stopping: () => stopping }))
    expect(answers).toHaveLength(1)
  })

  test('ends with an error of the database', async () => {
    function* reading(): Tick {
      yield* ask('now', {})
      return { nextAt: null }
    }
    const records = {
      now: () => Promise.reject(new Error('the database is away')),
    } as unknown as ConductorContext['records']
    await expect(runTick(reading(), contextOf({ records }))).rejects.toThrow('the database is away')
  })
})
