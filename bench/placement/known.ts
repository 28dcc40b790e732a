import { routeOf } from './coverage'
import type { PlacementRequest } from './random-requests'

// The known differences between Berth's Placement API and a real Placement. Each matches only its route, the two
// statuses, the code and the shape of both bodies. docs/placement-differences.md explains them.

export interface NormalizedResponse {
  readonly status: number
  /** The error code, since 1.23. */
  readonly code: string
  /** JSON with sorted lists, or the detail of an error. */
  readonly body: string
  /** Headers that clients depend on. */
  readonly marks: Readonly<Record<string, string>>
}

export interface Pair {
  readonly asked: PlacementRequest
  readonly ours: NormalizedResponse
  readonly theirs: NormalizedResponse
}

interface KnownDifference {
  readonly name: string
  /** Matches `PUT /traits/{name}`, for example. */
  readonly route: RegExp
  /** Berth's status, then Placement's: `400/500`. */
  readonly statuses: readonly string[]
  readonly isIt: (pair: Pair) => boolean
}

/** More digits than a JavaScript number can hold. */
const DIGITS = '12345678901234567890'
const INVENTORIES = /^(GET|PUT) .*inventories$/
const CLAIMS = /^(PUT|POST) .(allocations|reshaper)/

/**
 * When a PUT or POST takes a consumer off a provider, Berth also increments the generation of that provider. Checked
 * after each write.
 */
export const OLD_PROVIDER = 'old-provider-raised'

/** An older Placement refuses what Berth accepts. Afterwards the two hold different things. */
export const OVER_CAPACITY = 'over-capacity'

/** In concurrent claims, a loser deletes the consumer in Placement while the winner's allocations stay. */
export const LOST_CONSUMER = 'lost-consumer'

/** Of concurrent writes, Placement lets two win at one generation, or fails with a deadlock. */
export const LOST_RACE = 'lost-race'

