import fs from 'node:fs'
import { parseEnv } from 'node:util'

// Every setting of a server, with what is wrong with a value. They come from the environment and from one file of
// NAME=value lines as systemd, compose and shells read them; the environment wins. All mistakes are reported at once,
// without the values, which may be secrets.

type Check = (value: string) => string | null

const any: Check = () => null
const test =
  (pattern: RegExp, expected: string): Check =>
  (value) =>
    pattern.test(value) ? null : `expected ${expected}`
const oneOf = (...words: readonly string[]): Check =>
  test(new RegExp(`^(${words.join('|')})$`), `one of ${words.join(', ')}`)
const port: Check = (value) =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? null : 'expected a port, a number up to 65535'
const url = (...schemes: readonly string[]): Check => {
  return (value) =>
    URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1))
      ? null
      : `expected an address that begins with ${schemes.map((each) => `${each}://`).join(' or ')}`
}
const atLeast = (least: number): Check => {
  return (value) => (value.length >= least ? null : `expected at least ${least} characters`)
}
const bytes = (least: number): Check => {
  return (value) =>
    Buffer.from(value.replace(/^whsec_/, ''), 'base64').length >= least ? null : `expected ${least} bytes in base64`
}
const readable: Check = (value) => (fs.existsSync(value) ? null : 'expected a file that exists')

const groupRoles = test(
  /^[^,]+=\s*\w+(@(zone|host|cloud):[^,=]+)?(\s*,[^,]+=\s*\w+(@(zone|host|cloud):[^,=]+)?)*\s*$/,
  'groups and roles such as cloud-admins=admin,on-call=operator@zone:az1',
)

export const SETTINGS = {
  DATABASE_URL: url('postgres', 'postgresql'),
  HOST: any,
  PORT: port,
  BERTH_ADMIN_PASSWORD: atLeast(12),
  BERTH_ALARM_MAIL_FROM: test(/^[^\s@]+@[^\s@]+$/, 'a mail address'),
  BERTH_ALARM_MAIL_TO: test(/^[^\s@,]+@[^\s@,]+(\s*,\s*[^\s@,]+@[^\s@,]+)*$/, 'mail addresses, separated by commas'),
  BERTH_ALARM_SMTP_URL: url('smtp', 'smtps'),
  BERTH_ALARM_WEBHOOK_SECRET: bytes(24),
  BERTH_ALARM_WEBHOOK_URL: url('https', 'http'),
  BERTH_CLOUD_KEY: bytes(32),
  BERTH_CLOUD_KEY_FILE: any,
  BERTH_DEMO: test(/^(no|\d+x\d+)$/, '`no`, or hosts and instances such as 500x20000'),
  BERTH_FENCING_FILE: readable,
  BERTH_KEYSTONE_SIGN_IN_NAME: any,
  BERTH_KEYSTONE_SIGN_IN_PROJECT: any,
  BERTH_KEYSTONE_SIGN_IN_PROJECT_DOMAIN: any,
  BERTH_KEYSTONE_SIGN_IN_ROLES: groupRoles,
  BERTH_KEYSTONE_SIGN_IN_URL: url('https', 'http'),
  BERTH_KEYSTONE_SIGN_IN_USER_DOMAIN: any,
  BERTH_LOG: oneOf('silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'),
  BERTH_METRICS_TOKEN: atLeast(16),
  BERTH_NOTIFICATIONS_FILE: readable,
  BERTH_OIDC_CLIENT_ID: any,
  BERTH_OIDC_CLIENT_SECRET: any,
  BERTH_OIDC_CLIENT_SECRET_FILE: readable,
  BERTH_OIDC_GROUPS_CLAIM: any,
  BERTH_OIDC_ISSUER: url('https', 'http'),
  BERTH_OIDC_NAME: any,
  BERTH_OIDC_ROLES: groupRoles,
  BERTH_OIDC_SCOPES: any,
  BERTH_PLACEMENT_AUTH: oneOf('token', 'keystone', 'noauth2'),
  BERTH_PLACEMENT_MAX_CANDIDATES: test(/^-?\d+$/, 'a whole number'),
  BERTH_PLACEMENT_ORIGIN: any,
  BERTH_PLACEMENT_PORT: port,
  BERTH_PLACEMENT_PROFILE: oneOf('default', 'secure', 'open'),
  BERTH_PLACEMENT_RANDOMIZE: oneOf('yes', 'no'),
  BERTH_PLACEMENT_STRATEGY: oneOf('depth-first', 'breadth-first'),
  BERTH_POSTGRES_BIN: readable,
  BERTH_POSTGRES_DIR: any,
  BERTH_REPLICA_URL: url('postgres', 'postgresql'),
  BERTH_SECRET: atLeast(32),
  BERTH_STANDARD_TRAITS: readable,
  BERTH_TRUSTED_PROXIES: any,
  BERTH_URL: url('https', 'http'),
  OS_APPLICATION_CREDENTIAL_ID: any,
  OS_APPLICATION_CREDENTIAL_SECRET: any,
  OS_AUTH_URL: url('https', 'http'),
  OS_PASSWORD: any,
  OS_PROJECT_DOMAIN_NAME: any,
  OS_PROJECT_NAME: any,
  OS_USERNAME: any,
  OS_USER_DOMAIN_NAME: any,
  OTEL_EXPORTER_OTLP_ENDPOINT: url('https', 'http'),
  OTEL_EXPORTER_OTLP_HEADERS: any,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('https', 'http'),
  OTEL_RESOURCE_ATTRIBUTES: any,
  OTEL_SERVICE_NAME: any,
  OTEL_TRACES_SAMPLER: any,
  OTEL_TRACES_SAMPLER_ARG: any,
  SIMULATOR_SPEED: (value) => (Number(value) > 0 ? null : 'expected a number above 0'),
} as const satisfies Readonly<Record<string, Check>>

