import { parseArgs } from 'node:util'
import { type CloudClient, openCloud } from '../cloud/client'
import { CloudError } from '../cloud/http/errors'
import type { RequestLog } from '../cloud/http/transport'
import { isReached, probeCloud } from '../cloud/probe'
import { loadCloud } from '../cloud/settings/find-files'
import { planRepairs } from '../engine/cloud/plan'
import { scriptOf } from '../engine/cloud/script'
import { compareCopy, copyPlacement } from './cloud-adopt'
import { type AuditOptions, readMirror, runCloudAudit } from './cloud-audit'
import { auditLines, notRead, planLines } from './cloud-finding-texts'
import { clockLine, jsonOf, probeLines, snapshotLines } from './cloud-texts'
import { printedHelp, wrongCall } from './usage'

// npm run cloud: reads an OpenStack cloud and needs only its clouds.yaml. It sends only GETs and the sign-in, so it changes
// nothing in the cloud. placement-copy writes to the Placement at --to, which must not be the one that the cloud uses.

const USAGE = `usage: npm run cloud -- probe|snapshot|audit|plan|placement-compare|placement-copy [--cloud NAME] [OPTION ...]

  probe      Services, versions and rights, and what the account cannot read
  snapshot   Counts of hosts, instances, migrations and allocations
  audit      Findings, each with the evidence from Nova and Placement
  plan       The calls that would repair them; --shell prints a script of openstack commands to review and
             run by hand (needs python-openstackclient and osc-placement)
  placement-compare, placement-copy
             Compares the Placement at --to with the one of the cloud; copies what it lacks (docs/adopt.md)

  --cloud    Name in clouds.yaml, or OS_CLOUD; not needed if the file has only one cloud
  --region   Region, if the cloud has several
  --file     clouds.yaml (default: OS_CLIENT_CONFIG_FILE, or the first in ./, ~/.config/openstack, /etc/openstack)
  --secure   secure.yaml (default: the one beside --file, or the first in the same folders)
  --rate     Maximum requests per second (20)
  --pins     Instances whose pinned CPUs are read: asked (those whose flavor requests pinning), all or none (asked)
  --wait     Seconds between the two reads of an audit (35); below 31 some checks are skipped
  --other    Consumer, consumer type or root provider that belongs to another client of Placement; repeatable
  --to       URL of a Placement API that accepts the cloud's tokens and that the cloud does not use
  --from     URL of the Placement to copy (default: the one in the catalog)
  --json     JSON instead of text
  --verbose  Log each request to stderr

Exit codes: 0 everything was read and there are no findings above info · 1 there are, or a part was not read,
            or the two Placements differ · 2 wrong arguments or file · 3 the cloud was not reached.
            No command changes the cloud; placement-copy writes to the Placement at --to.`

const EXIT = { ok: 0, some: 1, call: 2, unreached: 3 } as const
const RATE = { default: 20, min: 1, max: 200 } as const
/** The Date header has whole seconds, and two observations must differ in it. */
const WAIT_SECONDS = { default: 35, min: 2, max: 3_600 } as const
const PINS = ['asked', 'all', 'none'] as const

interface Order extends AuditOptions {
  readonly isJson: boolean
  readonly isShell: boolean
  readonly from: string | null
  readonly to: string | null
  readonly rate: number
}

type Command = (client: CloudClient, order: Order) => Promise<number>

const COMMANDS: Readonly<Record<string, Command>> = {
  ...{ probe, snapshot, audit, plan },
  'placement-compare': compare,
  'placement-copy': copy,
}

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const
const OPTIONS = {
  ...{ cloud: TEXT, region: TEXT, file: TEXT, secure: TEXT, rate: TEXT, pins: TEXT, wait: TEXT, from: TEXT, to: TEXT },
  other: { type: 'string', multiple: true },
  ...{ json: FLAG, shell: FLAG, verbose: FLAG },
} as const

