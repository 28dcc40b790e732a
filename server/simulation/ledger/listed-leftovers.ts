import { type CleanupParts, cleanLeftovers } from '../../conductor/leftovers'
import type { ConductorContext, RecordEffects } from '../../conductor/run'
import type { Driver } from '../../drivers/driver'
import type { Power } from '../../engine/power/state'
import { prove } from '../../engine/proof/proposition'
import type { MachineDriver } from '../machine-driver'
import type { Run } from '../micro-steps'
import type { SimulatedMachines } from '../simulated-machines'
import { freshId } from '../state'
import type { MemoryLedger } from './in-memory'

// Runs the conductor's clean-up of returned hosts on the ledger and the machines of a simulation.

export async function cleanListed(run: Run, ledger: MemoryLedger): Promise<void> {
  const cleaning = cleaningOn(ledger, contextOf(run, ledger), 'leftovers')
  for (const { id, status, scheduling } of ledger.hosts()) {
    const listed = ledger.remains({ host: id }).length > 0
    if (status === 'up' && (listed || scheduling === 'quarantined')) await cleanLeftovers(id, cleaning)
  }
  for (const { id, scheduling } of ledger.hosts()) {
    if (scheduling !== 'quarantined') run.state.simulatedMachines.machine(id).quarantined = false
  }
}

export function cleaningOn(ledger: MemoryLedger, context: ConductorContext, owner: string): CleanupParts {
  return {
    context,
    owner,
    lease: async () => ({ fence: 1 }),
    leftoversOf: async (host) => ledger.remains({ host }),
    recordsOf: async (leftover) => {
      const { instances, migrations, hosts } = ledger.snapshot()
      const { host, instance, migration } = leftover
      const holdings = hosts.find(({ id }) => id === host)?.holdings ?? []
      return {
        leftover,
        instance: instances.find(({ id }) => id === instance) ?? null,
        migration: migrations.find(({ id }) => id === migration) ?? null,
        active: migrations.find((each) => each.instance === instance && each.step !== 'ended') ?? null,
        claimed: holdings.some((holding) => holding.instance === instance),
      }
    },
  }
}

function contextOf({ state, overrides }: Run, ledger: MemoryLedger): ConductorContext {
  const records: RecordEffects = {
    lease: async (ask) => ledger.leaseAt({ ...ask, now: state.now }),
    view: async (ask) => ledger.view(ask),
    hosts: async () => ledger.hosts(),
    host: async (ask) => ledger.host(ask),
    candidate: async (ask) => ledger.candidate(ask),
    group: async (ask) => ledger.group(ask),
    inFlight: async (ask) => ledger.inFlight(ask),
    instance: async (ask) => ledger.instance(ask),
    commit: async (ask) => ledger.commit(ask),
    proof: async (ask) => {
      const answer = prove(ask.of)
      const delivered = overrides.answer === undefined ? answer : overrides.answer({ name: 'proof', ask }, answer)
      return delivered as typeof answer
    },
    newClaimId: async () => freshId(state, 4),
    now: async () => state.now,
    observe: async () => null,
  }
  const driver = driverOf(state.driver, state.simulatedMachines)
  return {
    records,
    driverOf: async () => driver,
    stopping: () => false,
    keepLease: () => () => {},
    onFault: () => {},
  }
}

const WHOLE = { half: false }

function driverOf(driver: MachineDriver, simulatedMachines: SimulatedMachines): Driver {
  return {
    prepare: async (driverOperation) => driver.prepare(driverOperation, WHOLE),
    transfer: async (driverOperation) => driver.transfer(driverOperation, WHOLE),
    stopTransfer: async (driverOperation) => driver.stopTransfer(driverOperation, WHOLE),
    forceTransfer: async (driverOperation) => driver.forceTransfer(driverOperation, WHOLE),
    locate: async (driverOperation) => driver.locate(driverOperation),
    runAt: async (driverOperation, side) => driver.runAt(driverOperation, side, WHOLE),
    clean: async (driverOperation, side) => driver.clean(driverOperation, side, WHOLE),
    build: async (order) => driver.build(order, WHOLE),
    destroy: async (order) => driver.destroy(order, WHOLE),
    power: async (order) => driver.power(order, WHOLE),
    survey: async (host) => {
      const { power, answers, copies } = simulatedMachines.machine(host)
      if (power !== 'on' || !answers) return null
      return copies.map(({ instance, maker, running, left, complete }) => {
        const observedState = running ? 'running' : left ? 'left' : complete ? 'stopped' : 'shell'
        const power: Power = { state: running ? 'running' : 'shutdown', reason: null }
        return { instance, migration: maker, observedState, claim: null, power }
      })
    },
  }
}
