import { randomBytes } from 'node:crypto'
import type http from 'node:http'

// Headers of every answer from every endpoint, against framing, sniffing and injection. They are set before an endpoint
// runs, so that errors have them too.

type Headers = Readonly<Record<string, string>>

const ALWAYS: Headers = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
/** For the requested name only, without includeSubDomains: other names in the domain are not ours to decide about. */
const HSTS = 'max-age=31536000'

/** For answers that are no page, so that browsers neither run nor render them. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

export const SECURITY_HEADERS: Headers = { ...ALWAYS, 'content-security-policy': DATA_POLICY }

/** For an answer that is no page. */
export function setSecurityHeaders(response: http.ServerResponse, { isHttps }: { readonly isHttps: boolean }): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
  if (isHttps) response.setHeader('strict-transport-security', HSTS)
}

/**
 * For a page, with its own nonce for scripts. Next and the layout read the policy from the request, where a
 * value set by the client is overwritten.
 */
export function setPageHeaders(request: http.IncomingMessage, response: http.ServerResponse, isDev: boolean): void {
  const policy = pagePolicy(randomBytes(16).toString('base64'), isDev)
  request.headers['content-security-policy'] = policy
  delete request.headers['content-security-policy-report-only']
  response.setHeader('content-security-policy', policy)
}

/**
 * Scripts need the nonce of their page. Styles do not: dialogs, lists and toasts of the libraries write style elements
 * while they are open, without one, and a style runs nothing.
 */
export function pagePolicy(nonce: string, isDev: boolean): string {
  const rules = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${isDev ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return rules.join('; ')
}

export function nonceIn(policy: string | null): string | undefined {
  return /'nonce-([A-Za-z0-9+/=]+)'/.exec(policy ?? '')?.[1]
}
