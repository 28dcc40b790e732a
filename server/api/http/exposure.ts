// Whether traffic to the console can be read on the network. Berth does not terminate TLS: a proxy in front does, and a
// setting says so.

type Env = Readonly<Record<string, string | undefined>>

const LOOPBACK: readonly (string | undefined)[] = [undefined, '', 'localhost', '127.0.0.1', '::1']

/** A warning for the log at start and for the settings page; null if there is none. */
export function exposureWarning({ HOST, BERTH_URL, BERTH_TRUSTED_PROXIES }: Env): string | null {
  if (LOOPBACK.includes(HOST) || BERTH_URL?.startsWith('https:')) return null
  const toDo = BERTH_TRUSTED_PROXIES
    ? 'Set BERTH_URL to the https address of the proxy.'
    : 'Put a proxy with TLS in front, and set BERTH_URL to its https address and BERTH_TRUSTED_PROXIES to the proxy.'
  return `Berth listens on ${HOST} without TLS: passwords and sessions can be read on the network. ${toDo}`
}
