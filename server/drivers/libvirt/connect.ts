import type { HypervisorAddress } from './address'
import type { HypervisorConnection } from './connection'
import { HypervisorError } from './errors'
import { connectRpc } from './rpc/rpc-connection'
import { connectVirsh } from './virsh/virsh-connection'

export const CLIENTS = ['rpc', 'virsh'] as const
export type HypervisorClient = (typeof CLIENTS)[number]

/** Progress of connecting: the address accepts connections; the account was accepted. */
export type ConnectStep = 'reached' | 'authenticated'

export interface ConnectWatch {
  /** Ends the attempt at once. */
  readonly signal?: AbortSignal
  readonly onStep?: (step: ConnectStep) => void
}

/** Resolves once the daemon has answered; rejects with a HypervisorError. */
export async function connectHypervisor(
  address: HypervisorAddress,
  client: HypervisorClient = 'rpc',
  watch: ConnectWatch = {},
): Promise<HypervisorConnection> {
  if (client === 'rpc') return connectRpc(address, { watch })
  const connection = connectVirsh(address)
  await connection.hostname()
  if (watch.signal?.aborted) throw new HypervisorError('closed', 'the attempt was cancelled')
  watch.onStep?.('reached')
  watch.onStep?.('authenticated')
  return connection
}
