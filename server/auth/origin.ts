// A request that another site made a browser send carries that site's Origin. Cookies are SameSite=Lax already; this
// is the second lock, and the only one for browsers on the same site under another host.

/**
 * The Origin when it is not ours, else null. Programs send none and are let through: they have no cookies to steal.
 * `publicUrl` is where people reach Berth when a proxy in front changes the Host header.
 */
export function foreignOrigin(headers: Headers, publicUrl: string | null): string | null {
  const origin = headers.get('origin')
  if (origin === null) return headers.get('sec-fetch-site') === 'cross-site' ? 'another site' : null
  return ownHosts(headers, publicUrl).includes(hostOf(origin) ?? '') ? null : origin
}

/** Origins better-auth should take as ours; it runs its own check after this one. */
export function ownOrigins(headers: Headers, publicUrl: string | null): string[] {
  return ownHosts(headers, publicUrl).flatMap((host) => [`http://${host}`, `https://${host}`])
}

export function isHttps(headers: Headers, publicUrl: string | null): boolean {
  return (
    (publicUrl?.startsWith('https:') ?? false) || headers.get('x-forwarded-proto')?.split(',')[0]?.trim() === 'https'
  )
}

function ownHosts(headers: Headers, publicUrl: string | null): string[] {
  const hosts = [headers.get('host'), publicUrl === null ? null : hostOf(publicUrl)]
  return hosts.filter((host) => host !== null && host !== '') as string[]
}

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null
}
