import type { CatalogEntry, CatalogKind, CatalogValues } from '@/server/api/catalog/router'

/** An entry that somebody changes or deletes; null makes a new one. */
export type Editing = {
  readonly [Kind in CatalogKind]: {
    readonly kind: Kind
    readonly entry: CatalogEntry<CatalogValues[Kind]> | null
    readonly does: 'set' | 'delete'
  }
}[CatalogKind]
