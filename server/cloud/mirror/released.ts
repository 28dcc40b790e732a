import { isEnded } from '../../engine/cloud/history'
import type { CloudMigration, CloudServer } from '../../engine/cloud/snapshot'
import type { MirroredProvider } from './placement-trees'

// Allocations that a mirror lists and that Placement may have released since, which no generation tells.

export interface Holders {
  readonly servers: ReadonlyMap<string, CloudServer>
  readonly migrations: ReadonlyMap<string, CloudMigration>
  /** Names of nodes, by the id of their provider. */
  readonly nodes: ReadonlyMap<string, string>
}

/** Whoever by Nova's records should hold nothing of it: an instance of another node, an ended migration, nobody. */
export function maybeReleased(
  { provider }: MirroredProvider,
  { servers, migrations, nodes }: Holders,
): readonly string[] {
  if (!provider.allocations.told) return []
  const node = nodes.get(provider.root)
  return [...provider.allocations.value.keys()].filter((id) => {
    const server = servers.get(id)
    // Storage that is shared belongs to no node.
    if (server !== undefined) return server.host === null || (node !== undefined && server.node !== node)
    const migration = migrations.get(id)
    return migration === undefined || isEnded(migration)
  })
}
