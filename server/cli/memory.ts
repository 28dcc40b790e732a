import { startTestServer } from '../boot/test-database'
import { parseArguments } from '../import/arguments'
import { readOrder } from '../import/read-order'
import { registerFleet } from '../import/register'
import { issueLines } from '../import/report'
import { checkMemory, type MemoryReport } from '../simulation/memory/checker'
import { runRandomFleet } from '../simulation/memory/random-fleet'
import { memoryRowsOf, readMemoryRows } from '../simulation/memory/rows'
import { connectDatabase } from '../store/database/database'
import { printedHelp, wrongCall } from './usage'

// npx tsx server/cli/memory.ts fleet|host|demo ... : imports it into a temporary database and checks that no more
// memory is claimed on a NUMA node than it has, by page size. npx tsx server/cli/memory.ts random N: the same on N random
// fleets after every step. Exit code 0: no node is overcommitted. 1: some are. 2: wrong arguments.

const USAGE = `usage: npx tsx server/cli/memory.ts random N
       npx tsx server/cli/memory.ts fleet --nodes nodes.csv --pods pods.csv
       npx tsx server/cli/memory.ts demo [--hosts 24] [--instances 200]`

async function main(words: readonly string[]): Promise<number> {
  if (printedHelp(words, USAGE)) return 0
  if (words[0] === 'random') return checkRandom(Number(words[1]))
  const understood = parseArguments(words)
  if (!understood.ok) return wrongCall(understood.why, USAGE)
  if (understood.order.what === 'hypervisor') return wrongCall('A connected host is not checked here', USAGE)
  const { value: fleet, issues } = readOrder(understood.order)
  for (const line of issueLines(issues)) console.error(line)
  if (fleet === null) return wrongCall('There is nothing to check', USAGE)
  const server = await startTestServer()
  const { url } = await server.freshDatabase()
  const database = connectDatabase({ url, onLost: (error) => console.error(error.message) })
  try {
    const { placed, unplaced } = await registerFleet(fleet, {
      database,
      adoptInstances: async () => {},
      actor: { who: 'memory', request: null, reason: null },
      at: Date.now(),
      progress: () => {},
    })
    console.log(`placed ${placed}, not placed ${unplaced.length}`)
    return printReport(checkMemory(await readMemoryRows(database)))
  } finally {
    await database.close()
    await server.stop()
  }
}

const gib = (kib: number) => Math.round(kib / 1024 / 1024)

function printReport(report: MemoryReport): number {
  const { hosts, nodes, pools, over } = report
  console.log(`hosts ${hosts}, NUMA nodes ${nodes}, page sizes on nodes ${pools}: ${over.length} overcommitted`)
  console.log(`small pages, GiB: ${gib(report.ordinaryThereKib)} total, ${gib(report.ordinaryPromisedKib)} claimed`)
  console.log(`huge pages, GiB: ${gib(report.hugeThereKib)} total, ${gib(report.hugePromisedKib)} claimed`)
  for (const each of over.slice(0, 20)) console.log(JSON.stringify(each))
  return over.length === 0 ? 0 : 1
}

function checkRandom(fleets: number): number {
  if (!(fleets > 0)) return wrongCall('random takes a number of fleets', USAGE)
  const sum = { fleets, judged: 0, over: 0, claims: 0, refused: 0, moves: 0, reverts: 0 }
  for (let seed = 1; seed <= fleets; seed++) {
    const run = runRandomFleet(seed, (hosts) => {
      const { nodes, over } = checkMemory(hosts.map(memoryRowsOf))
      sum.judged += nodes
      sum.over += over.length
      if (over.length > 0) console.log(JSON.stringify({ seed, over }))
    })
    for (const key of ['claims', 'refused', 'moves', 'reverts'] as const) sum[key] += run[key]
  }
  console.log(JSON.stringify(sum))
  return sum.over === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