async function main(args: string[]): Promise<number> {
  if (printedHelp(args, USAGE)) return EXIT.ok
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: OPTIONS })
  const [name = ''] = positionals
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command || positionals.length > 1)
    return refused(name ? `"${positionals.join(' ')}" is not a command` : 'Name a command')
  const rate = numberWithin(values.rate, RATE)
  const wait = numberWithin(values.wait, WAIT_SECONDS)
  const pins = PINS.find((each) => each === (values.pins ?? 'asked'))
  if (rate === null) return refused(`--rate must be ${RATE.min} to ${RATE.max}`)
  if (wait === null) return refused(`--wait must be ${WAIT_SECONDS.min} to ${WAIT_SECONDS.max}`)
  if (!pins) return refused(`--pins must be one of ${PINS.join(', ')}`)
  const client = await connect(values, rate)
  if (client === null) return EXIT.call
  const common = { pins, waitMs: wait * 1000, otherClients: values.other ?? [] }
  try {
    const { json: isJson = false, shell: isShell = false, from = null, to = null } = values
    return await command(client, { ...common, isJson, isShell, from, to, rate })
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    console.error(name === 'placement-copy' ? error.message : `${error.message}\nNothing was changed.`)
    return EXIT.unreached
  } finally {
    await client.close()
  }
}

function numberWithin(text: string | undefined, range: { default: number; min: number; max: number }): number | null {
  const number = Number(text ?? range.default)
  return number >= range.min && number <= range.max ? number : null
}

interface Connection {
  readonly cloud?: string
  readonly region?: string
  readonly file?: string
  readonly secure?: string
  readonly verbose?: boolean
}

/** Null if the files are invalid; the problems have been printed. */
async function connect(named: Connection, requestsPerSecond: number): Promise<CloudClient | null> {
  const { cloud = null, region = null, file = null, secure = null, verbose } = named
  const read = await loadCloud({ cloud, region, file, secure }, process.env)
  if (!read.ok) {
    for (const { file, key, what, fix } of read.problems)
      console.error(`${[file, key].filter(Boolean).join(': ')}: ${what}. To do: ${fix}.`)
    return null
  }
  if (!read.value.tls.verify && /^https/.test(read.value.authUrl))
    console.error('Warning: verify is false, so any certificate is accepted, and the password can be intercepted.')
  return openCloud(read.value, { requestsPerSecond, ...(verbose && { log: logRequest }) })
}

const logRequest: RequestLog = ({ service, method, path }, { status, elapsedMs }) =>
  console.error(`${service} ${method} ${path} ${status ?? 'no answer'} ${Math.round(elapsedMs)} ms`)

const refused = (why: string): number => wrongCall(why, USAGE)

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
  const taken = (await readMirror(client, { pins })).snapshot()
  console.log(isJson ? jsonOf(taken) : [...snapshotLines(taken), '', countLine(client)].join('\n'))
  return notRead(taken).length === 0 ? EXIT.ok : EXIT.some
}

async function audit(client: CloudClient, order: Order): Promise<number> {
  const { findings, snapshot } = await runCloudAudit(client, order)
  const audited = { at: snapshot.now, findings, notRead: notRead(snapshot) }
  console.log(order.isJson ? jsonOf(audited) : [...auditLines(findings, snapshot), countLine(client)].join('\n'))
  const isQuiet = findings.every(({ severity }) => severity === 'info')
  return isQuiet && audited.notRead.length === 0 ? EXIT.ok : EXIT.some
}

async function plan(client: CloudClient, order: Order): Promise<number> {
  const { findings, snapshot, settings } = await runCloudAudit(client, order)
  const planned = planRepairs({ findings, snapshot, settings })
  const { name, region } = client.settings
  const connection = region === null ? name : `${name} (${region})`
  if (order.isShell) console.log(scriptOf(planned, { cloud: name, connection }))
  else console.log(order.isJson ? jsonOf(planned) : [...planLines(planned), countLine(client)].join('\n'))
  return planned.steps.length === 0 && notRead(snapshot).length === 0 ? EXIT.ok : EXIT.some
}

async function compare(client: CloudClient, { to, ...order }: Order): Promise<number> {
  if (to === null) return refused(NO_TARGET)
  return (await compareCopy(client, { ...order, to })) ? EXIT.ok : EXIT.some
}

async function copy(client: CloudClient, { to, ...order }: Order): Promise<number> {
  if (to === null) return refused(NO_TARGET)
  const isEqual = await copyPlacement(client, { ...order, to })
  if (isEqual === null) return refused('--to is the Placement in the catalog of the cloud, which is never overwritten')
  return isEqual ? EXIT.ok : EXIT.some
}

const NO_TARGET = '--to must be the URL of a Placement API'

function countLine(client: CloudClient): string {
  const { requests, failed, busyMs } = client.counts()
  const seconds = (busyMs / 1000).toFixed(1)
  return `${requests} requests (GET and the sign-in only), ${failed} failed, ${seconds} s of response time. Nothing was changed.`
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  // parseArgs names the option in its message.
  if (error instanceof TypeError && 'code' in error) return refused(error.message)
  throw error
})
