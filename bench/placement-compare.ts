import { type Asked, Asking } from './placement-asking'

// npm run compare -- BERTH PLACEMENT [--requests N] [--seed S]: the same random requests, good and bad, at Berth's
// Placement API and at a real Placement, both empty and open to the token `admin`. Prints every kind of difference in
// status, code or body once, with an example. Exit code 1 when there is a difference.

const SHOWN = 60

interface Settings {
  readonly berth: string
  readonly placement: string
  readonly requests: number
  readonly seed: number
}

interface Answered {
  readonly status: number
  readonly code: string
  readonly body: string
  readonly marks: string
}

/** Below its first line, what a schema prints of itself is for people. */
const SCHEMA = /\s+Failed validating.*/s

async function answerOf(base: string, asked: Asked): Promise<Answered> {
  const { method, path } = asked
  const text = method === 'GET' || method === 'OPTIONS' ? undefined : (asked.raw ?? JSON.stringify(asked.body))
  // Bytes, because fetch would give a text a content type.
  const said = text === undefined ? {} : { body: Buffer.from(text) }
  const response = await fetch(base + path, { method, headers: headersOf(asked, text), ...said })
  const told = await response.text()
  const { status, headers } = response
  const marks = MARKS.map((name) => `${name}: ${markOf(headers.get(name), base)}`).join(', ')
  if (headers.get('content-type') !== 'application/json')
    return { status, code: '', body: told.replace(SCHEMA, ''), marks }
  const json = JSON.parse(told)
  const [error] = json?.errors ?? []
  if (!error) return { status, code: '', body: ordered(json), marks }
  const detail = String(error.detail).replace(SCHEMA, '')
  return { status, code: error.code ?? '', body: detail, marks }
}

function headersOf({ minor, headers }: Asked, text: string | undefined): Headers {
  const all = {
    ...{ accept: 'application/json', 'x-auth-token': 'admin', 'openstack-api-version': `placement 1.${minor}` },
    ...(text !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
  return new Headers(
    Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])) as [string, string][],
  )
}

/** Headers that clients go by, beside status and body. */
const MARKS = ['allow', 'cache-control', 'content-type', 'last-modified', 'location', 'openstack-api-version', 'vary']

function markOf(value: string | null, base: string): string {
  if (value === null) return '-'
  if (!Number.isNaN(Date.parse(value)) && value.endsWith('GMT')) return 'a time'
  return value.replace(base, '').split(', ').sort().join(', ')
}

/** Lists whose order means nothing are put into one. */
function ordered(value: unknown): string {
  const sorted = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    if (each === null || typeof each !== 'object') return each
    const entries = Object.entries(each).map(([key, inner]) => [key, sorted(inner)] as const)
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  return JSON.stringify(sorted(value))
}

interface Pair {
  readonly asked: Asked
  readonly ours: Answered
  readonly theirs: Answered
}

/** Differences that are meant, each with its reason. */
const KNOWN: readonly { readonly reason: string; readonly isIt: (pair: Pair) => boolean }[] = [
  {
    reason: 'Placement leaves `vary` out of some problems; Berth always says that the version decides',
    isIt: ({ ours, theirs }) =>
      theirs.marks.includes('vary: -') && differs({ ...ours, marks: '' }, { ...theirs, marks: '' }) === null,
  },
  {
    reason: 'Placement has no time for inventories that are none; Berth tells when it read that there are none',
    isIt: ({ ours, theirs }) =>
      theirs.body.startsWith('{"inventories":{},') &&
      ours.marks.replace('last-modified: a time', 'last-modified: -') === theirs.marks,
  },
  {
    reason: 'Placement fails over a key of a body that is no name; Berth does not',
    isIt: ({ ours, theirs }) => theirs.status === 500 && ours.status < 500,
  },
  {
    reason: 'Of two things wrong with a reshape the two tell different ones first',
    isIt: ({ asked, ours, theirs }) => asked.path === '/reshaper' && ours.status === 400 && theirs.status === 400,
  },
  {
    reason: 'Where the JSON of a body ends to be JSON is told in the words of each parser',
    isIt: ({ ours, theirs }) => ours.body.includes('Malformed JSON: ') && theirs.body.includes('Malformed JSON: '),
  },
  {
    reason: 'Of several things that are no uuid Placement tells one in the order of a set',
    isIt: ({ ours, theirs }) =>
      ours.body.includes('to contain valid UUID(s)') && theirs.body.includes('to contain valid UUID(s)'),
  },
  {
    reason:
      'Placement leaves a consumer without allocations behind when a claim is refused or empty, and then wants its generation 0; Berth does not',
    isIt: ({ theirs }) => theirs.body.includes('consumer generation conflict - expected 0 but got'),
  },
  {
    reason: 'Placement shows the statement its database refused; Berth says what happened',
    isIt: ({ ours, theirs }) => ours.status === theirs.status && theirs.body.includes('IntegrityError'),
  },
  {
    reason: 'Berth looks at all names before it searches; Placement may find nothing before it meets the wrong one',
    isIt: ({ ours, theirs }) =>
      ours.body.includes('No such ') &&
      ['{"allocation_requests":[],"provider_summaries":{}}', '{"resource_providers":[]}'].includes(theirs.body),
  },
  {
    reason:
      'Of several names that do not exist, or classes without inventory, Placement tells them in the order of a set',
    isIt: ({ ours, theirs }) =>
      ours.status === theirs.status &&
      ours.body !== theirs.body &&
      (letters(ours.body) === letters(theirs.body) ||
        (ours.body.includes('No such trait') && theirs.body.includes('No such trait'))),
  },
  {
    reason: 'Of two things wrong with a body at equal depth, the two validators may tell different ones',
    isIt: ({ ours, theirs }) =>
      ours.body.includes('JSON does not validate: ') && theirs.body.includes('JSON does not validate: '),
  },
]
const letters = (text: string) => [...text].sort().join('')

