import pg from 'pg'

const RECONNECT_MS = 1000 // meanwhile the poll delivers events
const ALIVE_MS = 10_000 // no query runs here, so only keepalive shows that the peer is gone
const CONNECT_MS = 10_000 // a database that hangs accepts connections and never answers, even after another took over

export interface ListenerOptions {
  readonly channel: string
  readonly onNotify: () => void
  readonly onFailure: (error: unknown) => void
  /** Set by tests. */
  readonly connectMs?: number
}

/** LISTEN on its own connection, because a pooled one would be shared. Reconnects until stopped. */
export class Listener {
  #client: pg.Client | null = null
  #retry: NodeJS.Timeout | undefined
  #stopped = false
  #connecting: Promise<void>

  constructor(
    private readonly url: string,
    private readonly options: ListenerOptions,
  ) {
    this.#connecting = this.#connect()
  }

  async #connect(): Promise<void> {
    const { connectMs = CONNECT_MS } = this.options
    const client = new pg.Client({
      ...{ connectionString: this.url, application_name: 'berth listener' },
      ...{ keepAlive: true, keepAliveInitialDelayMillis: ALIVE_MS },
      ...{ connectionTimeoutMillis: connectMs, query_timeout: connectMs },
    })
    this.#client = client
    client.on('notification', this.options.onNotify)
    client.on('error', () => {}) // `end` follows
    client.on('end', () => this.#later())
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(this.options.channel)}`)
      this.options.onNotify() // for what arrived while disconnected
    } catch (error) {
      if (!this.#stopped) this.options.onFailure(error)
      await client.end().catch(() => {})
      this.#later()
    }
  }

  #later(): void {
    clearTimeout(this.#retry)
    if (this.#stopped) return
    this.#retry = setTimeout(() => {
      this.#connecting = this.#connect()
    }, RECONNECT_MS)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#retry)
    await this.#connecting
    await this.#client?.end().catch(() => {})
  }
}
