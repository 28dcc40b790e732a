import fs from 'node:fs'
import { type AsyncMessage, Connection } from 'rabbitmq-client'
import type { NotificationSettings } from './settings'

// Nova's notifications are only a hint to poll sooner: they may come late, twice or never, and a cloud's known state is
// read by its API all the same.

export interface Listener {
  /** Why it cannot listen; null while it does. */
  readonly failure: string | null
  close(): void
}

/** Queue limit for a slow server; the queue drops older ones. */
const MOST_WAITING = 1_000
const RETRY_MS = { retryLow: 1_000, retryHigh: 30_000 }
/** Of objects on screens. The hourly reports that each instance exists change nothing. */
const OF_USE = /^((compute\.)?instance|aggregate|service|flavor|server_?group)\.(?!exists\b)/

/** `onHint` is called for each notification that may have changed what is shown. */
export function listenToNova(settings: NotificationSettings, onHint: () => void): Listener {
  const { hosts, username, password, vhost, exchange, topics } = settings
  const tls = tlsOf(settings)
  if (tls === 'unreadable') return { failure: 'its CA file cannot be read', close: () => {} }
  const connection = new Connection({
    ...{ hosts: [...hosts], username, password: password.reveal(), vhost, ...RETRY_MS, connectionName: 'berth' },
    ...(tls && { tls }),
  })
  let failure: string | null = 'not connected yet'
  const fail = (error: unknown) => {
    failure = reasonOf(error)
  }
  // A private queue: other consumers of Nova's notifications lose none to it, and it is deleted with the connection.
  const consumer = connection.createConsumer(
    {
      ...{ queue: '', noAck: true },
      queueOptions: { exclusive: true, autoDelete: true, arguments: { 'x-max-length': MOST_WAITING } },
      queueBindings: topics.map((topic) => ({ exchange, routingKey: `${topic}.*` })),
    },
    (message) => {
      if (OF_USE.test(eventOf(message) ?? '')) onHint()
    },
  )
  connection.on('error', fail)
  consumer.on('error', fail)
  consumer.on('ready', () => {
    failure = null
  })
  return {
    get failure() {
      return failure
    },
    // It may be waiting to reconnect, which a clean close would wait for.
    close: () => connection.unsafeDestroy(),
  }
}

function tlsOf({ tls }: NotificationSettings): { readonly ca?: Buffer } | 'unreadable' | null {
  if (tls === null || tls.caPath === null) return tls && {}
  try {
    return { ca: fs.readFileSync(tls.caPath) }
  } catch {
    return 'unreadable'
  }
}

/** Nova's name of what happened, such as `instance.create.end`; null: the message is not one of oslo.messaging. */
function eventOf({ body }: Pick<AsyncMessage, 'body'>): string | null {
  try {
    const outer: unknown = Buffer.isBuffer(body) ? JSON.parse(body.toString()) : body
    const inner: unknown = JSON.parse(String((outer as { 'oslo.message'?: unknown })['oslo.message']))
    const event = (inner as { event_type?: unknown }).event_type
    return typeof event === 'string' ? event : null
  } catch {
    return null
  }
}

/** What the library says names codes and addresses, and never the password. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  const texts = [code, message].filter((each) => typeof each === 'string' && each !== '')
  const [first, second] = texts.map(String)
  if (first === undefined) return 'unknown'
  return second === undefined || second.includes(first) ? (second ?? first) : `${first}: ${second}`
}
