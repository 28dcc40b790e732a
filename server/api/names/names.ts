import type { ConsumerId } from '../../engine/words/ids'

// Replaces ids by names for display. Names are loaded before a view is made, so that views stay pure functions.

/** An object with its display name. */
export interface Ref {
  readonly id: string
  readonly name: string
}

export interface HolderRef {
  readonly kind: 'instance' | 'migration'
  readonly id: string
  readonly name: string
}

export interface NameSource {
  readonly hosts: ReadonlyMap<string, string>
  readonly instances: ReadonlyMap<string, string>
  /** Migration → its instance. */
  readonly migrations: ReadonlyMap<string, string>
}

export interface Names {
  host(id: string): Ref
  instance(id: string): Ref
  /** A migration goes by the name of its instance. */
  holder(id: ConsumerId | string): HolderRef
  /** A sentence that contains ids, with names in place of the known ones. */
  text(text: string): string
}

export function namesFrom(source: NameSource): Names {
  const instanceName = (id: string) => source.instances.get(id) ?? shortId(id)
  return {
    host: (id) => ({ id, name: source.hosts.get(id) ?? shortId(id) }),
    instance: (id) => ({ id, name: instanceName(id) }),
    holder: (id) => {
      const moved = source.migrations.get(id)
      return moved === undefined
        ? { kind: 'instance', id, name: instanceName(id) }
        : { kind: 'migration', id, name: instanceName(moved) }
    },
    text: (text) =>
      text.replaceAll(UUID, (id) => {
        const moved = source.migrations.get(id)
        if (moved !== undefined) return `migration of ${instanceName(moved)}`
        return source.hosts.get(id) ?? source.instances.get(id) ?? id
      }),
  }
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** Ids in a text, or in the JSON of a value, that must be looked up first. */
export const idsInText = (text: string): readonly string[] => text.match(UUID) ?? []

/** The same value with every string in it named. */
export function namedIn<T>(value: T, names: Pick<Names, 'text'>): T {
  if (typeof value === 'string') return names.text(value) as T
  if (Array.isArray(value)) return value.map((each) => namedIn(each, names)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, namedIn(each, names)])) as T
}

/** For objects that no longer have a name. */
export function shortId(id: string): string {
  return id.slice(0, 8)
}
