import { clock } from '../../conductor/clock'
import { type Conductor, makeConductor } from '../../conductor/conductor'
import { knownFleet } from '../../conductor/fleet'
import { DEFAULT_OPTIONS } from '../../conductor/options'
import type { Driver } from '../../drivers/driver'
import { driversFrom } from '../../drivers/registry'
import { simulatedFleet } from '../../drivers/simulated/driver'
import { tableState } from '../../drivers/simulated/table-state'
import type { Change } from '../../engine/change'
import { Projection } from '../../fleet/projection'
import { commit } from '../../store/commit/commit'
import { connectDatabase } from '../../store/database/database'
import { EventFeed } from '../../store/event/feed'
import { startRelay } from '../../store/event/relay'
import { simulatorTable } from '../../store/simulator/simulator'
import { DEMAND_OPTIONS } from '../hardware'
import type { ProcessMessage } from '../processes'
import { serveOrders, tell } from '../serve-orders'
import type { Orders, ServerOrders } from './orders'

// A server of the simulation on PostgreSQL: conductor and drivers in one process, without the console. Waits for its
// orders with everything loaded. Can kill itself at an exact point, such as between a driver operation and the commit
// of its result, where a signal from outside would rarely hit.

const CONNECTIONS = 6
const LEASE_MS = 10_000 // on the run's fast clock: how long the migrations of a dead server wait
const LIMITS = { perSource: 3, perTarget: 3, fleet: 6 }

/** State of this server: its conductor, and how many points are left until it kills itself. */
interface Life {
  conductor: Conductor | null
  pointsLeft: number | null
  say(what: ProcessMessage): void
}

awaitOrders({ conductor: null, pointsLeft: null, say: () => {} })

function awaitOrders(life: Life): void {
  serveOrders(async (orders: Orders, say) => {
    life.say = say
    if (orders.do === 'serve') await serve(life, orders)
    else if (orders.do === 'leave') await leave(life)
    else life.pointsLeft = null
  })
}

/** A point at which this server may kill itself. */
function point(life: Life): void {
  if (life.pointsLeft === null) return
  life.pointsLeft -= 1
  if (life.pointsLeft <= 0) process.kill(process.pid, 'SIGKILL')
}

/** Wraps a function with a point before and a point after it. */
function mortal<Args extends unknown[], R>(life: Life, act: (...args: Args) => Promise<R>) {
  return async (...args: Args): Promise<R> => {
    point(life)
    const answer = await act(...args)
    point(life)
    return answer
  }
}

function mortalDriver(life: Life, driver: Driver): Driver {
  const wrapped = Object.entries(driver).map(([name, verb]) => [name, mortal(life, verb as () => Promise<unknown>)])
  return Object.fromEntries(wrapped) as Driver
}

async function serve(life: Life, orders: ServerOrders): Promise<void> {
  life.pointsLeft = orders.dieAtPoint
  const database = connectDatabase({ url: orders.databaseUrl, connections: CONNECTIONS })
  const time = clock(orders)
  const state = tableState(simulatorTable(database))
  const simulated = mortalDriver(life, simulatedFleet({ state, now: time.now, speed: orders.simulatorSpeed }))
  const fail = (what: string, error: unknown) => life.say({ is: 'failed', what: `${what}: ${tell(error)}` })
  const onFailure = (error: unknown) => fail(orders.owner, error)
  startRelay(database, onFailure)
  const feed = await EventFeed.open(database, { onFailure })
  const fleet = await Projection.open({ database, feed, onFailure })
  const send = mortal(life, (change: Change) => commit(database, change))
  life.conductor = makeConductor({
    database,
    drivers: driversFrom({ simulated }),
    clock: time,
    owner: orders.owner,
    options: async () => ({ ...DEFAULT_OPTIONS, leaseMs: LEASE_MS, limits: LIMITS, demand: DEMAND_OPTIONS }),
    concurrency: 4,
    commit: (change) => fleet.commit(change, send),
    fleet: knownFleet(fleet),
    onError: (what, error) => fail(`${orders.owner} ${what}`, error),
  })
  life.conductor.start()
}

async function leave(life: Life): Promise<void> {
  await life.conductor?.stop()
  process.exit(0)
}
