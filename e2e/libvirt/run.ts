import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { whyNoRig } from './prerequisites'

// npm run e2e:libvirt: runs the contracts of connections and drivers, and in parallel the console tests, each on their
// own hosts. If this machine cannot run the rig, prints the reason and exits with 0.

const CONTRACTS = ['vitest', 'run', '--config', 'vitest.rig.config.ts']
const SCENARIOS = ['playwright', 'test', '--config', 'playwright.rig.config.ts', '--project', 'libvirt']

/** Exit code and output. The output is printed at the end, because the two run at the same time. */
async function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn('npx', ['--no-install', ...words], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, code] = await Promise.all([
    text(child.stdout),
    new Promise<number>((resolve, reject) => child.once('error', reject).once('close', (end) => resolve(end ?? 1))),
  ])
  return { output, code }
}

async function main(): Promise<number> {
  const began = performance.now()
  const why = whyNoRig()
  if (why !== null) {
    console.log(`Real libvirt hosts: skipped, because ${why}.`)
    return 0
  }
  const ends = await Promise.all([run(CONTRACTS), run(SCENARIOS, { NODE_ENV: 'production' })])
  for (const { output } of ends) console.log(output)
  console.log(`Real libvirt hosts: ${Math.round((performance.now() - began) / 1000)} s.`)
  return Math.max(...ends.map(({ code }) => code))
}

process.exitCode = await main()
