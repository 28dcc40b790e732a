import http from 'node:http'
import { requestAt } from './client'

// Attacks of many calls, or of one endless call: full size in `npm run fuzz`, small in a test. Each reports its
// measurements; the caller judges them.

const MIB = 1024 * 1024
const json = { 'content-type': 'application/json' }

export interface BodyAttack {
  readonly mib: number
  /** After each MiB: a good time to measure. */
  readonly onPart?: () => void
}

/** A chunked body for sign-in, without an announced length. Returns how much of it was read. */
export async function floodBody(port: number, { mib, onPart }: BodyAttack): Promise<{ readonly takenMib: number }> {
  let takenMib = 0
  await new Promise<void>((resolve) => {
    const request = http.request({
      ...{ host: '127.0.0.1', port, method: 'POST', path: '/api/auth/sign-in/username' },
      ...{ headers: json, agent: false },
    })
    request.on('response', (response) => response.resume())
    request.on('error', () => {}).on('close', resolve)
    const writeOn = () => {
      while (takenMib < mib && !request.destroyed) {
        takenMib++
        onPart?.()
        if (!request.write(Buffer.alloc(MIB, 'x'))) return void request.once('drain', writeOn)
      }
      request.end()
    }
    writeOn()
  })
  return { takenMib }
}

export interface StreamAttack {
  readonly streams: number
  /** The session of the person who opens them all. */
  readonly cookie: string
  /** A write by another user, sent while they are open. */
  readonly write: { readonly path: string; readonly cookie: string; readonly input: unknown }
}

export interface StreamAttackResult {
  readonly open: number
  readonly refused: number
  readonly write: { readonly status: number; readonly tookMs: number }
}

export async function openStreams(port: number, { streams, cookie, write }: StreamAttack): Promise<StreamAttackResult> {
  const opened: http.ClientRequest[] = []
  const heads = await Promise.all(
    Array.from({ length: streams }, () => {
      const headers = { cookie, accept: 'text/event-stream' }
      const request = http.get({ host: '127.0.0.1', port, path: '/api/trpc/event.stream', headers, agent: false })
      opened.push(request)
      return new Promise<'open' | 'refused' | 'cut'>((resolve) => {
        request.on('error', () => resolve('cut'))
        request.on('response', (response) =>
          response.on('data', (chunk: Buffer) => {
            if (String(chunk).includes('TOO_MANY')) resolve('refused')
            else if (String(chunk).includes('beat')) resolve('open')
          }),
        )
      })
    }),
  )
  const began = performance.now()
  const body = Buffer.from(JSON.stringify(write.input))
  const path = `/api/trpc/${write.path}`
  const { status } = await requestAt(port, { method: 'POST', path, headers: { ...json, cookie: write.cookie }, body })
  const tookMs = performance.now() - began
  for (const request of opened) request.destroy()
  const count = (head: string) => heads.filter((each) => each === head).length
  return { open: count('open'), refused: count('refused'), write: { status, tookMs } }
}

export interface SignInFlood {
  readonly guesses: number
  readonly username: string
  readonly password: string
}

export interface SignInFloodResult {
  /** Guesses whose password was checked. */
  readonly lookedAt: number
  /** The owner with the right password from another address, while the flood runs and after it. */
  readonly ownerDuring: number
  readonly ownerAfter: number
}

export async function floodSignIn(
  port: number,
  { guesses, username, password }: SignInFlood,
): Promise<SignInFloodResult> {
  const signIn = async (guess: string, from: string) => {
    const body = Buffer.from(JSON.stringify({ username, password: guess }))
    const call = { method: 'POST', path: '/api/auth/sign-in/username', headers: json, body }
    return (await requestAt(port, call, { from })).status
  }
  const flood = Array.from({ length: guesses }, (_, n) => signIn(`guess number ${n}`, '127.0.0.1'))
  const ownerDuring = await signIn(password, '127.0.0.2')
  const answers = await Promise.all(flood)
  const ownerAfter = await signIn(password, '127.0.0.2')
  return { lookedAt: answers.filter((status) => status === 401).length, ownerDuring, ownerAfter }
}
