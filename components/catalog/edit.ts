import type { CatalogEntry, CatalogKind, CatalogValues } from '@/server/api/catalog/router'

/** An entry to change or delete; null creates one. */
export type Editing = {
  readonly [Kind in CatalogKind]: {
    readonly kind: Kind
    readonly entry: CatalogEntry<CatalogValues[Kind]> | null
    readonly does: 'set' | 'delete'
  }
}[CatalogKind]
