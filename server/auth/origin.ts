// Cross-site request forgery: a request that another site triggers carries that site's Origin. Cookies are SameSite=Lax
// already; this is a second check, and the only one against another host of the same site.

/**
 * The Origin if it is not ours, else null. Programs send none and are accepted: they have no cookies to misuse.
 * `publicUrl` is Berth's address if a proxy changes the Host header.
 */
export function foreignOrigin(headers: Headers, publicUrl: string | null): string | null {
  const origin = headers.get('origin')
  if (origin === null) return headers.get('sec-fetch-site') === 'cross-site' ? 'another site' : null
  return ownHosts(headers, publicUrl).includes(hostOf(origin) ?? '') ? null : origin
}

/** Origins that better-auth accepts as ours; it runs its own check after this one. */
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
