import type { StreamEvent } from '../event/router'
import type { Role } from '../permit/roles'
import { HOST, type TestApi } from './api'

// The event stream as a browser reads it, over HTTP.

export interface Message {
  readonly event: string
  readonly id: string
  readonly data: { is?: string; seq?: string; events?: readonly StreamEvent[]; data?: { code?: string } }
}

export interface Stream {
  readonly status: number
  /** The next message that the test accepts; null when the stream has ended. */
  next(accepts?: (message: Message) => boolean): Promise<Message | null>
  close(): void
}

export interface StreamOptions {
  readonly role?: Role
  readonly headers?: Readonly<Record<string, string>>
}

export async function openStream(api: TestApi, { role = 'viewer', headers = {} }: StreamOptions = {}): Promise<Stream> {
  const leave = new AbortController()
  const request = new Request(`http://${HOST}/api/trpc/event.stream`, {
    headers: { host: HOST, cookie: api.cookie(role), accept: 'text/event-stream', ...headers },
    signal: leave.signal,
  })
  const response = await api.endpoints.trpc(request)
  const messages = read(response)
  return {
    status: response.status,
    next: async (accepts = () => true) => {
      for (;;) {
        const { value, done } = await messages.next()
        if (done) return null
        if (accepts(value)) return value
      }
    },
    close: () => leave.abort(),
  }
}

async function* read(response: Response): AsyncGenerator<Message> {
  let text = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) yield parsed(part)
  }
}

function parsed(part: string): Message {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(part)?.[1] ?? ''
  return { event: field('event'), id: field('id'), data: JSON.parse(field('data') || '{}') }
}

export const isEvents = ({ data }: Message) => data.is === 'events'
/** Whether it was accepted or refused. */
export const isHead = ({ data, event }: Message) => data.is === 'beat' || event === 'serialized-error'
