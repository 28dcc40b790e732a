import { startTestServer } from '../boot/test-database'
import { readRemains } from '../store/host-facts'
import { readSnapshot } from '../store/snapshot'
import { anyDeed } from './postgres-deeds'
import { makeServers } from './postgres-fork'
import { holdsNow } from './postgres-laws'
import { settle } from './postgres-settle'
import { makeWorld, SIMULATOR_SPEED, SPEED } from './postgres-world'

const t = () => Math.round(performance.now())
const server = await startTestServer()
const servers = makeServers(2, (w) => console.log('ERR', w.slice(0, 600)))
const seed = Number(process.argv[2] ?? 1)
let t0 = t()
const fresh = await server.freshDatabase()
console.log('db', t() - t0)
t0 = t()
const world = await makeWorld(fresh.url, seed)
console.log('world', t() - t0)
t0 = t()
const crew = []
for (let n = 0; n < 2; n++)
  crew.push(
    await servers.start({
      databaseUrl: fresh.url,
      owner: `s${n}`,
      since: world.since,
      speed: SPEED,
      simulatorSpeed: SIMULATOR_SPEED,
      dieAtPoint: null,
    }),
  )
console.log('crew', t() - t0)
t0 = t()
let deeds = 0
for (let i = 0; i < 60; i++) {
  const a = t()
  await anyDeed(world)
  deeds += t() - a
  await new Promise((r) => setTimeout(r, world.chance.below(25)))
}
console.log('live', t() - t0, 'deeds', deeds)
t0 = t()
console.log('now', JSON.stringify(await holdsNow(world)), t() - t0)
t0 = t()
console.log('settle', JSON.stringify(await settle(world)), t() - t0)
const s = await readSnapshot(world.database)
console.log(JSON.stringify(s.migrations.map((m) => [m.operation, m.step, m.outcome, m.cause?.message])))
console.log(
  JSON.stringify(s.hosts.map((h) => [h.name, h.truth, h.admission, h.remains])),
  JSON.stringify(await readRemains(world.database)),
)
if (s.hosts.some((h) => h.admission !== 'open')) console.log(JSON.stringify(await world.fleet.everyCopy()))
await Promise.all(
  crew.map((c) => {
    c.kill()
    return c.gone
  }),
)
await servers.stop()
await world.database.close()
await fresh.drop()
await server.stop()
