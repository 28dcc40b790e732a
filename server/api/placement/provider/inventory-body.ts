import type { InventoryRow } from '../../../store/placement/inventory'
import { badRequest, type Problem } from '../problem'
import { FLOAT_MAX, INT_MAX, keyed, NAME, object } from '../schema/parts'

// Parses inventories of bodies, for the inventories API and a reshape.

const count = (minimum: number) => ({ type: 'integer', maximum: INT_MAX, minimum })

export const INVENTORY_FIELDS = {
  resource_provider_generation: { type: 'integer' },
  total: count(1),
  reserved: count(0),
  min_unit: count(1),
  max_unit: count(1),
  step_size: count(1),
  allocation_ratio: { type: 'number', maximum: FLOAT_MAX, minimum: -FLOAT_MAX },
}

/** All inventories of a provider, by class. The schema ignores keys that are no class names. */
export const INVENTORIES = object(
  {
    resource_provider_generation: { type: 'integer' },
    inventories: {
      type: 'object',
      patternProperties: keyed(NAME, object(INVENTORY_FIELDS, ['total'])).patternProperties,
    },
  },
  ['resource_provider_generation', 'inventories'],
)

export interface InventoryBody {
  readonly total: number
  readonly reserved?: number
  readonly min_unit?: number
  readonly max_unit?: number
  readonly step_size?: number
  readonly allocation_ratio?: number
}

export interface InventoriesBody {
  readonly resource_provider_generation: number
  readonly inventories: Readonly<Record<string, InventoryBody>>
}

export function inventoryOf(resourceClass: string, body: InventoryBody): InventoryRow {
  return {
    ...{ resourceClass, total: body.total, reserved: body.reserved ?? 0 },
    minUnit: body.min_unit ?? 1,
    maxUnit: body.max_unit ?? INT_MAX,
    stepSize: body.step_size ?? 1,
    ratio: body.allocation_ratio ?? 1,
  }
}

export const inventoriesOf = (body: InventoriesBody): InventoryRow[] =>
  Object.entries(body.inventories).map(([resourceClass, each]) => inventoryOf(resourceClass, each))

export function inventoryView({ total, reserved, minUnit, maxUnit, stepSize, ratio }: InventoryRow) {
  return {
    ...{ total, reserved, min_unit: minUnit, max_unit: maxUnit, step_size: stepSize },
    allocation_ratio: ratio,
  }
}

const ALL_RESERVED_FROM = 26

/** Refuses an inventory without capacity; from 1.26 on all of it may be reserved. */
export function capacityProblem(
  minor: number,
  inventories: readonly InventoryRow[],
  about: { readonly lead: string; readonly provider: string },
): Problem | null {
  const strict = minor < ALL_RESERVED_FROM
  const bad = inventories.find(({ total, reserved, ratio }) => {
    const capacity = Math.trunc((total - reserved) * ratio)
    return strict ? capacity <= 0 : capacity < 0
  })
  if (!bad) return null
  const words = strict ? 'greater than or equal to total' : 'greater than total'
  return badRequest(
    `${about.lead} Invalid inventory for '${bad.resourceClass}' on resource provider '${about.provider}'. The reserved value is ${words}.`,
  )
}
