import type { PlacementRequest } from './random-requests'

// What can be wrong with a request besides its content: version, headers, body text, parameters, method, path.

export interface Chances {
  one<T>(of: readonly T[]): T
  /** True with this probability, from 0 to 1. */
  is(part: number): boolean
}

type Mutation = (asked: PlacementRequest, chances: Chances) => PlacementRequest

/** Changes one thing in the request; usually this makes it invalid. */
export const mutated: Mutation = (asked, chances) => chances.one(MUTATIONS)(asked, chances)

const withHeader = (asked: PlacementRequest, name: string, value: string | null): PlacementRequest => ({
  ...asked,
  headers: { ...asked.headers, [name]: value },
})

const ACCEPTS = [
  '*/*',
  'text/html',
  'text/plain',
  'application/xml',
  'application/*;q=0.5',
  'text/html, */*;q=0.1',
  'x',
]
const TYPES = [
  ...[null, 'text/plain', 'application/json; charset=utf-8', 'application/jsonp', '', 'APPLICATION/JSON', 'multipart'],
]
const VERSION_WORDS = [
  ...[null, 'placement latest', 'placement 1.40', 'placement 2.0', 'placement 0.9', 'placement 1.x', 'placement 1'],
  ...['placement', 'placement 1.2.3', 'compute 2.1', 'compute 2.1, placement 1.10', 'placement 1.-1', 'PLACEMENT 1.30'],
  ...[
    '1.39',
    'placement 01.07',
    'placement  1.39',
    'placement 1.39.',
    'placement .',
    'placement 1.99999999999',
    'latest',
  ],
]
const RAW: readonly (string | Buffer)[] = [
  ...['', '{', '[]', 'null', '"text"', '1', '{}', '{"a":1}', '{"name":"a",}', '[1]', '{"allocations":[]}', 'true', ' '],
  ...['{"a":1}x', "{'a':1}", '{"name":"\\u0000"}', '{"name":"\\ud800"}', '{"name":"CUSTOM_X","name":"CUSTOM_ONE"}'],
  ...[Buffer.from([0x22, 0xff, 0x22]), Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), '[[[[[[]]]]]]'],
]
/** Numbers in an unusual or invalid notation. */
const SPELLINGS = ['-0', '01', '1E400', 'NaN', 'Infinity', '0x1', '12345678901234567890', '1.5', '+1']
const PARAMETERS = [
  ...['limit=1', 'limit=0', 'limit=-1', 'limit=x', 'limit=1&limit=2', 'name=a&name=b', 'uuid=x', 'in_tree=x', 'q=1'],
  ...['required=', 'required=!', 'required=HW_CPU_X86_AVX,HW_CPU_X86_AVX', 'required=HW_CPU_X86_AVX,!HW_CPU_X86_AVX'],
  ...[
    'resources=',
    'resources=VCPU',
    'resources=VCPU:',
    'resources=:1',
    'resources=VCPU:1:2',
    'resources=VCPU:1,VCPU:2',
  ],
  ...['member_of=', 'member_of=in:', 'member_of=x', 'member_of=in:x,y', 'member_of=!in:x', 'required1=HW_CPU_X86_AVX'],
  ...[
    'group_policy=none',
    'same_subtree=',
    'same_subtree=1',
    'root_required=',
    'root_required=in:A',
    'resources_A=VCPU:1',
  ],
  ...[
    'resources=VCPU:0',
    'resources=VCPU:-1',
    'resources=VCPU:99999999999',
    'resources=NOTHING:1',
    'resources1=VCPU:1',
  ],
  ...['same_subtree=,', 'same_subtree=_A,_B', 'root_required=HW_CPU_X86_AVX', 'group_policy=none&group_policy=isolate'],
  ...[`resources_${'x'.repeat(64)}=VCPU:1`, `resources_${'x'.repeat(65)}=VCPU:1`, 'resources_é=VCPU:1', 'required=é'],
  ...['name=%00', 'name=%F0%9F%98%80', 'limit=99999999999', 'limit=%31', 'limit=1.0', 'limit=', 'limit=01'],
  ...['resources!=VCPU:1', 'in_tree1=x', 'associated=x', 'associated=1', 'name=startswith:', 'name=in:', 'user_id=u'],
  ...[
    'project_id=',
    'project_id=p',
    'consumer_type=',
    'consumer_type=bad',
    'consumer_type=unknown',
    'name=',
    '%20=1',
    '=1',
  ],
]
const PATHS = [
  ...['/', '/nothing', '/resource_providers/', '/traits/', '/usages/x', '/reshaper/x', '/allocations/', '//traits'],
  ...['/Traits', '/traits/A/B', '/traits/a%2Fb', '/traits/%C3%A9', '/traits/%ff', '/resource_classes/ ', '/.', '/a;b'],
  ...['/resource_providers/x/cows', '/resource_providers/x/inventories/', '/resource_providers/x/inventories/A/B'],
]
/** One path per route, for methods that it may not support. */
const SERVED = [
  ...[
    '',
    '/',
    '/resource_classes',
    '/resource_classes/VCPU',
    '/resource_providers',
    '/resource_providers/x',
    '/traits',
  ],
  ...['inventories', 'inventories/VCPU', 'usages', 'aggregates', 'allocations', 'traits'].map(
    (part) => `/resource_providers/x/${part}`,
  ),
  ...['/allocations', '/allocations/x', '/allocation_candidates', '/traits/CUSTOM_ONE', '/usages', '/reshaper'],
]
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']

