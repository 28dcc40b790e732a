import type { Stock } from '../../engine/resources/forest'
import type { Database } from '../database/database'
import { call, type WriteResult, type Writer } from './refused'

/** One inventory in Placement's terms. */
export interface InventoryRow extends Omit<Stock, 'used'> {
  readonly resourceClass: string
}

export interface ProviderInventories {
  readonly generation: number
  readonly inventories: readonly InventoryRow[]
}

type Row = readonly [string, ...number[]]

/** Null when there is no such provider. */
export async function readProviderInventories(database: Database, id: string): Promise<ProviderInventories | null> {
  const { rows } = await database.pool.query<{ generation: string; rows: readonly Row[] | null }>({
    name: 'placement-provider-inventories',
    text: `select p.generation, (
        select json_agg(json_build_array(i.resource_class, i.total, i.reserved, i.min_unit, i.max_unit, i.step_size,
          ratio_of(i.allocation_ratio_milli, i.allocation_ratio)) order by i.resource_class)
        from inventory i where i.provider_id = p.id) as rows
      from resource_provider p where p.id = $1`,
    values: [id],
  })
  const [row] = rows
  return row ? { generation: Number(row.generation), inventories: (row.rows ?? []).map(inventoryOf) } : null
}

function inventoryOf([resourceClass, ...numbers]: Row): InventoryRow {
  const [total = 0, reserved = 0, minUnit = 1, maxUnit = 1, stepSize = 1, ratio = 1] = numbers
  return { resourceClass, total, reserved, minUnit, maxUnit, stepSize, ratio }
}

export interface InventoryWrite {
  readonly provider: string
  /** Null: not checked. */
  readonly generation: number | null
  /** set: these and no others; add: must not exist yet; update: must exist; drop: the classes named. */
  readonly how: 'set' | 'add' | 'update' | 'drop'
  readonly inventories: readonly InventoryRow[]
  readonly classes?: readonly string[]
}

/** Returns the provider's new generation. */
export function writeInventories(
  database: Database,
  { inventories, ...write }: InventoryWrite,
  writer: Writer,
): Promise<WriteResult<string>> {
  const rows = inventories.map(inventoryJson)
  return call(database, 'placement_write_inventories', { classes: [], ...write, rows, ...writer })
}

const MILLI_MAX = 2_147_483_647

/** A row for the database functions: the ratio in thousandths, and as given when rounding would change it. */
export function inventoryJson(inventory: InventoryRow): unknown[] {
  const { resourceClass, total, reserved, minUnit, maxUnit, stepSize, ratio } = inventory
  const milli = Math.max(0, Math.min(MILLI_MAX, Math.floor(ratio * 1000 + 1e-6)))
  const exact = milli / 1000 === ratio ? null : ratio
  return [resourceClass, total, reserved, minUnit, maxUnit, stepSize, milli, exact]
}
