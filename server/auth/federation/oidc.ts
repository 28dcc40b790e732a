import * as client from 'openid-client'
import { type Identity, SignInRefused } from './identity'
import type { OidcSettings } from './settings'

// Sign-in with an OpenID Connect provider: authorization code with PKCE, state and nonce. The library checks the
// answer. Discovery happens at the first sign-in, so that Berth starts while the provider is down.

/** What the answer to one attempt must match; kept in a cookie of the browser that began it. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface Oidc {
  /** Where to send the browser, and what to keep until it comes back to `redirectUri`. */
  begin(redirectUri: string): Promise<{ readonly url: URL; readonly attempt: Attempt }>
  /** The user identified by `answer`, the query of the callback. Throws a SignInRefused. */
  finish(redirectUri: string, answer: URLSearchParams, attempt: Attempt): Promise<Identity>
}

const TIMEOUT_S = 10

export function openOidc(settings: OidcSettings): Oidc {
  const discovered = once(() => discover(settings))
  return {
    begin: (redirectUri) =>
      byProvider(async () => {
        const attempt = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        }
        const url = client.buildAuthorizationUrl(await discovered(), {
          redirect_uri: redirectUri,
          scope: settings.scopes,
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
          code_challenge_method: 'S256',
        })
        return { url, attempt }
      }),
    finish: (redirectUri, answer, { state, nonce, verifier }) =>
      byProvider(async () => {
        const config = await discovered()
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirectUri}?${answer}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('the answer has no ID token')
        const more = config.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
          : {}
        return identityFrom({ ...claims, ...more }, settings)
      }),
  }
}

function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<client.Configuration> {
  return client.discovery(
    issuer,
    clientId,
    undefined,
    clientSecret ? client.ClientSecretPost(clientSecret) : client.None(),
    {
      timeout: TIMEOUT_S,
      // The settings permit http on this machine only.
      execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    },
  )
}

/** Keeps the first result; a failure is retried at the next call. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}

async function byProvider<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new SignInRefused('provider', 'The identity provider refused the sign-in or did not answer.', {
      cause: error,
    })
  }
}

function identityFrom(
  claims: Readonly<Record<string, unknown>>,
  { groupsClaim }: Pick<OidcSettings, 'groupsClaim'>,
): Identity {
  const text = (key: string) => (typeof claims[key] === 'string' && claims[key] !== '' ? claims[key] : null)
  const email = text('email')
  const subject = text('sub') ?? ''
  const username = text('preferred_username') ?? email ?? subject
  const groups = claims[groupsClaim]
  return {
    provider: 'oidc',
    subject,
    username,
    name: text('name') ?? username,
    email,
    groups: (Array.isArray(groups) ? groups : [groups]).filter((each) => typeof each === 'string'),
  }
}
