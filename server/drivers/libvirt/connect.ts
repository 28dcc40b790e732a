import type { HypervisorAddress } from './address'
import type { HypervisorConnection } from './connection'
import { connectRpc } from './rpc/rpc-connection'
import { connectVirsh } from './virsh/virsh-connection'

export const CLIENTS = ['rpc', 'virsh'] as const
export type HypervisorClient = (typeof CLIENTS)[number]

/** Resolves once the daemon has answered; rejects with a HypervisorError. */
export async function connectHypervisor(
  address: HypervisorAddress,
  client: HypervisorClient = 'rpc',
): Promise<HypervisorConnection> {
  if (client === 'rpc') return connectRpc(address)
  const connection = connectVirsh(address)
  await connection.hostname()
  return connection
}
