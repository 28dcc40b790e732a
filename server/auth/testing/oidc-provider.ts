import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import Provider from 'oidc-provider'

// A real OpenID Connect provider on loopback, with the development pages of its library: any name signs in with any
// password.

export const CLIENT = { id: 'berth', secret: 'a secret of the tests' } as const

export interface OidcProvider {
  readonly issuer: string
  close(): Promise<void>
}

export interface ProviderOptions {
  /** A free one by default. */
  readonly port?: number
  readonly redirectUri: string
  /** The user's groups at present. */
  readonly groupsOf: (name: string) => readonly string[]
}

export async function startOidcProvider({ port = 0, redirectUri, groupsOf }: ProviderOptions) {
  const held = await freePort(port)
  const issuer = `http://127.0.0.1:${held}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email'], profile: ['name', 'preferred_username', 'groups'] },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        preferred_username: accountId,
        name: `${accountId} of the provider`,
        email: `${accountId}@provider.test`,
        groups: groupsOf(accountId),
      }),
    }),
    pkce: { required: () => true },
    cookies: { keys: ['a key of the tests'] },
  })
  const server = await new Promise<ReturnType<typeof provider.listen>>((resolve) => {
    const listening = provider.listen(held, '127.0.0.1', () => resolve(listening))
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { issuer, close } satisfies OidcProvider
}

/** The provider's answers contain the issuer, so the port must be known before it listens. */
async function freePort(port: number): Promise<number> {
  if (port !== 0) return port
  const { createServer } = await import('node:net')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: free } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return free
}

// As a program, for browser tests: each user is in the group of the same name.
const [, script, port, redirectUri] = process.argv
if (script && import.meta.url === pathToFileURL(script).href && redirectUri) {
  const { issuer } = await startOidcProvider({ port: Number(port), redirectUri, groupsOf: (name) => [name] })
  console.log(`issuer ${issuer}`)
}
