import { beforeEach, expect } from 'vitest'
import { newScenario, type Scenario, type ScenarioOptions } from './scenario'

/**
 * A new scenario for each test of a file, which must end without findings unless `mayEndWrong`. It is empty until the
 * first test, so use and destructure it only inside tests and hooks.
 */
export function onEachScenario(options: ScenarioOptions, { mayEndWrong = false } = {}): Scenario {
  const scenario = {} as Scenario
  beforeEach(async () => {
    Object.assign(scenario, await newScenario(options))
    return async () => {
      if (!mayEndWrong) expect(await scenario.findings()).toEqual([])
      await scenario.close()
    }
  })
  return scenario
}
