import {
  type Clouds,
  type Entry,
  isEntry,
  merge,
  problemAt,
  type Reading,
  type ReadResult,
  type SettingsProblem,
  wrong,
} from './clouds-file'
import { type Credential, readCredential } from './credential'

// One cloud of clouds.yaml, as the connector needs it.

export const INTERFACES = ['public', 'internal', 'admin'] as const
export type Interface = (typeof INTERFACES)[number]

export interface CloudSettings {
  readonly name: string
  readonly authUrl: string
  readonly credential: Credential
  /** Null: the catalog has only one region. */
  readonly region: string | null
  readonly interface: Interface
  readonly tls: TlsSettings
  /** Used instead of the catalog's. */
  readonly endpoints: { readonly compute: string | null; readonly placement: string | null }
  /** Upper bound for each request. */
  readonly deadlineMs: number
}

/** Paths of PEM files. `verify` is false only if the file explicitly says so. */
export interface TlsSettings {
  readonly verify: boolean
  readonly caPath: string | null
  /** The certificates themselves, in place of a file. */
  readonly caPem?: string | null
  readonly certPath: string | null
  readonly keyPath: string | null
}

const DEADLINE_MS = 60_000

export interface CloudChoice {
  /** Null: the only cloud of the file. */
  readonly name: string | null
  readonly region: string | null
  /** For messages. */
  readonly file: string
}

export function readCloud(clouds: Clouds, choice: CloudChoice): ReadResult<CloudSettings> {
  const names = Object.keys(clouds.clouds)
  const name = choice.name ?? (names.length === 1 ? names[0] : undefined)
  const own = name === undefined ? undefined : clouds.clouds[name]
  if (name === undefined || own === undefined || !Object.hasOwn(clouds.clouds, name)) {
    const what = name === undefined ? 'it defines several clouds and none is chosen' : `cloud "${name}" is not defined`
    return wrong({ file: choice.file, key: 'clouds', what, fix: `choose one of: ${names.join(', ')}` })
  }
  const at: Reading = { file: choice.file, path: `clouds.${name}` }
  const profiled = withProfile(own, clouds, at)
  if (!profiled.ok) return profiled
  const regional = withRegion(profiled.value, choice.region, at)
  if (!regional.ok) return regional
  return settingsOf(name, regional.value, at)
}

/** Regions of a cloud in the file; none if the only one of the catalog is used. */
export function regionNames(clouds: Clouds, name: string): readonly string[] {
  const own = clouds.clouds[name]
  const whole = own && withProfile(own, clouds, { file: '', path: name })
  return whole?.ok ? regionsOf(whole.value).map((region) => region.name) : []
}

function withProfile(own: Entry, { profiles }: Clouds, at: Reading): ReadResult<Entry> {
  const name = own.profile ?? own.cloud
  if (name === undefined || name === null) return { ok: true, value: own }
  const profile = typeof name === 'string' && Object.hasOwn(profiles, name) ? profiles[name] : undefined
  // Profiles that openstacksdk ships or fetches are unknown here: a guessed address would receive a password.
  if (profile === undefined && !isEntry(own.auth))
    return wrong(
      problemAt(at, 'profile', ['this profile is not in clouds-public.yaml', 'add it there, or write auth here']),
    )
  return { ok: true, value: profile === undefined ? own : merge(profile, own) }
}

interface Region {
  readonly name: string
  readonly values: Entry
}

function withRegion(entry: Entry, wanted: string | null, at: Reading): ReadResult<Entry> {
  const regions = regionsOf(entry)
  const region = wanted === null ? regions[0] : regions.find(({ name }) => name === wanted)
  if (region) return { ok: true, value: { ...merge(entry, region.values), region_name: region.name } }
  if (regions.length > 0) {
    const what = `region "${wanted}" is not listed`
    return wrong(problemAt(at, 'regions', [what, `choose one of: ${regions.map(({ name }) => name).join(', ')}`]))
  }
  return { ok: true, value: { ...entry, region_name: wanted } }
}

function regionsOf({ regions, region_name: single }: Entry): readonly Region[] {
  const listed = Array.isArray(regions) ? regions : Array.isArray(single) ? single : String(single ?? '').split(',')
  return listed.flatMap((each): readonly Region[] => {
    if (isEntry(each) && typeof each.name === 'string')
      return [{ name: each.name, values: isEntry(each.values) ? each.values : {} }]
    return typeof each === 'string' && each.trim() !== '' ? [{ name: each.trim(), values: {} }] : []
  })
}

function settingsOf(name: string, entry: Entry, at: Reading): ReadResult<CloudSettings> {
  const problems: SettingsProblem[] = []
  const note = (key: string, what: string, fix: string) => void problems.push(problemAt(at, key, [what, fix]))
  const text = (key: string): string | null => {
    const value = entry[key] ?? null
    if (value === null || typeof value === 'string') return value
    note(key, 'it is not a text', 'write a text')
    return null
  }
  const address = (key: string, value: unknown): string | null => {
    if (value === undefined || value === null) return null
    const text = typeof value === 'string' ? value.trim() : ''
    if (URL.canParse(text) && /^https?:\/\//i.test(text) && !text.includes('@'))
      return text.replace(/^https?/i, (scheme) => scheme.toLowerCase()).replace(/\/+$/, '')
    note(key, 'it is not an http or https address without @', 'write it like https://cloud.example:5000/v3')
    return null
  }
  const auth = isEntry(entry.auth) ? entry.auth : {}
  const authUrl = address('auth.auth_url', auth.auth_url ?? entry.auth_url)
  if (authUrl === null && problems.length === 0) note('auth.auth_url', 'it is missing', 'write the address of Keystone')
  const credential = readCredential(entry, at)
  if (!credential.ok) problems.push(...credential.problems)
  const settings = {
    region: text('region_name'),
    interface: interfaceOf(text('interface') ?? text('endpoint_type') ?? 'public'),
    tls: { verify: verifyOf(entry.verify), caPath: text('cacert'), certPath: text('cert'), keyPath: text('key') },
    endpoints: {
      compute: address('compute_endpoint_override', entry.compute_endpoint_override),
      placement: address('placement_endpoint_override', entry.placement_endpoint_override),
    },
    deadlineMs: deadlineOf(entry.api_timeout),
  }
  if (settings.interface === null)
    note('interface', 'this interface is unknown', `write one of: ${INTERFACES.join(', ')}`)
  if (settings.tls.verify === null)
    note('verify', 'it is neither true nor false', 'write false only to accept any certificate')
  if (settings.deadlineMs === null) note('api_timeout', 'it is not a number of seconds above 0', 'write it like 60')
  const { interface: chosen, tls, deadlineMs } = settings
  if (
    problems.length > 0 ||
    !credential.ok ||
    authUrl === null ||
    !chosen ||
    tls.verify === null ||
    deadlineMs === null
  )
    return wrong(...problems)
  const checked = { interface: chosen, tls: { ...tls, verify: tls.verify }, deadlineMs }
  return { ok: true, value: { ...settings, ...checked, name, authUrl, credential: credential.value } }
}

const interfaceOf = (text: string): Interface | null =>
  INTERFACES.find((each) => each === text.replace(/URL$/, '')) ?? null

const verifyOf = (value: unknown): boolean | null => {
  if (value === undefined || value === null || value === true || value === 'true') return true
  return value === false || value === 'false' ? false : null
}

const deadlineOf = (seconds: unknown): number | null => {
  if (seconds === undefined || seconds === null) return DEADLINE_MS
  return Number(seconds) > 0 && Number(seconds) <= 600 ? Number(seconds) * 1000 : null
}
