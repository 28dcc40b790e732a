import { randomUUID } from 'node:crypto'
import type { RunDetail } from '../api/run/view'
import { type Api, openTestApi, type TestApi } from '../api/testing/api'
import { advanceRuns } from '../conductor/runs/advance'
import type { RunnerParts } from '../conductor/runs/parts'
import { DEFAULT_LIMITS } from '../engine/drain/plan'
import type { Host } from '../engine/host'
import { type SmallHost, smallHost } from '../engine/testing/hosts'
import { ALIASES } from '../engine/testing/instances'
import type { HostId } from '../engine/words/ids'
import { readHosts } from '../store/host/read'
import { newScenario, type Scenario, type ScenarioOptions } from './scenario'

// Scenarios about runs: requests come through the API, and the runner's rounds follow the scenario's clock.

type RunPlan = Parameters<Api['run']['plan']>[0]

export interface RunScenario {
  readonly scenario: Scenario
  readonly api: TestApi
  readonly olga: Api
  /** One round of the periodic task; it keeps no state between rounds, so any server may run the next. */
  round(): Promise<void>
  /** Plans a run, usually a drain; returns its id. */
  planned(host: HostId, ask?: Partial<RunPlan>): Promise<string>
  /** Plans and starts a run; returns its id. */
  started(host: HostId, ask?: Partial<RunPlan> & { readonly attest?: string }): Promise<string>
  read(id: string): Promise<RunDetail>
  /** Alternates rounds and conductors until the condition holds. */
  until(id: string, holds: (run: RunDetail) => boolean | Promise<boolean>): Promise<RunDetail>
  close(): Promise<void>
}

export const isOver = ({ state }: RunDetail): boolean => state === 'done' || state === 'stopped'

export const BARE: SmallHost = { cells: 1, cores: 4, threads: 1 }
export const equalHosts = (count: number, set: SmallHost): readonly Host[] =>
  Array.from({ length: count }, (_, n) => smallHost({ n: n + 1, ...set }))

export async function newRunScenario(options: ScenarioOptions): Promise<RunScenario> {
  const scenario = await newScenario(options)
  const limits = options.limits ?? DEFAULT_LIMITS
  const rules = { policy: 'spread', demand: { aliases: ALIASES }, confirmWindowMs: null, limits } as const
  const api = await openTestApi(scenario.database, { now: scenario.now, rules: async () => rules })
  const olga = api.as('operator')
  const parts: RunnerParts = {
    ...{ database: scenario.database, now: scenario.now, newId: () => randomUUID(), rules: async () => rules },
    hosts: () => readHosts(scenario.database),
  }
  const round = () => advanceRuns(parts)
  const read = async (id: string) => {
    await api.settle()
    return olga.run.byId({ id })
  }
  const planned: RunScenario['planned'] = async (host, ask) => {
    await api.settle()
    const plan = { kind: 'drain', fallback: 'cold', helpers: true, reason: 'new firmware' } as const
    return (await olga.run.plan({ ...plan, host, ...ask })).run
  }
  return {
    ...{ scenario, api, olga, round, read, planned },
    started: async (host, { attest, ...ask } = {}) => {
      const id = await planned(host, ask)
      await olga.run.start({ id, reason: 'new firmware', ...(attest === undefined ? {} : { attest }) })
      return id
    },
    until: async (id, holds) => {
      await scenario.until(async () => {
        await round()
        return holds(await read(id))
      })
      return read(id)
    },
    close: async () => {
      await api.close()
      await scenario.close()
    },
  }
}
