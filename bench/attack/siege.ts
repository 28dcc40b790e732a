import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchServer } from '../console/server'
import { askAt } from './client'
import type { People } from './people'

// The attacks that are not one call but many, or one without end. Each says in a sentence what it found.

type Finding = readonly [holds: boolean, what: string]

const MIB = 1024 * 1024
const HUGE_MIB = 400
const GROWTH_LIMIT_MIB = 200
const STREAMS = 1_000
const WRITE_LIMIT_MS = 2_000
const GUESSES = 500
const json = { 'content-type': 'application/json' }

/** Chunked, so that no length is announced. */
export async function oneHugeBody(server: BenchServer, port: number): Promise<Finding> {
  const before = server.rssBytes ?? 0
  let most = before
  let sent = 0
  await new Promise<void>((resolve) => {
    const request = http.request({
      port,
      method: 'POST',
      path: '/api/auth/sign-in/username',
      headers: json,
      agent: false,
    })
    request.on('response', (response) => response.resume())
    request.on('error', () => {}).on('close', resolve)
    const pour = () => {
      while (sent < HUGE_MIB && !request.destroyed) {
        sent++
        most = Math.max(most, server.rssBytes ?? 0)
        if (!request.write(Buffer.alloc(MIB, 'x'))) return void request.once('drain', pour)
      }
      request.end()
    }
    pour()
  })
  const grown = (most - before) / MIB
  return [
    grown < GROWTH_LIMIT_MIB,
    `a body of ${HUGE_MIB} MiB to sign-in: ${sent} MiB taken, memory grew by ${grown.toFixed(0)} MiB`,
  ]
}

export async function manyStreams(port: number, people: People): Promise<Finding> {
  const open: http.ClientRequest[] = []
  const statuses = await Promise.all(
    Array.from({ length: STREAMS }, () => {
      const headers = { cookie: people.viewer, accept: 'text/event-stream' }
      const request = http.get({ port, path: '/api/trpc/event.stream', headers, agent: false })
      open.push(request)
      return new Promise<string>((resolve) => {
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
  const body = Buffer.from(JSON.stringify({ id: people.ids[0], admission: 'disabled', reason: 'siege' }))
  const headers = { ...json, cookie: people.admin }
  const told = await askAt(port, { method: 'POST', path: '/api/trpc/host.setAdmission', headers, body })
  const tookMs = performance.now() - began
  for (const request of open) request.destroy()
  await pause(500)
  const count = (word: string) => statuses.filter((each) => each === word).length
  const what = `${STREAMS} streams of one viewer: ${count('open')} open, ${count('refused')} refused; a write beside them: ${told.status} in ${tookMs.toFixed(0)} ms`
  return [told.status < 500 && told.status !== 429 && tookMs < WRITE_LIMIT_MS && count('refused') > 0, what]
}

export async function floodSignIn(port: number, { adminPassword }: People): Promise<Finding> {
  const signIn = (password: string, from: string) => {
    const body = Buffer.from(JSON.stringify({ username: 'admin', password }))
    return askAt(port, { method: 'POST', path: '/api/auth/sign-in/username', headers: json, body }, { from })
  }
  const flood = Array.from({ length: GUESSES }, (_, n) => signIn(`guess number ${n}`, '127.0.0.1'))
  const owner = await signIn(adminPassword, '127.0.0.2')
  const answers = await Promise.all(flood)
  const after = await signIn(adminPassword, '127.0.0.2')
  const guessed = answers.filter(({ status }) => status === 401).length
  const what = `${GUESSES} guesses at admin from one address: ${guessed} were looked at; the owner from another: ${owner.status} during, ${after.status} after`
  return [owner.status === 200 && after.status === 200 && guessed <= 10, what]
}
