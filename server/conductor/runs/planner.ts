import { Worker } from 'node:worker_threads'
import type { DrainInput, DrainPlan } from '../../engine/drain/plan'
import { withTimeout } from '../../store/time/with-timeout'

// Drains are planned in worker threads: a plan checks hosts up to 60 000 times, while the server stays responsive.
// Threads are few, started on demand and kept; requests beyond the limit wait in a queue.

export interface Planner {
  /** The plan of `planDrain`. Rejects when it was aborted, took too long, or its thread died; then nothing was planned. */
  plan(ask: DrainInput, signal?: AbortSignal): Promise<DrainPlan>
  /** Ends the threads; waiting and running plans are rejected. */
  close(): Promise<void>
}

export interface PlannerOptions {
  /** How many plans run concurrently. */
  readonly threads: number
  /** Then a plan is abandoned, whether it waits for a thread or is under way. */
  readonly limitMs: number
  start(): Worker
}

/** Planning failed, not the request: the caller may retry. */
class PlanningFault extends Error {
  override readonly name = 'Fault'
}

const DEFAULTS: PlannerOptions = {
  threads: 2,
  // Eight times what a plan takes on an idle machine. A request may plan twice, and clients often wait for a minute.
  limitMs: 25_000,
  start: () => new Worker(new URL('./planner-thread.mjs', import.meta.url), { execArgv: [] }),
}

const STOP_MS = 2_000 // a thread that hangs ends with the process

interface Job {
  readonly input: DrainInput
  /** Aborted with the error that the caller gets. */
  readonly signal: AbortSignal
  readonly done: (plan: DrainPlan) => void
  readonly failed: (error: Error) => void
}

export function makePlanner(options: Partial<PlannerOptions> = {}): Planner {
  const { threads, limitMs, start } = { ...DEFAULTS, ...options }
  const idle: Worker[] = []
  const waiting: Job[] = []
  const all = new Set<Worker>()
  const under = new Set<(error: Error) => void>()
  const drop = (worker: Worker) => {
    all.delete(worker)
    if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
  }
  // A thread that dies between two requests is not an error: it is only removed.
  const keep = (worker: Worker) => {
    all.add(worker)
    worker.on('error', () => drop(worker)).on('exit', () => drop(worker))
  }
  const next = () => {
    while (idle.length > 0 || all.size < threads) {
      const job = waiting.shift()
      if (!job) return
      const worker = idle.pop() ?? start()
      if (!all.has(worker)) keep(worker)
      under.add(job.failed)
      void answered(worker, job).then((isFit) => {
        under.delete(job.failed)
        if (isFit) idle.push(worker)
        else {
          drop(worker)
          void worker.terminate()
        }
        next()
      })
    }
  }
  return {
    plan: (input, signal) => {
      if (signal?.aborted) return Promise.reject(cancelled())
      const ending = new AbortController()
      const cancel = () => ending.abort(cancelled())
      signal?.addEventListener('abort', cancel)
      const timer = setTimeout(() => ending.abort(tooLate(limitMs)), limitMs)
      const planned = new Promise<DrainPlan>((done, failed) => {
        const job = { input, signal: ending.signal, done, failed }
        // Once it has a thread, `answered` handles the abort.
        ending.signal.addEventListener('abort', () => leave(waiting, job), { once: true })
        waiting.push(job)
        next()
      })
      return planned.finally(() => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
      })
    },
    close: async () => {
      const closing = new PlanningFault('The server is stopping. Nothing was planned; try again.')
      for (const { failed } of waiting.splice(0)) failed(closing)
      for (const failed of under) failed(closing)
      await withTimeout(STOP_MS, Promise.all([...all].map((worker) => worker.terminate()))).catch(() => null)
    },
  }
}

const cancelled = () => new PlanningFault('Planning was cancelled. Nothing was planned.')
const tooLate = (limitMs: number) =>
  new PlanningFault(`Planning did not end within ${limitMs / 1000} s. Nothing was planned.`)

function leave(waiting: Job[], job: Job): void {
  const at = waiting.indexOf(job)
  if (at < 0) return
  waiting.splice(at, 1)
  job.failed(job.signal.reason)
}

/** Settles the job with the thread's answer, or with why there is none. True when the thread is fit for another. */
function answered(worker: Worker, { input, signal, done, failed }: Job): Promise<boolean> {
  return new Promise((over) => {
    const settle = (isFit: boolean, tell: () => void) => {
      worker.off('message', onPlan).off('error', onError).off('exit', onExit)
      signal.removeEventListener('abort', onAbort)
      worker.unref()
      tell()
      over(isFit)
    }
    const fails = (error: Error) => settle(false, () => failed(error))
    const onPlan = (plan: DrainPlan) => settle(true, () => done(plan))
    const onError = ({ message }: Error) => fails(died(message))
    const onExit = (code: number) => fails(died(`it ended with code ${code}`))
    const onAbort = () => fails(signal.reason)
    worker.on('message', onPlan).on('error', onError).on('exit', onExit)
    signal.addEventListener('abort', onAbort, { once: true })
    worker.ref()
    worker.postMessage(input)
  })
}

const died = (why: string) =>
  new PlanningFault(`The planner thread died: ${why}. Nothing was planned; try again, which starts a new thread.`)