/** A refused or empty claim may leave a consumer behind in Placement; it is not asked of again. */
function leavesConsumer({ method, path, body }: Asked, theirs: Answered): boolean {
  if (!(path.startsWith('/allocations') || path === '/reshaper') || method === 'GET' || method === 'DELETE')
    return false
  return theirs.status !== 204 || JSON.stringify(body ?? null).includes('"allocations":{}')
}

/** What the two might not agree on is given back on both sides. */
async function part({ berth, placement }: Settings, asking: Asking, asked: Asked): Promise<void> {
  const consumers = asked.path.match(/^\/allocations\/(.+)/)?.slice(1) ?? consumersIn(asked)
  for (const consumer of consumers) {
    const remove: Asked = { method: 'DELETE', path: `/allocations/${consumer}`, minor: 39 }
    await Promise.all([answerOf(berth, remove), answerOf(placement, remove)])
    asking.replace(consumer)
  }
}

function consumersIn({ path, body }: Asked): readonly string[] {
  const consumers = path === '/reshaper' ? (body as { allocations?: unknown } | null)?.allocations : body
  return consumers !== null && typeof consumers === 'object' ? Object.keys(consumers) : []
}

function differs(ours: Answered, theirs: Answered): keyof Answered | null {
  return (['status', 'code', 'body', 'marks'] as const).find((each) => ours[each] !== theirs[each]) ?? null
}

async function compare(settings: Settings): Promise<number> {
  const { berth, placement, requests, seed } = settings
  const asking = new Asking(seed)
  const kinds = new Map<string, { count: number; example: string }>()
  const known = new Map<string, number>()
  const statuses = new Map<number, number>()
  for (let index = 0; index < requests; index++) {
    const asked = asking.next()
    const [ours, theirs] = [await answerOf(berth, asked), await answerOf(placement, asked)]
    statuses.set(theirs.status, (statuses.get(theirs.status) ?? 0) + 1)
    if (leavesConsumer(asked, theirs)) await part(settings, asking, asked)
    const what = differs(ours, theirs)
    if (what === null) continue
    const pair = { asked, ours, theirs }
    const reason = KNOWN.find(({ isIt }) => isIt(pair))?.reason
    if (reason !== undefined) {
      known.set(reason, (known.get(reason) ?? 0) + 1)
      continue
    }
    const route = asked.path.replace(/\?.*/, '').replaceAll(/[0-9a-f-]{36}/g, '{id}')
    const kind = `${what} ${asked.method} ${route} ${ours.status}/${theirs.status}`
    const example = `#${index} 1.${asked.minor} ${asked.path} ${JSON.stringify(asked.headers ?? {})} ${asked.raw ?? JSON.stringify(asked.body) ?? ''}\n  ours   ${told(ours)}\n  theirs ${told(theirs)}`
    const before = kinds.get(kind)
    kinds.set(kind, { count: (before?.count ?? 0) + 1, example: before?.example ?? example })
  }
  const different = [...kinds.values()].reduce((sum, { count }) => sum + count, 0)
  for (const [kind, { count, example }] of [...kinds].slice(0, SHOWN)) console.log(`${count} × ${kind}\n  ${example}`)
  for (const [reason, count] of known) console.log(`${count} known: ${reason}`)
  const spread = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  console.log(`${requests} requests with seed ${seed}, ${different} different. Placement answered ${spread.join(', ')}`)
  return different === 0 ? 0 : 1
}

const told = ({ code, body, marks }: Answered) => `${code} ${body}\n         ${marks}`

function settingsOf([berth, placement, ...options]: readonly string[]): Settings {
  if (!berth || !placement) throw new Error('usage: npm run compare -- BERTH PLACEMENT [--requests N] [--seed S]')
  const option = (name: string, otherwise: number) => {
    const at = options.indexOf(name)
    return at < 0 ? otherwise : Number(options[at + 1])
  }
  return { berth, placement, requests: option('--requests', 5_000), seed: option('--seed', 1) }
}

process.exitCode = await compare(settingsOf(process.argv.slice(2)))
