import type { ForestProvider } from '../../engine/resources/forest'
import type { Database } from '../database/database'
import { call, type WriteResult, type Writer } from './refused'

export type ProviderRow = Pick<ForestProvider, 'id' | 'name' | 'generation' | 'parent' | 'root'>

/** Null when there is none. */
export async function readProvider(database: Database, id: string): Promise<ProviderRow | null> {
  const { rows } = await database.pool.query<Omit<ProviderRow, 'generation'> & { generation: string }>({
    name: 'placement-provider',
    text: 'select id, name, generation, parent_id as parent, root_id as root from resource_provider where id = $1',
    values: [id],
  })
  const [row] = rows
  return row ? { ...row, generation: Number(row.generation) } : null
}

export interface NewProvider {
  readonly provider: string
  readonly name: string
  readonly parent: string | null
}

/** Returns the root. */
export function createProvider(database: Database, made: NewProvider, writer: Writer): Promise<WriteResult<string>> {
  return call(database, 'placement_create_provider', { ...made, ...writer })
}

export interface ProviderUpdate extends NewProvider {
  /** No parent was named: it stays where it is. */
  readonly keeps: boolean
  /** From 1.37 on a provider may leave its parent. */
  readonly reparents: boolean
}

export function updateProvider(
  database: Database,
  update: ProviderUpdate,
  writer: Writer,
): Promise<WriteResult<{ generation: number; parent: string | null; root: string }>> {
  return call(database, 'placement_update_provider', { ...update, ...writer })
}

export function deleteProvider(database: Database, provider: string, writer: Writer): Promise<WriteResult<null>> {
  return call(database, 'placement_delete_provider', { provider, ...writer })
}
