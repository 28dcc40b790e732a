import { z } from 'zod'
import type { CloudSettings, Interface } from '../settings/cloud-settings'
import type { Credential, Domain, KeystoneReference, Scope } from '../settings/credential'
import { Secret } from '../settings/secret'
import { type Call, CloudError, SERVICE_NAMES, type Service } from './errors'
import { type Answer, single, type Transport } from './transport'

// Signs in to Keystone v3, and finds the other services in its catalog.

const catalogSchema = z.array(
  z.looseObject({
    type: z.string(),
    endpoints: z.array(
      z.looseObject({
        interface: z.string(),
        url: z.string(),
        region: z.string().nullish(),
        region_id: z.string().nullish(),
      }),
    ),
  }),
)

const tokenSchema = z.looseObject({
  token: z.looseObject({
    expires_at: z.string(),
    issued_at: z.string().nullish(),
    catalog: catalogSchema.nullish(),
    user: z.looseObject({ id: z.string(), name: z.string().nullish() }),
    project: z.looseObject({ id: z.string(), name: z.string().nullish() }).nullish(),
    system: z.unknown().optional(),
    roles: z.array(z.looseObject({ name: z.string() })).nullish(),
  }),
})

type TokenBody = z.infer<typeof tokenSchema>['token']
export type Catalog = z.infer<typeof catalogSchema>
/** The body of GET /v3/auth/catalog. */
export const catalogAnswer = z.looseObject({ catalog: catalogSchema })

export interface Token {
  readonly secret: Secret
  readonly user: string
  /** Its scope: a project, the system, or nothing. */
  readonly scope: string
  readonly roles: readonly string[]
  readonly catalog: Catalog
  /** On this machine's monotonic clock, computed from the lifetime by the cloud's own clock. */
  readonly endsAtMs: number
  /** When it was issued, by the cloud's clock; null when unknown. */
  readonly issuedAt: number | null
}

const TOKENS: Call = { service: 'identity', method: 'POST', path: '/auth/tokens' }
/** Assumed lifetime of a token when it is unknown; a 401 ends it earlier. */
const ASSUMED_LIFETIME_MS = 5 * 60_000

/** `…/v3`, whether or not the file includes it. */
export const identityUrl = ({ authUrl }: CloudSettings): string => (/\/v3$/.test(authUrl) ? authUrl : `${authUrl}/v3`)

export async function signIn(transport: Transport, settings: CloudSettings, monotonicMs: () => number): Promise<Token> {
  const answer = await transport.exchange({
    call: TOKENS,
    url: `${identityUrl(settings)}/auth/tokens`,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(tokenRequest(settings.credential)),
    deadlineMs: settings.deadlineMs,
  })
  const token = single(answer.headers['x-subject-token'])
  const read = tokenSchema.safeParse(answer.body)
  if (!token || !read.success)
    throw new CloudError(TOKENS, { kind: 'protocol', what: 'the answer is not a token of Keystone v3' })
  return tokenOf(new Secret(token), read.data.token, { at: answer.at, receivedMs: monotonicMs() })
}

interface Receipt extends Pick<Answer, 'at'> {
  readonly receivedMs: number
}

function tokenOf(secret: Secret, body: TokenBody, { at, receivedMs }: Receipt): Token {
  // A bare uwsgi sends no Date: then `issued_at` is Keystone's clock.
  const issued = at ?? Date.parse(body.issued_at ?? '')
  const lifeMs = Date.parse(body.expires_at) - issued
  const scope = body.project ? `project ${body.project.name ?? body.project.id}` : body.system ? 'system' : 'no project'
  return {
    ...{ secret, scope, user: body.user.name ?? body.user.id, catalog: body.catalog ?? [] },
    roles: (body.roles ?? []).map(({ name }) => name),
    issuedAt: Number.isNaN(issued) ? null : issued,
    endsAtMs: receivedMs + (lifeMs > 0 ? lifeMs : ASSUMED_LIFETIME_MS),
  }
}

/** The body of POST /v3/auth/tokens. */
export function tokenRequest(credential: Credential) {
  if (credential.kind === 'application-credential') {
    const { credential: by, secret } = credential
    const named = 'id' in by ? by : { name: by.name, user: identified(by.user) }
    return {
      auth: {
        identity: {
          methods: ['application_credential'],
          application_credential: { ...named, secret: secret.reveal() },
        },
      },
    }
  }
  const identity =
    credential.kind === 'token'
      ? { methods: ['token'], token: { id: credential.token.reveal() } }
      : {
          methods: ['password'],
          password: { user: { ...identified(credential.user), password: credential.password.reveal() } },
        }
  const scope = scopeRequest(credential.scope)
  return { auth: { identity, ...(scope && { scope }) } }
}

const identified = (named: KeystoneReference): { id: string } | { name: string; domain: Domain } =>
  'id' in named ? { id: named.id } : { name: named.name, domain: named.domain }

function scopeRequest(scope: Scope) {
  if (scope.kind === 'project') return { project: identified(scope.project) }
  if (scope.kind === 'domain') return { domain: scope.domain }
  return scope.kind === 'system' ? { system: { all: true } } : null
}

/** Types under which the catalog may list a service; the first is the current one. */
const CATALOG_TYPES: Readonly<Record<Service, readonly string[]>> = {
  ...{ identity: ['identity'], compute: ['compute'], placement: ['placement'] },
}

export interface EndpointChoice {
  readonly service: Service
  readonly region: string | null
  readonly interface: Interface
}

/** The address of a service, without a trailing slash. */
export function endpointOf(catalog: Catalog, { service, region, interface: chosen }: EndpointChoice): string {
  const missing = (what: string) => new CloudError({ service, method: 'GET', path: '/' }, { kind: 'no-endpoint', what })
  const listed = catalog
    .filter(({ type }) => CATALOG_TYPES[service].includes(type))
    .flatMap(({ endpoints }) => endpoints)
  if (listed.length === 0) throw missing(`the catalog does not list a service of type "${service}"`)
  const there = listed.filter((each) => each.interface === chosen)
  const regions = [...new Set(there.map((each) => each.region_id ?? each.region ?? ''))]
  const found = there.filter((each) => region === null || [each.region_id, each.region].includes(region))
  if (found.length === 0) {
    const where = region === null ? '' : ` in region "${region}"`
    throw missing(
      `the catalog has no ${chosen} endpoint of ${SERVICE_NAMES[service]}${where}; regions with one: ${regions.join(', ') || 'none'}`,
    )
  }
  if (region === null && regions.length > 1)
    throw missing(`the catalog has several regions, so choose one with region_name: ${regions.join(', ')}`)
  const url = found[0]?.url ?? ''
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw missing('the catalog lists an address that is not http or https')
  return addressOf(service, url)
}

/** Catalogs may list Nova with a project, or without a version: then microversions are at the standard path below it. */
export function addressOf(service: Service, url: string): string {
  const address = url.replace(/\/+$/, '')
  if (service !== 'compute') return address
  const [versioned] = /^.*?\/v2(?:\.\d+)?(?=\/|$)/.exec(address) ?? []
  return versioned ?? `${address}/v2.1`
}
