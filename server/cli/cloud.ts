import { parseArgs } from 'node:util'
import { type CloudClient, openCloud } from '../cloud/client'
import { CloudError } from '../cloud/http/errors'
import { CloudMirror } from '../cloud/mirror/mirror'
import { asksForPins } from '../cloud/mirror/pins'
import { isReached, probeCloud } from '../cloud/probe'
import { loadCloud } from '../cloud/settings/find-files'
import { clockLine, jsonOf, probeLines, snapshotLines } from './cloud-texts'

// npm run cloud -- probe|snapshot: looks at an OpenStack cloud with nothing but its clouds.yaml. It sends GETs and the
// sign-in only, so the cloud stays as it is.

const USAGE = `usage: npm run cloud -- COMMAND [--cloud NAME] [--region NAME] [--file clouds.yaml] [--secure secure.yaml]
                            [--rate N] [--json] [--verbose]

  probe      What is reached, with which versions and rights, and what stays unknown
  snapshot   What the cloud says of its hosts, instances, migrations and allocations

  --cloud    Name in clouds.yaml; not needed when it has one cloud (or OS_CLOUD)
  --file     clouds.yaml; otherwise ./, ~/.config/openstack and /etc/openstack are searched (or OS_CLIENT_CONFIG_FILE)
  --secure   secure.yaml; otherwise the one beside --file, or the first in the same folders
  --rate     Most requests a second (20)
  --pins     Also read the CPUs of instances: asked (those whose flavor asks for it), all, or none (asked)
  --json     JSON in place of text
  --verbose  Each request on stderr

Exit codes: 0 all was read · 1 a part was not · 2 wrong call or file · 3 the cloud was not reached. Nothing is ever changed.`

const EXIT = { ok: 0, some: 1, call: 2, unreached: 3 } as const
const USUAL_RATE = 20
const MOST_RATE = 200

interface Order {
  readonly isJson: boolean
  readonly pins: 'asked' | 'all' | 'none'
}

type Command = (client: CloudClient, order: Order) => Promise<number>

const COMMANDS: Readonly<Record<string, Command>> = { probe, snapshot }

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  const [name = ''] = positionals
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  const rate = Number(values.rate ?? USUAL_RATE)
  const pins = PINS.find((each) => each === (values.pins ?? 'asked'))
  if (!command || positionals.length > 1)
    return refused(name ? `"${positionals.join(' ')}" is no command` : 'Name a command')
  if (!(rate >= 1 && rate <= MOST_RATE)) return refused(`--rate takes 1 to ${MOST_RATE}`)
  if (!pins) return refused(`--pins takes ${PINS.join(', ')}`)
  const choice = { cloud: values.cloud ?? null, region: values.region ?? null }
  const read = await loadCloud({ ...choice, file: values.file ?? null, secure: values.secure ?? null }, process.env)
  if (!read.ok) {
    for (const { file, key, what, fix } of read.problems)
      console.error(`${[file, key].filter(Boolean).join(': ')}: ${what}. ${fix}.`)
    return EXIT.call
  }
  if (!read.value.tls.verify && /^https/.test(read.value.authUrl))
    console.error('Warning: verify is false, so any certificate is accepted and the password can be stolen on its way.')
  const log = values.verbose ? logRequest : undefined
  const client = await openCloud(read.value, { requestsPerSecond: rate, ...(log && { log }) })
  try {
    return await command(client, { isJson: values.json ?? false, pins })
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    console.error(`${error.message}\nNothing was changed.`)
    return EXIT.unreached
  } finally {
    await client.close()
  }
}

const PINS = ['asked', 'all', 'none'] as const
const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const
const OPTIONS = {
  ...{ cloud: TEXT, region: TEXT, file: TEXT, secure: TEXT, rate: TEXT, pins: TEXT },
  ...{ json: FLAG, verbose: FLAG },
}

const logRequest: NonNullable<Parameters<typeof openCloud>[1]>['log'] = (
  { service, method, path },
  { status, elapsedMs },
) => console.error(`${service} ${method} ${path} ${status ?? 'no answer'} ${Math.round(elapsedMs)} ms`)

function refused(why: string): number {
  console.error(`${why}.\n${USAGE}`)
  return EXIT.call
}

async function probe(client: CloudClient, { isJson }: Order): Promise<number> {
  const report = await probeCloud(client)
  const now = client.now()
  const clock = now === null ? null : clockLine(now - Date.now())
  const lines = [...probeLines(report), ...(clock ? ['', clock] : []), '', countLine(client)]
  console.log(isJson ? jsonOf(report) : lines.join('\n'))
  if (!isReached(report)) return EXIT.unreached
  return report.rights === 'all' ? EXIT.ok : EXIT.some
}

async function snapshot(client: CloudClient, { isJson, pins }: Order): Promise<number> {
  const mirror = await readWhole(client, pins)
  const taken = mirror.snapshot()
  console.log(isJson ? jsonOf(taken) : [...snapshotLines(taken), '', countLine(client)].join('\n'))
  const { services, hypervisors, servers, migrations, providers } = taken
  return [services, hypervisors, servers, migrations, providers].every(({ told }) => told) ? EXIT.ok : EXIT.some
}

/** Signs in first, so that a cloud that is not reached is one error and not one for each part. */
async function readWhole(client: CloudClient, pins: Order['pins']): Promise<CloudMirror> {
  await client.token()
  const mirror = new CloudMirror(client)
  await mirror.whole()
  if (pins !== 'none') await mirror.readTopologies(pins === 'all' ? () => true : asksForPins, Number.POSITIVE_INFINITY)
  return mirror
}

function countLine(client: CloudClient): string {
  const { requests, failed, busyMs } = client.counts()
  const seconds = (busyMs / 1000).toFixed(1)
  return `${requests} requests (GET and the sign-in only), ${failed} failed, ${seconds} s of the cloud's time. Nothing was changed.`
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  // parseArgs names the option in its message.
  if (error instanceof TypeError && 'code' in error) return refused(error.message)
  throw error
})
