import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type CpuProfile, flameGraph } from '../flame-graph'
import { startProductionBerth } from '../production-berth'
import { loadOf, PlacementLoad } from './load'

// npx tsx bench/placement/flame.ts [file.svg]: where the server spends its time while eight clients of the Placement
// API claim, migrate (two consumers in one POST) and read usages. PostgreSQL's own time is not included.

const ROOT = path.join(import.meta.dirname, '../..')
const OUT = path.join(ROOT, 'docs/placement-speed.svg')
const PROVIDERS = 300
const WARM_REQUESTS = 600
const REQUESTS = 1_500
const PHASES = /, 8 clients$/

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-flame-'))
const berth = await startProductionBerth(['--cpu-prof', `--cpu-prof-dir=${directory}`])
const load = new PlacementLoad(berth.placement)
let from = 0
try {
  await load.makeProviders(PROVIDERS)
  const phases = load.phases().filter(({ name }) => PHASES.test(name))
  const ask = async (requests: number) => {
    for (const { run } of phases) {
      await run(requests, async (clients, many, send) => void (await loadOf(clients, many, send)))
    }
  }
  await ask(WARM_REQUESTS)
  from = Number(process.hrtime.bigint() / 1000n)
  await ask(REQUESTS)
} finally {
  load.close()
  await berth.stop()
}
const profiles = fs.readdirSync(directory).map((name) => path.join(directory, name))
// Worker threads write separate profiles; the server's is the largest.
const [file] = profiles.sort((a, b) => fs.statSync(b).size - fs.statSync(a).size)
if (!file) throw new Error('the server left no profile')
const profile = JSON.parse(fs.readFileSync(file, 'utf8')) as CpuProfile
const title = `Placement API, 8 clients: ${REQUESTS} claims, migrations and usages each`
const out = process.argv[2] ?? OUT
fs.writeFileSync(out, flameGraph(profile, { title, from, root: ROOT }))
fs.rmSync(directory, { recursive: true })
console.log(`wrote ${path.relative(process.cwd(), out)}`)
