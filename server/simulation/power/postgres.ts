import { randomUUID } from 'node:crypto'
import { makeSnapshotCache } from '../../audit/memory'
import { audit } from '../../engine/audit'
import { demandOf } from '../../engine/demand'
import { smallHost } from '../../engine/testing/hosts'
import { ALIASES, flavor, pinned } from '../../engine/testing/instances'
import type { MigrationId } from '../../engine/words/ids'
import { newScenario, type Scenario } from '../../scenarios/scenario'
import { readSnapshot } from '../../store/audit/records'
import { commit } from '../../store/commit/commit'
import { readInstanceView } from '../../store/migration/view'
import { Chance } from '../chance'
import { type PowerFixture, type PowerReport, runPowerCuts, ZERO } from './run'

// A run on the real store: conductor, stored surveys and the snapshot that the periodic audit reads, on PostgreSQL,
// with the simulated fleet in its table.

/** Requires that the test server has been started. */
export async function runOnPostgres(seed: number, migrations: number): Promise<PowerReport> {
  const chance = new Chance(seed)
  const shape = { cells: 1, cores: 8, threads: 1, shared: 4, memoryMib: 65_536 }
  const hosts = Array.from({ length: 3 + chance.below(2) }, (_, n) => smallHost({ n: n + 1, ...shape }))
  const scenario = await newScenario({ hosts, confirmWindowMs: 5_000, observes: true })
  try {
    const instances = 4 + chance.below(4)
    for (let n = 0; n < instances; n++) {
      const id = await scenario.operators.build({ flavor: chance.permille(500) ? pinned(1) : flavor(1) })
      if (id !== null) await scenario.until(async () => (await scenario.instance(id)).vmState === 'active')
    }
    return await runPowerCuts(seed, { fixture: fixtureOf(scenario, hosts), chance, counts: { ...ZERO } }, migrations)
  } finally {
    await scenario.close()
  }
}

function fixtureOf(scenario: Scenario, hosts: readonly ReturnType<typeof smallHost>[]): PowerFixture {
  const { database, fleet, now } = scenario
  const memory = makeSnapshotCache({
    ...{ database, now },
    fleet: { hosts: () => [], adopt: () => {} },
    forest: { audited: async () => [] },
  })
  const demandFor = (of: Parameters<Parameters<typeof audit>[1]>[0]) => {
    const result = demandOf(of.flavor, of.image, { aliases: ALIASES })
    return result.ok ? result.demand : null
  }
  return {
    ...{ fleet, now, pass: scenario.pass, hosts: hosts.map(({ id }) => id) },
    survey: () => {
      scenario.advanceClock(1)
      return scenario.survey()
    },
    commit: async (change) => (await commit(database, change)).ok,
    instance: (id) => readInstanceView(database, id),
    snapshot: () => readSnapshot(database),
    audited: async () => audit((await memory.read({ cold: true })).snapshot, demandFor),
    newMigration: () => randomUUID() as MigrationId,
    flavors: [flavor(1), flavor(2), pinned(1), pinned(2)],
    // `simulate --postgres` kills server processes.
    killServer: () => false,
  }
}
