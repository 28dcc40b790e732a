import {
  postConsumers,
  putConsumer,
  removeConsumer,
  showConsumer,
  showProviderAllocations,
} from './allocation/allocations'
import { reshape } from './allocation/reshaper'
import { showProviderUsages, showUsages } from './allocation/usages'
import type { Right } from './caller/caller'
import { showCandidates } from './candidate/candidates'
import { putAggregates, showAggregates } from './provider/aggregates'
import {
  postInventory,
  putInventories,
  putInventory,
  removeInventories,
  removeInventory,
  showInventories,
  showInventory,
} from './provider/inventories'
import { postProvider, putProvider, removeProvider, showProvider, showProviders } from './provider/providers'
import {
  postResourceClass,
  putResourceClass,
  removeResourceClass,
  showResourceClass,
  showResourceClasses,
} from './provider/resource-classes'
import {
  putProviderTraits,
  putTrait,
  removeProviderTraits,
  removeTrait,
  showProviderTraits,
  showTrait,
  showTraits,
} from './provider/traits'
import { MAX_VERSION, MIN_VERSION } from './version'
import { type Answer, document, type PlacementCall } from './wire'

// Every route of the API. Other paths return 404, other methods 405.

export interface Route {
  readonly path: string
  readonly method: string
  /** The first minor version that has it, and what earlier ones answer. */
  readonly from: number
  readonly before: 404 | 405
  /** Null: any caller, also without a token. */
  readonly right: Right | null
  /** Name of the rule, for the message when access is denied. */
  readonly action: string
  /** Checks before the handler, in order; by default the version first. */
  readonly checks: readonly Check[]
  handle(ask: PlacementCall): Promise<Answer>
}

/** version: `from`; accept: JSON will do; content: the body is JSON. */
export type Check = 'version' | 'accept' | 'content'

type Row = readonly [
  method: string,
  path: string,
  from: number,
  right: Right | null,
  action: string,
  checks: readonly Check[],
  handle: (ask: PlacementCall) => Promise<Answer>,
]

const READS: readonly Check[] = ['version', 'accept']
const WRITES: readonly Check[] = ['version', 'content']
const PLAIN: readonly Check[] = ['version']
const PROVIDER = '/resource_providers/{uuid}'
const CLASSES = 'placement:resource_classes'
const PROVIDERS = 'placement:resource_providers'

const ROWS: readonly Row[] = [
  ['GET', '/', 0, null, '', PLAIN, showVersions],
  ['GET', '', 0, null, '', PLAIN, showVersions],
  ['GET', '/resource_classes', 2, 'read', `${CLASSES}:list`, READS, showResourceClasses],
  ['POST', '/resource_classes', 2, 'write', `${CLASSES}:create`, WRITES, postResourceClass],
  ['GET', '/resource_classes/{name}', 2, 'read', `${CLASSES}:show`, READS, showResourceClass],
  ['PUT', '/resource_classes/{name}', 2, 'write', `${CLASSES}:update`, PLAIN, putResourceClass],
  ['DELETE', '/resource_classes/{name}', 2, 'write', `${CLASSES}:delete`, PLAIN, removeResourceClass],
  ['GET', '/resource_providers', 0, 'read', `${PROVIDERS}:list`, READS, showProviders],
  ['POST', '/resource_providers', 0, 'write', `${PROVIDERS}:create`, WRITES, postProvider],
  ['GET', PROVIDER, 0, 'read', `${PROVIDERS}:show`, READS, showProvider],
  ['DELETE', PROVIDER, 0, 'write', `${PROVIDERS}:delete`, PLAIN, removeProvider],
  ['PUT', PROVIDER, 0, 'write', `${PROVIDERS}:update`, WRITES, putProvider],
  ['GET', `${PROVIDER}/inventories`, 0, 'read', `${PROVIDERS}:inventories:list`, READS, showInventories],
  ['POST', `${PROVIDER}/inventories`, 0, 'write', `${PROVIDERS}:inventories:create`, WRITES, postInventory],
  ['PUT', `${PROVIDER}/inventories`, 0, 'write', `${PROVIDERS}:inventories:update`, WRITES, putInventories],
  ['DELETE', `${PROVIDER}/inventories`, 5, 'write', `${PROVIDERS}:inventories:delete`, PLAIN, removeInventories],
  ['GET', `${PROVIDER}/inventories/{resource_class}`, 0, 'read', `${PROVIDERS}:inventories:show`, READS, showInventory],
  [
    'PUT',
    `${PROVIDER}/inventories/{resource_class}`,
    0,
    'write',
    `${PROVIDERS}:inventories:update`,
    WRITES,
    putInventory,
  ],
  [
    ...(['DELETE', `${PROVIDER}/inventories/{resource_class}`, 0, 'write'] as const),
    ...([`${PROVIDERS}:inventories:delete`, PLAIN, removeInventory] as const),
  ],
  ['GET', `${PROVIDER}/usages`, 0, 'read', `${PROVIDERS}:usages`, READS, showProviderUsages],
  ['GET', `${PROVIDER}/aggregates`, 1, 'read', `${PROVIDERS}:aggregates:list`, ['accept', 'version'], showAggregates],
  [
    'PUT',
    `${PROVIDER}/aggregates`,
    1,
    'write',
    `${PROVIDERS}:aggregates:update`,
    ['content', 'version'],
    putAggregates,
  ],
  ['GET', `${PROVIDER}/allocations`, 0, 'read', `${PROVIDERS}:allocations:list`, READS, showProviderAllocations],
  ['POST', '/allocations', 13, 'write', 'placement:allocations:manage', WRITES, postConsumers],
  ['GET', '/allocations/{consumer_uuid}', 0, 'read', 'placement:allocations:list', READS, showConsumer],
  ['PUT', '/allocations/{consumer_uuid}', 0, 'write', 'placement:allocations:update', WRITES, putConsumer],
  ['DELETE', '/allocations/{consumer_uuid}', 0, 'write', 'placement:allocations:delete', PLAIN, removeConsumer],
  ['GET', '/allocation_candidates', 10, 'read', 'placement:allocation_candidates:list', READS, showCandidates],
  ['GET', '/traits', 6, 'read', 'placement:traits:list', READS, showTraits],
  ['GET', '/traits/{name}', 6, 'read', 'placement:traits:show', PLAIN, showTrait],
  ['PUT', '/traits/{name}', 6, 'write', 'placement:traits:update', PLAIN, putTrait],
  ['DELETE', '/traits/{name}', 6, 'write', 'placement:traits:delete', PLAIN, removeTrait],
  ['GET', `${PROVIDER}/traits`, 6, 'read', `${PROVIDERS}:traits:list`, READS, showProviderTraits],
  ['PUT', `${PROVIDER}/traits`, 6, 'write', `${PROVIDERS}:traits:update`, WRITES, putProviderTraits],
  ['DELETE', `${PROVIDER}/traits`, 6, 'write', `${PROVIDERS}:traits:delete`, PLAIN, removeProviderTraits],
  ['GET', '/usages', 9, 'usages', 'placement:usages', READS, showUsages],
  ['POST', '/reshaper', 30, 'reshape', 'placement:reshaper:reshape', WRITES, reshape],
]

