import fs from 'node:fs'
import { type Entry, isEntry } from '../settings/clouds-file'
import { Secret } from '../settings/secret'
import { type Environment, type Note, noteUnknownKeys, readServerFile, secretIn } from '../settings/server-file'

// The file that BERTH_NOTIFICATIONS_FILE names: where each cloud's Nova sends its notifications. An error names file
// and key but never the value, which contains a password.

/** The message queue of one cloud. */
export interface NotificationSettings {
  /** `host:port` of each node of the cluster. */
  readonly hosts: readonly string[]
  readonly username: string
  readonly password: Secret
  readonly vhost: string
  /** Null: not encrypted. `caPath`: null for the system's certificate authorities. */
  readonly tls: { readonly caPath: string | null } | null
  /** Nova's `control_exchange`. */
  readonly exchange: string
  /** Nova's `versioned_notifications_topics`, and the topics of its older format. */
  readonly topics: readonly string[]
}

/** By the cloud's name in Berth. */
export type NotificationsFile = ReadonlyMap<string, NotificationSettings>

const KEYS = ['transport_url', 'cacert', 'exchange', 'topics']
const DEFAULTS = { exchange: 'nova', topics: ['versioned_notifications', 'notifications'] }

/** Throws with every mistake of the file. */
export function readNotifications(file: string, environment: Environment): NotificationsFile {
  const about = { path: file, section: 'clouds', subject: 'where the notifications of clouds come from' }
  const expected = 'expected names of clouds, and below each its transport_url'
  const named = readServerFile({ ...about, expected, guide: 'docs/first-cloud.md' }, (entry, note, name) => {
    if (!isEntry(entry)) note('', 'expected transport_url')
    return [name, isEntry(entry) ? settingsOf(entry, note, environment) : null] as const
  })
  return new Map(named.flatMap(([name, settings]) => (settings === null ? [] : [[name, settings]])))
}

function settingsOf(entry: Entry, note: Note, environment: Environment): NotificationSettings | null {
  noteUnknownKeys(KEYS, entry, note)
  const { cacert = null, exchange = DEFAULTS.exchange, topics = DEFAULTS.topics } = entry
  if (cacert !== null && !(typeof cacert === 'string' && fs.existsSync(cacert)))
    note('cacert', 'expected a file that exists')
  if (typeof exchange !== 'string') note('exchange', 'expected a text')
  const names: readonly unknown[] = Array.isArray(topics) && topics.length > 0 ? topics : [null]
  const texts = names.filter((topic) => typeof topic === 'string')
  if (texts.length < names.length) note('topics', 'expected a list of texts')
  const secret = secretIn(entry.transport_url, { key: 'transport_url', note, environment }).reveal()
  const transport = secret === '' ? null : transportOf(secret)
  if (typeof transport === 'string') note('transport_url', transport)
  if (transport === null || typeof transport === 'string' || typeof exchange !== 'string') return null
  const { isEncrypted, ...rest } = transport
  const caPath = typeof cacert === 'string' ? cacert : null
  return { ...rest, tls: isEncrypted || caPath !== null ? { caPath } : null, exchange, topics: texts }
}

interface Transport extends Pick<NotificationSettings, 'hosts' | 'username' | 'password' | 'vhost'> {
  readonly isEncrypted: boolean
}

const URL_PARTS = /^(?<scheme>rabbit|amqps?):\/\/(?<nodes>[^/?#]+)(?:\/(?<vhost>[^?#]*))?(?:\?(?<query>[^#]*))?$/
const EXPECTED = 'expected it as in nova.conf: rabbit://user:password@host:port[,user:password@host:port]/vhost'
const PORTS = { plain: '5672', encrypted: '5671' } as const

/** As oslo.messaging reads it; a string says what is wrong. */
function transportOf(url: string): Transport | string {
  const { scheme, nodes = '', vhost = '', query = '' } = URL_PARTS.exec(url)?.groups ?? {}
  const parts = nodes.split(',').map((node) => `amqp://${node}`)
  if (scheme === undefined || !parts.every((part) => URL.canParse(part))) return EXPECTED
  const read = parts.map((part) => new URL(part))
  const [first] = read
  if (!first || read.some(({ hostname }) => hostname === '')) return EXPECTED
  if (read.some(({ hostname }) => hostname.startsWith('['))) return 'expected names or IPv4 addresses of hosts'
  if (read.some(({ username, password }) => username !== first.username || password !== first.password))
    return 'expected the same user and password for all hosts'
  const isEncrypted = scheme === 'amqps' || /^(1|true|yes|on)$/i.test(new URLSearchParams(query).get('ssl') ?? '')
  const defaultPort = isEncrypted ? PORTS.encrypted : PORTS.plain
  try {
    return {
      hosts: read.map(({ hostname, port }) => `${hostname}:${port || defaultPort}`),
      username: decodeURIComponent(first.username),
      password: new Secret(decodeURIComponent(first.password)),
      vhost: decodeURIComponent(vhost) || '/',
      isEncrypted,
    }
  } catch {
    return `${EXPECTED}; a percent sign in it is written %25`
  }
}
