import { setTimeout as pause } from 'node:timers/promises'
import { InvalidArgumentError } from 'commander'
import type { OutputOf } from './client'
import { ExitCode, Failure, failed } from './failure'
import type { Session } from './session'

// --wait: polls until the operation ends, and prints each change once.

type Migration = OutputOf<'migration.byId'>

const POLL_INTERVAL_MS = 1_000
/** A server that restarts, or a proxy that changes to another one, needs less. */
const OUTAGE_LIMIT_MS = 120_000

export interface WaitOptions {
  /** Seconds; 0: no limit. */
  readonly timeout: number
}

export interface MigrationsWait extends WaitOptions {
  /** Also ends when the migration awaits confirm or revert, because it does not continue without an operator. */
  readonly orConfirmation: boolean
}

export async function waitForMigrations(
  session: Session,
  ids: readonly string[],
  { timeout, orConfirmation }: MigrationsWait,
): Promise<readonly Migration[]> {
  return Promise.all(
    ids.map((id) =>
      until(session, { timeout, what: `migration ${id}` }, async () => {
        const migration = await session.call('migration.byId', { id })
        const isOver = migration.outcome !== null || (orConfirmation && migration.waiting?.for === 'person')
        return { answer: migration, isOver, line: `${migration.instance.name}: ${stepText(migration)}` }
      }),
    ),
  )
}

export async function waitForRun(
  session: Session,
  id: string,
  { timeout }: WaitOptions,
): Promise<OutputOf<'run.byId'>> {
  return until(session, { timeout, what: `run ${id}` }, async () => {
    const run = await session.call('run.byId', { id })
    const { state, done, failed, total } = run
    const isOver = state === 'done' || state === 'stopped'
    return {
      answer: run,
      isOver,
      line: `${run.host.name}: ${state}, ${bar(done, total)} ${done} of ${total}, ${failed} failed`,
    }
  })
}

/** Fails if a migration has another outcome than the requested one. */
export function mustHaveEnded(migrations: readonly Migration[], wanted: readonly string[]): void {
  const others = migrations.filter(({ outcome }) => outcome !== null && !wanted.includes(outcome))
  if (others.length === 0) return
  const lines = others.map(({ id, instance, outcome }) => `${instance.name}: ${outcome} (migration ${id})`)
  throw new Failure(ExitCode.ended, lines.join('\n'))
}

type StepStatus = Pick<Migration, 'step' | 'outcome' | 'waiting' | 'progress' | 'direction'>

export function stepText({ step, outcome, waiting, progress, direction }: StepStatus): string {
  if (outcome !== null) return outcome
  if (waiting?.for === 'person') return 'awaiting confirm or revert'
  const back = direction === 'source' ? ', rolling back' : ''
  const waits = waiting ? `, waiting for ${waiting.for}` : ''
  const left = step === 'transfer' && progress ? `, ${Math.ceil(progress.remainingBytes / MIB)} MiB remaining` : ''
  return `${step}${left}${back}${waits}`
}

const MIB = 1024 * 1024
const WIDTH = 20

/** Only for amounts that never decrease. */
function bar(done: number, total: number): string {
  const full = total > 0 ? Math.round((done / total) * WIDTH) : WIDTH
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}]`
}

interface Poll<T> {
  readonly answer: T
  readonly isOver: boolean
  readonly line: string
}

async function until<T>(
  session: Session,
  { timeout, what }: WaitOptions & { readonly what: string },
  poll: () => Promise<Poll<T>>,
): Promise<T> {
  const began = performance.now()
  let printed = ''
  for (;;) {
    const leftMs = timeout > 0 ? timeout * 1_000 - (performance.now() - began) : OUTAGE_LIMIT_MS
    const { answer, isOver, line } = await throughOutages(session, poll, Math.min(leftMs, OUTAGE_LIMIT_MS))
    if (line !== printed) session.note(line)
    printed = line
    if (isOver) return answer
    if (timeout > 0 && performance.now() - began > timeout * 1_000) {
      throw new Failure(ExitCode.timeout, `Still in progress after ${timeout} s: ${what}. Nothing was stopped.`)
    }
    await pause(POLL_INTERVAL_MS)
  }
}

/** The operation goes on while Berth does not answer, so the command goes on as well. */
export async function throughOutages<T>(
  session: Pick<Session, 'note'>,
  ask: () => Promise<T>,
  limitMs = OUTAGE_LIMIT_MS,
): Promise<T> {
  const began = performance.now()
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await ask()
    } catch (error) {
      const isOutage = error instanceof Failure && error.code === ExitCode.unreachable
      if (!isOutage) throw error
      const [what = ''] = error.message.split('\n')
      if (performance.now() - began > limitMs) {
        const next = 'Check BERTH_URL and the network, and watch it again when Berth answers.'
        throw failed(ExitCode.unreachable, { what, notChanged: 'Nothing was stopped.', next })
      }
      if (isFirst) session.note(`${what} Trying again.`)
      await pause(POLL_INTERVAL_MS)
    }
  }
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('expected a whole number, at least 1')
  return Number(text)
}

export function seconds(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('expected a number of seconds, 0 for no limit')
  return Number(text)
}
