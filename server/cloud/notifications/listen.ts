import fs from 'node:fs'
import { type AsyncMessage, Connection } from 'rabbitmq-client'
import type { NotificationSettings } from './settings'

// A notification on Nova's message queue is only a hint to poll sooner: it may come late, twice or never, and the state
// of a cloud is always read from its API.

export interface Listener {
  /** Why notifications cannot be received; null while it listens. */
  readonly failure: string | null
  close(): void
}

/** Queue length for a server that falls behind; the queue drops older ones. */
const MAX_QUEUE_LENGTH = 1_000
const RETRY_MS = { retryLow: 1_000, retryHigh: 30_000 }
/** Events about what screens show. Reports that each instance exists come hourly without a change. */
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
  // A separate queue: other readers of Nova's notifications lose none to it, and it is removed with the connection.
  const consumer = connection.createConsumer(
    {
      ...{ queue: '', noAck: true },
      queueOptions: { exclusive: true, autoDelete: true, arguments: { 'x-max-length': MAX_QUEUE_LENGTH } },
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
    // It may be waiting to reconnect, and a clean close would wait for that.
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

/** Nova's event name, such as `instance.create.end`; null: the message is not from oslo.messaging. */
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

/** The library's messages contain codes and addresses, and never the password. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  const texts = [code, message].filter((each) => typeof each === 'string' && each !== '')
  const [first, second] = texts.map(String)
  if (first === undefined) return 'unknown'
  return second === undefined || second.includes(first) ? (second ?? first) : `${first}: ${second}`
}