/** Earlier versions than these knew the path, but not the method. */
const BEFORE_405: ReadonlySet<(ask: PlacementCall) => Promise<Answer>> = new Set([removeInventories])

export const ROUTES: readonly Route[] = ROWS.map(([method, path, from, right, action, checks, handle]) => ({
  ...{ method, path, from, right, action, checks, handle },
  before: BEFORE_405.has(handle) ? 405 : 404,
}))

export interface RouteMatch {
  readonly routes: readonly Route[]
  readonly params: Readonly<Record<string, string>>
}

interface PathPattern {
  readonly parts: readonly string[]
  readonly routes: readonly Route[]
}

const nounOf = (parts: readonly string[]) => parts[1] ?? ''

/** By the first segment of their paths: every request looks this up. */
const PLACES = placesByNoun()

function placesByNoun(): ReadonlyMap<string, readonly PathPattern[]> {
  const places = [...new Set(ROUTES.map(({ path }) => path))].map((path): PathPattern => {
    return { parts: path.split('/'), routes: ROUTES.filter((route) => route.path === path) }
  })
  const nouns = new Set(places.map(({ parts }) => nounOf(parts)))
  return new Map([...nouns].map((noun) => [noun, places.filter(({ parts }) => nounOf(parts) === noun)]))
}

/** All methods of the path; null when there is no such path. */
export function routesAt(path: string): RouteMatch | null {
  const parts = path.split('/')
  for (const place of PLACES.get(nounOf(parts)) ?? []) {
    const params = paramsOf(place.parts, parts)
    if (params !== null) return { routes: place.routes, params }
  }
  return null
}

function paramsOf(pattern: readonly string[], parts: readonly string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null
  const params: Record<string, string> = {}
  for (let at = 0; at < pattern.length; at++) {
    const expected = pattern[at] as string
    const part = parts[at] as string
    if (expected.startsWith('{')) {
      if (part === '') return null
      params[expected.slice(1, -1)] = part
    } else if (expected !== part) return null
  }
  return params
}

/** The list of versions; needs no token. */
async function showVersions(ask: PlacementCall): Promise<Answer> {
  return document(ask, {
    versions: [
      {
        id: `v${MIN_VERSION}`,
        max_version: MAX_VERSION,
        min_version: MIN_VERSION,
        status: 'CURRENT',
        links: [{ rel: 'self', href: '' }],
      },
    ],
  })
}
