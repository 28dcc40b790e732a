import { randomUUID } from 'node:crypto'
import { type Drawing, drawn, PROCEDURES } from './inputs'
import {
  ESCAPED,
  hostileBody,
  hostileValue,
  jsonOf,
  MEDIA,
  METHODS,
  NUMBERS,
  pick,
  type Rng,
  TEXTS,
  uriEncoded,
} from './values'

// Malicious requests for every endpoint.

export interface Attack {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

export interface AttackOptions extends Drawing {
  readonly cookie: string
  readonly token: string
}

function procedureCall(options: AttackOptions): Attack {
  const { rng, cookie } = options
  const size = rng() < 0.15 ? 1 + Math.floor(rng() * 15) : 1
  const wantsMutation = rng() < 0.4
  const calls = PROCEDURES.filter(({ isMutation }) => isMutation === wantsMutation)
  const chosen = Array.from({ length: size }, () => pick(rng, calls))
  const inputs = chosen.map(({ schema }) => (schema && rng() < 0.9 ? drawn(schema, options) : hostileValue(rng)))
  const isBatch = size > 1 || rng() < 0.05
  const input = jsonOf(isBatch ? Object.fromEntries(inputs.entries()) : inputs[0])
  const paths = chosen.map(({ path }) => path).join(',')
  const path = `/api/trpc/${rng() < 0.02 ? pick(rng, TEXTS.map(uriEncoded)) : paths}${isBatch ? '?batch=1' : ''}`
  const isPost = wantsMutation ? rng() < 0.97 : rng() < 0.03
  const headers = { cookie, 'content-type': rng() < 0.95 ? (MEDIA[0] ?? '') : pick(rng, MEDIA) }
  if (isPost) return { method: 'POST', path, headers, body: rng() < 0.05 ? hostileBody(rng) : Buffer.from(input) }
  const query = rng() < 0.05 ? pick(rng, ESCAPED) : uriEncoded(input).slice(0, 12_000)
  return { method: 'GET', path: `${path}${isBatch ? '&' : '?'}input=${query}`, headers, body: null }
}

const PLACEMENT_PATHS = [
  ...['/', '/resource_providers', '/resource_providers/{id}', '/resource_providers/{id}/inventories', '/allocations'],
  ...[
    '/resource_providers/{id}/inventories/VCPU',
    '/resource_providers/{id}/aggregates',
    '/allocations/{id}',
    '/usages',
  ],
  ...['/resource_providers/{id}/traits', '/resource_providers/{id}/usages', '/resource_providers/{id}/allocations'],
  ...['/traits', '/traits/CUSTOM_{text}', '/resource_classes', '/resource_classes/CUSTOM_{text}', '/reshaper'],
  ...['/allocation_candidates', '/nothing/{text}'],
]
const PLACEMENT_KEYS = [
  ...[
    'resources',
    'resources1',
    'required',
    'member_of',
    'in_tree',
    'limit',
    'name',
    'uuid',
    'project_id',
    'group_policy',
  ],
  ...['root_required', 'same_subtree', 'resources_\u0001', 'consumer_type', 'user_id', 'associated'],
]
const PLACEMENT_WORDS = [
  'VCPU:1',
  'MEMORY_MB:-1',
  'VCPU:1e99',
  'in:a,b',
  '!in:',
  'CUSTOM_X',
  'none',
  'isolate',
  '_a,_b',
  '1,2',
]

/** Methods of the routes; others are answered before a handler. */
const PLACEMENT_METHODS = ['GET', 'GET', 'PUT', 'POST', 'DELETE']

function placementBody(rng: Rng, id: string): unknown {
  const amounts = { VCPU: pick(rng, [1, ...NUMBERS]), MEMORY_MB: hostileValue(rng, 3) }
  const inventory = { total: pick(rng, NUMBERS), reserved: 0, min_unit: 1, allocation_ratio: pick(rng, NUMBERS) }
  const written = { allocations: { [id]: { resources: amounts } }, project_id: pick(rng, TEXTS), user_id: 'u' }
  return pick(rng, [
    {
      name: pick(rng, TEXTS),
      uuid: pick(rng, [id, randomUUID(), 'x']),
      parent_provider_uuid: pick(rng, [id, null, 7]),
    },
    {
      resource_provider_generation: pick(rng, NUMBERS),
      inventories: { VCPU: inventory, [pick(rng, TEXTS)]: inventory },
    },
    { ...written, consumer_generation: pick(rng, [null, 0, 1, 'x']), consumer_type: pick(rng, ['INSTANCE', ...TEXTS]) },
    { [randomUUID()]: written },
    {
      resource_provider_generation: 0,
      traits: [pick(rng, TEXTS), 'HW_CPU_X86_VMX'],
      aggregates: [id, pick(rng, TEXTS)],
    },
    { inventories: { [id]: { inventories: { VCPU: inventory }, resource_provider_generation: 0 } }, allocations: {} },
    hostileValue(rng),
  ])
}

function placementCall({ rng, ids, token }: AttackOptions): Attack {
  const id = pick(rng, ids)
  const raw = rng() < 0.9 ? uriEncoded(pick(rng, TEXTS)) : pick(rng, ESCAPED)
  const path = pick(rng, PLACEMENT_PATHS)
    .replace('{id}', rng() < 0.8 ? id : raw)
    .replace('{text}', raw)
  const pair = () => {
    const value =
      rng() < 0.9 ? uriEncoded(pick(rng, [...TEXTS, ...PLACEMENT_WORDS, id]).slice(0, 800)) : pick(rng, ESCAPED)
    return `${encodeURIComponent(pick(rng, PLACEMENT_KEYS))}=${value}`
  }
  const query = rng() < 0.4 ? `?${Array.from({ length: 1 + Math.floor(rng() * 3) }, pair).join('&')}` : ''
  const method = rng() < 0.7 ? pick(rng, PLACEMENT_METHODS) : pick(rng, METHODS)
  const headers = {
    'x-auth-token': rng() < 0.95 ? token : 'nobody',
    'openstack-api-version': pick(rng, [
      'placement 1.39',
      'placement 1.39',
      'placement 1.0',
      'placement latest',
      'placement 1.x',
      '',
    ]),
    accept: pick(rng, ['application/json', '*/*', 'text/html', 'x']),
    'content-type': rng() < 0.9 ? 'application/json' : pick(rng, MEDIA),
  }
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  const body = rng() < 0.9 ? Buffer.from(jsonOf(placementBody(rng, id))) : hostileBody(rng)
  return { method, path: `/placement${path}${query}`, headers, body: hasBody ? body : null }
}

const AUTH_PATHS = [
  'sign-in/username',
  'sign-in/email',
  'get-session',
  'change-password',
  'sign-up/email',
  'callback/x',
  'x',
]

/** Never ends a session, or a user, that is needed later. */
function authCall({ rng, cookie }: AttackOptions): Attack {
  const path = pick(rng, AUTH_PATHS)
  const fields = {
    username: pick(rng, TEXTS),
    email: pick(rng, TEXTS),
    password: hostileValue(rng),
    callbackURL: '//evil.test',
  }
  const change = { currentPassword: pick(rng, TEXTS), newPassword: hostileValue(rng) }
  const body = rng() < 0.3 ? hostileBody(rng) : Buffer.from(jsonOf(rng() < 0.5 ? fields : change))
  const headers = { 'content-type': pick(rng, MEDIA), ...(rng() < 0.3 ? { cookie } : { cookie: pick(rng, COOKIES) }) }
  const method = pick(rng, ['GET', 'POST', 'POST', 'POST', 'PUT'])
  return { method, path: `/api/auth/${path}`, headers, body: method === 'GET' ? null : body }
}

const COOKIES = [
  '',
  'berth.session_token=x.y',
  'berth.session_token=%ff',
  '__Secure-berth.session_token=',
  '=;;;=',
  'a=b;'.repeat(500),
]
const PAGES = [
  ...[
    '/',
    '/overview',
    '/hosts',
    '/instances',
    '/migrations',
    '/explain',
    '/heal',
    '/settings',
    '/capacity',
    '/claims',
  ],
  ...[
    '/devices',
    '/drains',
    '/providers',
    '/sign-in',
    '/icon.svg',
    '/_next/static/x.js',
    '/_next/image?url=/x&w=1&q=1',
    '/_next/data/x',
  ],
]

function pageCall({ rng, ids, cookie }: AttackOptions): Attack {
  const base = pick(rng, [...PAGES, `/hosts/${pick(rng, ids)}`, `/instances/${uriEncoded(pick(rng, TEXTS))}`])
  const key = pick(rng, ['q', 'next', 'at', 'sort', 'view', '_rsc', 'move', 'tab', '__proto__'])
  const value = rng() < 0.8 ? uriEncoded(pick(rng, TEXTS)) : pick(rng, ESCAPED)
  const wild =
    rng() < 0.15 ? pick(rng, ['//evil.test', '/%5c%5cevil.test', '/..%2f..', '/a%00', '/%ff', '/;/', '/.env']) : base
  const headers: Record<string, string> = { cookie: rng() < 0.8 ? cookie : pick(rng, COOKIES), accept: 'text/html' }
  if (rng() < 0.2)
    headers[pick(rng, ['rsc', 'next-router-state-tree', 'next-action', 'x-middleware-subrequest'])] = pick(rng, [
      '1',
      '%5B',
      'x',
      '[[[',
    ])
  const method = rng() < 0.85 ? 'GET' : pick(rng, METHODS)
  const mark = wild.includes('?') ? '&' : '?'
  const path = rng() < 0.5 ? `${wild}${mark}${key}=${value.slice(0, 4_000)}` : wild
  return { method, path, headers, body: method === 'POST' && rng() < 0.5 ? hostileBody(rng) : null }
}

function otherCall({ rng, cookie }: AttackOptions): Attack {
  const path = pick(rng, ['/metrics', '/healthz', '/readyz', '/api', '/api/x', '/api/trpc', '/metrics?x=%00'])
  const headers = {
    cookie: rng() < 0.5 ? cookie : '',
    authorization: pick(rng, ['', 'Bearer x', 'Bearer', 'Basic eA==']),
  }
  return { method: pick(rng, METHODS), path, headers, body: null }
}

/** The next attack. Endpoints are weighted by how much is behind them. */
export function nextAttack(options: AttackOptions): Attack {
  const chance = options.rng()
  if (chance < 0.6) return procedureCall(options)
  if (chance < 0.82) return placementCall(options)
  if (chance < 0.88) return authCall(options)
  if (chance < 0.97) return pageCall(options)
  return otherCall(options)
}
