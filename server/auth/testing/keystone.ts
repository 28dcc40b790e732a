import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

// The part of Keystone that a sign-in uses, by the Identity v3 API: issues a token for a password and a scope, with the
// roles in that scope, and revokes tokens.

export interface KeystoneAccount {
  readonly password: string
  readonly domain: string
  readonly roles: readonly string[]
}

interface TokenRequest {
  readonly auth: {
    readonly identity: { readonly password: { readonly user: User } }
    readonly scope: { readonly system?: unknown; readonly project?: { readonly name: string } }
  }
}
interface User {
  readonly name: string
  readonly password: string
  readonly domain: { readonly name: string }
}

export async function startKeystone(accounts: Readonly<Record<string, KeystoneAccount>>) {
  const tokens = new Set<string>()
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body, token }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...(token ? { 'x-subject-token': token } : {}) })
      response.end(body === null ? undefined : JSON.stringify(body))
    })
  })
  const answer = async (request: IncomingMessage) => {
    if (request.url !== '/v3/auth/tokens') return { status: 404, body: null }
    if (request.method === 'DELETE') {
      return { status: tokens.delete(String(request.headers['x-subject-token'])) ? 204 : 404, body: null }
    }
    const { auth } = JSON.parse(await text(request)) as TokenRequest
    const { user } = auth.identity.password
    const account = accounts[user.name]
    if (account?.password !== user.password || account.domain !== user.domain.name) return { status: 401, body: {} }
    const token = `token-of-${user.name}-${tokens.size}`
    tokens.add(token)
    const roles = account.roles.map((name) => ({ id: name, name }))
    return { status: 201, body: { token: { user: { id: `id-of-${user.name}`, name: user.name }, roles } }, token }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`,
    /** Issued and not revoked. */
    tokens,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
