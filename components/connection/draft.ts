import { type DaemonAddress, DEFAULT_PORT, daemonAddress, type Transport } from '@/forms/connection'
import type { ConnectionFiles } from '@/server/api/connection/connections'

// A connection being edited: every field is text, and fields of the other transports keep what was typed.

export interface Draft {
  readonly kind: Transport['kind']
  readonly socketPath: string
  readonly host: string
  readonly ports: Readonly<Record<keyof typeof DEFAULT_PORT, number>>
  readonly pkiPath: string
  readonly user: string
  /** Empty: the agent's key or the user's default. */
  readonly keyPath: string
  readonly isSession: boolean
}

/** Preselects the first available file of each kind. */
export const draftFor = ({ sockets, pkiPaths }: ConnectionFiles): Draft => ({
  kind: sockets.length > 0 ? 'unix' : 'tls',
  socketPath: sockets.find((path) => path.endsWith('/libvirt-sock')) ?? sockets[0] ?? '',
  pkiPath: pkiPaths[0] ?? '',
  ports: DEFAULT_PORT,
  ...{ host: '', user: '', keyPath: '', isSession: false },
})

function transportOf({ kind, socketPath, host, ports, pkiPath, user, keyPath }: Draft): Transport {
  switch (kind) {
    case 'unix':
      return { kind, socketPath }
    case 'tls':
      return { kind, host: host.trim(), port: ports.tls, pkiPath }
    case 'ssh':
      return { kind, host: host.trim(), port: ports.ssh, user: user.trim() || null, keyPath: keyPath || null }
    default:
      return kind satisfies never
  }
}

export type DraftField = 'socketPath' | 'host' | 'port' | 'pkiPath' | 'user' | 'keyPath'

/** The address, or the error of each filled field. */
export function readDraft(
  draft: Draft,
):
  | { readonly ok: true; readonly address: DaemonAddress }
  | { readonly ok: false; readonly wrong: Partial<Record<DraftField, string>> } {
  const daemon = draft.isSession ? 'session' : 'system'
  const read = daemonAddress.safeParse({ transport: transportOf(draft), daemon })
  if (read.success) return { ok: true, address: read.data }
  const wrong = read.error.issues.map(({ path, message }) => [path[1], message] as const)
  return { ok: false, wrong: Object.fromEntries(wrong) }
}
