// Brings a fresh checkout to a runnable state and does only what is missing. Node built-ins only: it runs before
// node_modules exists. `node server/boot/setup.mjs` installs and generates; with `build` it also builds the console.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

const STAMPS = '.data/setup.json'

/** Inputs are hashed: a step runs again when an input changed or its output is gone. */
const STEPS = [
  {
    name: 'npm ci',
    // The lock lists the dependencies too; a new script in package.json must not cause an installation.
    inputs: ['package-lock.json'],
    makes: 'node_modules/.package-lock.json',
    // Install scripts would download engines and browsers that we never use.
    command: 'npm ci --include=dev --ignore-scripts --no-audit --no-fund --loglevel=error',
  },
  {
    name: 'prisma generate',
    inputs: ['package-lock.json', 'prisma/schema', 'prisma.config.ts'],
    makes: 'generated/prisma/client.ts',
    command: 'npx --no-install prisma generate',
  },
  {
    name: 'next build',
    onlyFor: 'build',
    inputs: [
      'package-lock.json',
      'prisma/schema',
      'next.config.ts',
      'proxy.ts',
      'tsconfig.json',
      'postcss.config.mjs',
      'app',
      'components',
      'lists',
      'forms',
      'public',
      'server',
    ],
    makes: '.next/BUILD_ID',
    command: 'npx --no-install next build',
    env: { NODE_ENV: 'production' },
  },
  {
    name: 'server bundle',
    onlyFor: 'build',
    inputs: ['package.json', 'package-lock.json', 'prisma/schema', 'tsconfig.json', 'lists', 'forms', 'server'],
    makes: 'generated/server/main.mjs',
    command: 'npx --no-install tsx server/boot/bundle.ts',
  },
]

process.chdir(path.join(import.meta.dirname, '../..'))
const quiet = {
  CHECKPOINT_DISABLE: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
// As `engines` of package.json.
if (!((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24)) {
  console.error(`Berth needs Node 20.19, 22.12, or 24 and later; this is ${process.version}.`)
  process.exit(1)
}

// All output is on standard error: the standard output of a command belongs to its caller.
const digests = new Map()
for (const step of STEPS) if (!step.onlyFor || step.onlyFor === process.argv[2]) run(step)

function run({ name, inputs, makes, command, env = {} }) {
  const key = hash(inputs)
  if (readStamps()[name] === key && fs.existsSync(makes)) return
  const started = performance.now()
  console.error(`setup: ${name} ...`)
  const stdio = ['inherit', process.stderr, 'inherit']
  const { status } = spawnSync(command, { stdio, shell: true, env: { ...process.env, ...quiet, ...env } })
  if (status !== 0) {
    console.error(`setup: ${name} failed`)
    process.exit(status ?? 1)
  }
  console.error(`setup: ${name} done in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  fs.mkdirSync(path.dirname(STAMPS), { recursive: true })
  fs.writeFileSync(STAMPS, JSON.stringify({ ...readStamps(), [name]: key }, null, 2))
}

function readStamps() {
  return fs.existsSync(STAMPS) ? JSON.parse(fs.readFileSync(STAMPS, 'utf8')) : {}
}

/** Without tests: editing one must not cause a build. */
function hash(paths) {
  const sum = createHash('sha256').update(process.version)
  for (const input of paths) sum.update(digestOf(input))
  return sum.digest('hex')
}

/** Steps share inputs, and every start reads them. */
function digestOf(input) {
  if (!digests.has(input)) {
    const sum = createHash('sha256')
    const add = (file) => {
      const stat = fs.statSync(file, { throwIfNoEntry: false })
      if (stat?.isDirectory()) for (const name of fs.readdirSync(file).sort()) add(path.join(file, name))
      else if (stat && !/\.test\.tsx?$/.test(file)) sum.update(file).update(fs.readFileSync(file))
    }
    add(input)
    digests.set(input, sum.digest())
  }
  return digests.get(input)
}
