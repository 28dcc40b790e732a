import type { CatalogEntry, CatalogKind, CatalogValues } from '@/server/api/catalog/router'

/** The entry being changed or deleted; null creates a new one. */
export type CatalogEdit = {
  readonly [Kind in CatalogKind]: {
    readonly kind: Kind
    readonly entry: CatalogEntry<CatalogValues[Kind]> | null
    readonly does: 'set' | 'delete'
  }
}[CatalogKind]