export const KNOWN: readonly KnownDifference[] = [
  {
    name: LOST_RACE,
    route: /^(PUT|POST) /,
    statuses: ['200/200', '201/201', '204/204', '204/409', '200/409', '201/409', '400/400', '409/404', '409/409'],
    isIt: ({ asked, ours, theirs }) => {
      const [mine = [], other = []] = [ours, theirs].map(({ body }) => body.split(', '))
      const isTally =
        mine.length > 1 && mine.length === other.length && mine.every((each) => /^\d{3} [a-z._]*$/.test(each))
      const wins = mine.filter((each) => /^2\d\d /.test(each)).length
      // Without a generation every writer may succeed, one after the other. The same applies to a write that claims
      // nothing.
      const sentBody = JSON.stringify(asked.body) ?? ''
      const isGuarded =
        asked.method === 'POST' || (/_generation"/.test(sentBody) && !sentBody.startsWith('{"allocations":{},'))
      return isTally && !ours.body.includes('500 ') && (wins <= 1 || !isGuarded)
    },
  },
  {
    // Detected from what the two hold after a race, never from the responses.
    name: LOST_CONSUMER,
    route: /^PUT .allocations.{consumer_uuid}$/,
    statuses: [],
    isIt: () => false,
  },
  {
    name: 'service-by-default',
    route: /./,
    statuses: ['403/200', '403/201', '403/204', '403/400', '403/404', '403/409'],
    isIt: ({ asked, ours }) =>
      /(^|,)service(,|$)/.test(asked.headers?.['x-roles'] ?? '') && ours.body.includes('Policy does not allow'),
  },
  {
    name: OVER_CAPACITY,
    route: /^(PUT .allocations.{consumer_uuid}|POST .(allocations|reshaper))$/,
    statuses: ['204/409'],
    isIt: ({ theirs }) => /The requested amount would exceed the capacity/.test(theirs.body),
  },
  {
    name: 'older-traits',
    route: /^GET .traits$/,
    statuses: ['200/200'],
    isIt: (pair) =>
      sameBut('last-modified', { ...pair, ours: { ...pair.ours, body: pair.theirs.body } }) && hasMoreTraits(pair),
  },
  {
    name: 'vary',
    route: /./,
    statuses: ['400/400', '403/403', '404/404'],
    isIt: ({ ours, theirs }) =>
      theirs.marks.vary === '-' && sameBut('vary', { ours, theirs }) && ours.marks.vary === 'openstack-api-version',
  },
  {
    name: 'no-time-of-nothing',
    route: INVENTORIES,
    statuses: ['200/200'],
    isIt: ({ ours, theirs }) =>
      theirs.body.startsWith('{"inventories":{},') &&
      theirs.marks['last-modified'] === '-' &&
      sameBut('last-modified', { ours, theirs }),
  },
  {
    name: 'type-of-nothing',
    route: /^HEAD /,
    statuses: ['404/404', '405/405'],
    isIt: ({ ours, theirs }) => ours.body === '' && sameBut('content-type', { ours, theirs }),
  },
  {
    name: 'left-behind',
    route: /^PUT .allocations.{consumer_uuid}$/,
    statuses: ['204/409'],
    isIt: ({ asked, theirs }) =>
      JSON.stringify(asked.body).startsWith('{"allocations":{},"consumer_generation":null') &&
      theirs.body.includes('consumer generation conflict - expected 0 but got None'),
  },
  {
    name: 'no-json',
    route: /^(PUT|POST) /,
    statuses: ['400/400'],
    isIt: ({ ours, theirs }) => both({ ours, theirs }, 'Malformed JSON: '),
  },
  {
    name: 'no-number',
    route: /^(PUT|POST) /,
    statuses: ['400/400'],
    isIt: ({ asked, ours }) => ours.body.includes('Malformed JSON: ') && /NaN|Infinity/.test(String(asked.raw)),
  },
  {
    name: 'digits',
    route: /^(PUT|POST) /,
    statuses: ['400/400', '409/409'],
    isIt: ({ asked, ours, theirs }) =>
      String(asked.raw).includes(DIGITS) && ours.code === theirs.code && both({ ours, theirs }, DIGITS.slice(0, 16)),
  },
  {
    name: 'set-of-suffixes',
    route: /^GET .allocation_candidates$/,
    statuses: ['400/400'],
    isIt: (pair) =>
      (both(pair, 'Real suffixes should be specified in `same_subtree`') ||
        both(pair, 'Resourceless suffixed group request should be specified in `same_subtree`')) &&
      sameWords(pair),
  },
  {
    name: 'set-of-uuids',
    route: /^GET .(allocation_candidates|resource_providers)$/,
    statuses: ['400/400'],
    isIt: ({ ours, theirs }) => ours.code === theirs.code && both({ ours, theirs }, 'to contain valid UUID(s). Got: '),
  },
  {
    name: 'reshaped-class-first',
    route: /^POST .reshaper$/,
    statuses: ['400/400', '400/409'],
    isIt: ({ ours, theirs }) =>
      ours.body.includes('malformed reshaper data: No such resource class') &&
      /consumer generation conflict|Allocation for resource provider .* that does not exist/.test(theirs.body),
  },
  {
    name: 'reader-of-usages',
    route: /^GET .usages$/,
    statuses: ['403/200', '403/400'],
    isIt: ({ asked, ours }) =>
      /reader/.test(asked.headers?.['x-roles'] ?? '') && ours.body.includes('Policy does not allow placement:usages'),
  },
  {
    name: 'set-of-traits',
    route: /^(GET|PUT) /,
    statuses: ['400/400'],
    isIt: (pair) => both(pair, 'No such trait') && sameWords(pair),
  },
  {
    name: 'entities',
    route: /^(GET|PUT|POST|DELETE) /,
    statuses: ['400/400', '404/404', '409/409'],
    isIt: ({ asked, ours, theirs }) =>
      asked.headers?.accept === 'text/html' && ours.body !== theirs.body && ours.body === characters(theirs.body),
  },
  {
    name: 'classes-given-back',
    route: /^POST .(allocations|reshaper)$/,
    statuses: ['409/409'],
    isIt: (pair) => both(pair, 'Unable to allocate inventory: Inventory for ') && differsInClasses(pair),
  },
  {
    name: 'added-up-first',
    route: /^POST .(allocations|reshaper)$/,
    statuses: ['409/409'],
    isIt: ({ ours, theirs }) =>
      ours.code === theirs.code &&
      /The requested amount would exceed the capacity/.test(ours.body) &&
      /Inventory for '[^']*' on resource provider '[^']*' invalid/.test(theirs.body),
  },
  {
    name: 'set-of-providers',
    route: CLAIMS,
    statuses: ['409/409'],
    isIt: (pair) => both(pair, 'Unable to allocate inventory: Inventory for ') && sameWords(pair),
  },
  {
    name: 'nul',
    route: /^GET /,
    statuses: ['400/200', '400/204', '400/400', '400/404'],
    isIt: ({ asked, ours }) => asked.path.includes('%00') && ours.body.includes('The URL contains the character NUL'),
  },
  {
    name: 'no-inventory',
    route: /^PUT .resource_providers.{uuid}.inventories$/,
    statuses: ['400/500'],
    isIt: ({ ours, theirs }) =>
      /No such resource class [a-z]/.test(ours.body) && theirs.body.includes("'int' object is not iterable"),
  },
  {
    name: 'half-pair',
    route: /^(PUT|POST) /,
    statuses: ['400/500'],
    isIt: ({ asked, ours }) => Boolean(asked.raw?.includes('\\ud800')) && ours.body.includes('half a surrogate pair'),
  },
  {
    name: 'scope-of-the-system',
    route: /^GET /,
    statuses: ['403/200', '403/204', '403/400', '403/404'],
    isIt: ({ asked, ours }) =>
      asked.headers?.['openstack-system-scope'] !== undefined && ours.body.includes('Policy does not allow'),
  },
  {
    name: 'statement',
    route: /^POST .resource_providers.{uuid}.inventories$/,
    statuses: ['409/409'],
    isIt: ({ ours, theirs }) =>
      ours.code === theirs.code &&
      ours.body.includes('Another thread concurrently updated') &&
      /IntegrityError\) \(1062, ("|&quot;)Duplicate entry/.test(theirs.body),
  },
  {
    name: 'bytes-of-path',
    route: /./,
    statuses: ['400/400', '404/404'],
    isIt: ({ asked, ours, theirs }) =>
      /%[89a-f][0-9a-f]/i.test(asked.path) &&
      ours.code === theirs.code &&
      ascii(ours.body) === ascii(characters(theirs.body)),
  },
  {
    name: 'summed-in-place',
    route: /^GET .allocation_candidates$/,
    statuses: ['200/200'],
    isIt: ({ asked, ours, theirs }) =>
      !asked.path.includes('group_policy=none') &&
      isAmong(shapesOf(theirs.body), shapesOf(ours.body)) &&
      mostOf(ours.body) < mostOf(theirs.body),
  },
  {
    name: 'picked-by-limit',
    route: /^GET .allocation_candidates$/,
    statuses: ['200/200'],
    isIt: ({ asked, ours, theirs }) =>
      /[?&]limit=(\d|%3\d)/.test(asked.path) && candidatesIn(ours.body).length === candidatesIn(theirs.body).length,
  },
  {
    name: 'nothing-before-name',
    route: /^GET .(allocation_candidates|resource_providers)$/,
    statuses: ['400/200'],
    isIt: ({ ours, theirs }) =>
      /No such (resource class|trait)/.test(ours.body) &&
      ['{"allocation_requests":[],"provider_summaries":{}}', '{"resource_providers":[]}'].includes(theirs.body),
  },
]

/** All traits of Placement, and standard traits from a later list. */
function hasMoreTraits({ ours, theirs }: Both): boolean {
  const [mine, other] = [ours, theirs].map(({ body }) => (JSON.parse(body) as { traits: string[] }).traits)
  const more = mine?.filter((each) => !other?.includes(each)) ?? []
  return Boolean(other?.every((each) => mine?.includes(each))) && more.every((each) => !each.startsWith('CUSTOM_'))
}

const AMOUNT = /("[A-Z0-9_]+":)(\d+)/g
const candidatesIn = (body: string): readonly unknown[] => JSON.parse(body).allocation_requests
/**
 * Which provider serves which group in each candidate, and all providers. Ignores amounts, because candidates with
 * equal sums are listed once.
 */
function shapesOf(body: string): ReadonlySet<string> {
  const { allocation_requests: requests, ...rest } = JSON.parse(body.replaceAll(AMOUNT, '$10'))
  return new Set([...requests.map((each: unknown) => JSON.stringify(each)), JSON.stringify(rest)])
}
const isAmong = (few: ReadonlySet<string>, many: ReadonlySet<string>) => [...few].every((each) => many.has(each))
/** The largest sum of amounts in one candidate. */
const mostOf = (body: string) =>
  Math.max(0, ...candidatesIn(body).map((each) => sumOf([...JSON.stringify(each).matchAll(AMOUNT)])))
const sumOf = (found: readonly RegExpMatchArray[]) => found.reduce((sum, [, , amount]) => sum + Number(amount), 0)

/** `&#201;` is É. */
const characters = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
/** The same providers, with some of the classes, or with more. */
function differsInClasses({ ours, theirs }: Both): boolean {
  const [, mine = '', its = ''] = ours.body.match(CLASSES) ?? []
  const [, other = '', same = ''] = theirs.body.match(CLASSES) ?? []
  const [few, many] = [mine.split(', '), other.split(', ')].sort((a, b) => a.length - b.length)
  return words(its) === words(same) && (few ?? []).every((each) => many?.includes(each))
}
const CLASSES = /Inventory for '([^']*)' on resource provider '([^']*)'/
/** Python shows control characters as `\x89`. */
const ascii = (text: string) => text.replaceAll(/%[0-9a-f]{2}|\\x[0-9a-f]{2}|[^ -~]/gi, '')
type Both = Pick<Pair, 'ours' | 'theirs'>

const both = ({ ours, theirs }: Both, text: string) => ours.body.includes(text) && theirs.body.includes(text)
const words = (text: string) =>
  text
    .replaceAll('&#x27;', "'")
    .split(/[\s,'[\]]+/)
    .sort()
    .join(' ')
/** Everything but the order of the words is equal. */
const sameWords = ({ ours, theirs }: Both) =>
  words(ours.body) === words(theirs.body) && differing({ ours: { ...ours, body: theirs.body }, theirs }).length === 0

/** Everything but one mark is equal. */
function sameBut(mark: string, { ours, theirs }: Both): boolean {
  const marks = { ...ours.marks, [mark]: theirs.marks[mark] ?? '-' }
  return differing({ ours: { ...ours, marks }, theirs }).length === 0
}

/** What differs: status, code, body, names of marks. */
export function differing({ ours, theirs }: Both): readonly string[] {
  const parts = (['status', 'code', 'body'] as const).filter((part) => ours[part] !== theirs[part])
  return [...parts, ...Object.keys(ours.marks).filter((mark) => ours.marks[mark] !== theirs.marks[mark])]
}

export function knownOf(pair: Pair): string | null {
  const { asked, ours, theirs } = pair
  const route = `${asked.method} ${routeOf(asked)}`
  const statuses = `${ours.status}/${theirs.status}`
  const known = KNOWN.find((each) => each.statuses.includes(statuses) && each.route.test(route) && each.isIt(pair))
  return known?.name ?? null
}