/** The operator's mistakes: a stack would hide them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

type Env = Readonly<Record<string, string | undefined>>

/** Values of the file that the environment does not set. Throws with every mistake in both. */
export function settingsOf(env: Env): Readonly<Record<string, string>> {
  const fromFile = env.BERTH_CONFIG ? readFile(env.BERTH_CONFIG) : {}
  const unknown = Object.keys(fromFile).filter((name) => !Object.hasOwn(SETTINGS, name))
  // An empty value counts as unset in both: compose passes unset variables on as empty text.
  const added = Object.fromEntries(Object.entries(fromFile).filter(([name, value]) => !env[name] && value !== ''))
  const wrong = Object.entries(SETTINGS as Readonly<Record<string, Check>>).flatMap(([name, check]) => {
    const value = env[name] || added[name]
    const why = value ? check(value) : null
    return why === null ? [] : [`${name}: ${why}${env[name] ? '' : ` (in ${env.BERTH_CONFIG})`}.`]
  })
  const lines = [...unknown.map((name) => unknownName(name)), ...wrong]
  if (lines.length === 0) return added
  const text = `Berth does not start: its settings are not valid.\n  ${lines.join('\n  ')}\nREADME.md lists them.`
  throw new SettingsError(`${text} Nothing was changed.`)
}

/** A line without an equals sign becomes part of the next name. It is not repeated, because it may be a secret. */
function unknownName(name: string): string {
  const [, last = name] = /\n\s*(\S+)$/.exec(name) ?? []
  if (last !== name) return `the line before ${last}: expected NAME=value.`
  return `${name}: there is no such setting${nearest(name)}.`
}

function readFile(file: string): Readonly<Record<string, string>> {
  try {
    return parseEnv(fs.readFileSync(file, 'utf8')) as Record<string, string>
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SettingsError(
      `Berth does not start: BERTH_CONFIG names ${file}, which cannot be read (${code ?? error}).`,
    )
  }
}

/** The name that was probably meant: the one that shares most words. */
function nearest(name: string): string {
  const parts = new Set(name.split('_'))
  const found = Object.keys(SETTINGS)
    .map((each) => ({ each, shared: each.split('_').filter((part) => parts.has(part)).length }))
    .filter(({ shared }) => shared > 1)
    .sort((a, b) => b.shared - a.shared)[0]
  return found ? `; is ${found.each} meant` : ''
}