const MUTATIONS: readonly Mutation[] = [
  (asked, { one }) => withHeader(asked, 'openstack-api-version', one(VERSION_WORDS)),
  (asked, { one }) => withHeader(asked, 'accept', one(ACCEPTS)),
  (asked, { one }) => withHeader(asked, 'content-type', one(TYPES)),
  (asked, { one }) => withHeader(asked, 'x-auth-token', one([null, 'user', 'admin:other'])),
  (asked, { one }) =>
    withHeader(asked, 'x-roles', one(['reader', 'Admin, reader', ...servicesOf(asked), 'member', ''])),
  (asked, { one }) =>
    withHeader(withHeader(asked, 'x-roles', one(['reader', ...servicesOf(asked)])), 'x-project-id', one(['p', 'q'])),
  // Only on reads: on a write this header would make the two hold different things.
  (asked, { one }) =>
    asked.method === 'GET' ? withHeader(asked, 'openstack-system-scope', one(['all', 'none'])) : asked,
  (asked, { one }) => (asked.body === undefined ? asked : { ...asked, raw: rawFor(asked, one(RAW)) }),
  (asked, { one }) =>
    asked.body === undefined ? asked : { ...asked, body: bent(asked.body, { one, is: () => true }) },
  (asked, chances) => (asked.body === undefined ? asked : { ...asked, body: bent(asked.body, chances) }),
  (asked, { one }) => withParameter(asked, one(PARAMETERS)),
  (asked, { one }) => ({ ...asked, path: `/allocation_candidates?resources=VCPU:1&${one(PARAMETERS)}`, method: 'GET' }),
  (asked, { one }) =>
    withParameter({ ...asked, path: one(['/resource_providers', '/traits', '/usages']) }, one(PARAMETERS)),
  (asked, { one }) => ({ ...asked, method: one(METHODS) }),
  (asked, { one }) => ({ ...asked, path: one(SERVED), method: one(METHODS) }),
  (asked, { one }) => ({
    ...asked,
    raw: JSON.stringify(asked.body)?.replace(/:\d+/, `:${one(SPELLINGS)}`) ?? rawFor(asked, one(RAW)),
  }),
  (asked, { one }) => ({ ...asked, path: one(PATHS) }),
]

/** A newer Placement lets a service write where Berth does not; afterwards the two would hold different things. */
const servicesOf = ({ method }: PlacementRequest): readonly string[] => (method === 'GET' ? ['service'] : [])

/** Placement ignores a parameter that a write does not have and writes; Berth refuses every NUL in an address. */
function withParameter(asked: PlacementRequest, parameter: string): PlacementRequest {
  if (asked.method !== 'GET' && parameter.includes('%00')) return asked
  return { ...asked, path: `${asked.path}${asked.path.includes('?') ? '&' : '?'}${parameter}` }
}

/**
 * Without a uuid in a raw body, each server would assign its own to the new provider. And only Placement renames a
 * provider to NUL: from then on every list of providers would differ.
 */
function rawFor({ path }: PlacementRequest, raw: string | Buffer): string | Buffer {
  const isNew = path === '/resource_providers' && raw.includes('"name"')
  const isNul = /^\/resource_providers\/[^/]+$/.test(path) && raw.includes('\\u0000')
  return isNew || isNul ? '{}' : raw
}

const ODD = [
  ...[null, '', -1, 0, 1.5, 2_147_483_648, 1e12, 'x'.repeat(201), 'x'.repeat(256), true, [], {}, '5', 'CUSTOM_x'],
  ...['é', '名', '<b>', 'a\nb'],
]

/** Replaces, omits or adds something in the body; `is` decides how deep. */
function bent(body: unknown, chances: Chances): unknown {
  if (Array.isArray(body)) return chances.is(0.5) ? [...body, chances.one(ODD)] : body.slice(1)
  if (body === null || typeof body !== 'object') return chances.one(ODD)
  const keys = Object.keys(body)
  if (keys.length === 0 || chances.is(0.1)) return { ...body, extra: 1 }
  const key = chances.one(keys)
  const { [key]: value, ...rest } = body as Record<string, unknown>
  if (chances.is(0.2)) return rest
  return { ...rest, [key]: chances.is(0.5) ? chances.one(ODD) : bent(value, chances) }
}
