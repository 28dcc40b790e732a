import type { Asked } from './placement-asking'

// What can be wrong with a request beside what it asks for: its version, its headers, its body as text, its parameters,
// its method, its path.

export interface Chances {
  one<T>(of: readonly T[]): T
  /** True that often, of 1. */
  is(part: number): boolean
}

type Twist = (asked: Asked, chances: Chances) => Asked

/** The request with one thing changed; often, not always, for the worse. */
export const twisted: Twist = (asked, chances) => chances.one(TWISTS)(asked, chances)

const withHeader = (asked: Asked, name: string, value: string | null): Asked => ({
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
const TYPES = [null, 'text/plain', 'application/json; charset=utf-8', 'application/jsonp', '']
const VERSION_WORDS = [
  ...[null, 'placement latest', 'placement 1.40', 'placement 2.0', 'placement 0.9', 'placement 1.x', 'placement 1'],
  ...['placement', 'placement 1.2.3', 'compute 2.1', 'compute 2.1, placement 1.10', 'placement 1.-1', 'PLACEMENT 1.30'],
]
const RAW = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '1',
  '{}',
  '{"a":1}',
  '{"name":"a",}',
  '[1]',
  '{"allocations":[]}',
  'true',
]
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
  '/',
  '/nothing',
  '/resource_providers/',
  '/traits/',
  '/usages/x',
  '/reshaper/x',
  '/allocations/',
  '//traits',
]

const TWISTS: readonly Twist[] = [
  (asked, { one }) => withHeader(asked, 'openstack-api-version', one(VERSION_WORDS)),
  (asked, { one }) => withHeader(asked, 'accept', one(ACCEPTS)),
  (asked, { one }) => withHeader(asked, 'content-type', one(TYPES)),
  (asked, { one }) => withHeader(asked, 'x-auth-token', one([null, 'user', 'admin:other'])),
  (asked, { one }) => withHeader(asked, 'x-roles', one(['reader', 'admin,reader', 'service', ''])),
  (asked, { one }) => (asked.body === undefined ? asked : { ...asked, raw: one(RAW) }),
  (asked, { one }) =>
    asked.body === undefined ? asked : { ...asked, body: bent(asked.body, { one, is: () => true }) },
  (asked, chances) => (asked.body === undefined ? asked : { ...asked, body: bent(asked.body, chances) }),
  (asked, { one }) => ({ ...asked, path: `${asked.path}${asked.path.includes('?') ? '&' : '?'}${one(PARAMETERS)}` }),
  (asked, { one }) => ({ ...asked, path: `/allocation_candidates?resources=VCPU:1&${one(PARAMETERS)}`, method: 'GET' }),
  (asked, { one }) => ({ ...asked, path: `${one(['/resource_providers', '/traits', '/usages'])}?${one(PARAMETERS)}` }),
  (asked, { one }) => ({ ...asked, method: one(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) }),
  (asked, { one }) => ({ ...asked, path: one(PATHS) }),
]

const ODD = [null, '', ' ', -1, 0, 1.5, 2_147_483_648, 'x'.repeat(201), true, [], {}, '5', 'CUSTOM_x', 'é']

/** The body with something in it replaced, left out or added; `is` says how deep. */
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
