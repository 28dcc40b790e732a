import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { rowsOf } from '../engine/cloud/facts'
import type { CloudFinding } from '../engine/cloud/finding'
import type { CloudProvider, CloudSnapshot, Part } from '../engine/cloud/snapshot'
import type { CloudStatus } from './status'

// The known state of a cloud, split into parts that are stored one by one: a change of one instance writes a sixteenth
// of them. Long lists are split by the first digit of the ids, with a yield between two pieces.

/** Everything that screens show of a cloud. */
export interface CloudState {
  readonly snapshot: CloudSnapshot
  readonly findings: readonly CloudFinding[]
}

/** Raised when the format of a part changes: older stored parts are then not read. */
const FORMAT = 4

const WHOLE = ['services', 'hypervisors', 'aggregates', 'zones', 'groups', 'flavors'] as const
const CUT = ['servers', 'migrations', 'providers'] as const
const MAPS = ['consumers', 'topologies', 'deadHosts', 'domains'] as const
const DIGITS = [...'0123456789abcdef']
/** For ids that are not uuids. */
const OTHER_DIGIT = '0'

type ListName = (typeof WHOLE)[number] | (typeof CUT)[number]
type PartHeader =
  | { readonly isRead: true; readonly at: number; readonly complete: boolean }
  | Extract<Part<unknown>, { isRead: false }>

interface Meta {
  readonly format: number
  readonly now: number
  readonly steadySince: number | null
  readonly lists: Readonly<Record<ListName, PartHeader>>
}

const LIST_NAMES: readonly ListName[] = [...WHOLE, ...CUT]
const cutName = (name: string, digit: string) => `${name} ${digit}`

export const STATUS = 'status'
export const META = 'meta'

export const statusText = (status: CloudStatus): string => JSON.stringify(status)

/** Remembers the parts it returned, and returns those that differ. */
export class PartSplitter {
  readonly #rows = new Map<string, readonly unknown[]>()
  readonly #digests = new Map<string, string>()

  /** The parts that changed. `isNews`: more than times changed. */
  async cut({
    snapshot,
    findings,
  }: CloudState): Promise<{ readonly parts: Map<string, string>; readonly isNews: boolean }> {
    const parts = new Map<string, string>()
    for (const name of WHOLE) await this.#put(parts, name, rowsOf<unknown>(snapshot[name]))
    for (const name of CUT) await this.#putCut(parts, name, snapshot)
    for (const name of MAPS) await this.#put(parts, name, [...snapshot[name]])
    const isNews =
      parts.size > 0 ||
      this.#isOther(
        'what was found',
        findings.map(({ print, kind, object, locked }) => [kind, object.id, print, locked]),
      )
    await this.#put(parts, 'findings', findings)
    const meta: Meta = {
      format: FORMAT,
      now: snapshot.now,
      steadySince: snapshot.steadySince ?? null,
      lists: listStatesOf(snapshot),
    }
    parts.set(META, JSON.stringify(meta))
    return { parts, isNews }
  }

  /** Call when returned parts were not stored. */
  forget(): void {
    this.#rows.clear()
    this.#digests.clear()
  }

  async #putCut(parts: Map<string, string>, name: (typeof CUT)[number], snapshot: CloudSnapshot): Promise<void> {
    const rows = new Map<string, unknown[]>(DIGITS.map((digit) => [digit, []]))
    const part: Part<readonly { readonly id: string | number; readonly uuid?: string }[]> = snapshot[name]
    for (const row of rowsOf(part)) {
      const digit = (row.uuid ?? String(row.id)).charAt(0).toLowerCase()
      rows.get(rows.has(digit) ? digit : OTHER_DIGIT)?.push(row)
    }
    for (const [digit, some] of rows) {
      const shown =
        name === 'providers' ? (some as CloudProvider[]).map((row) => timeless(row, snapshot.providers)) : some
      await this.#put(parts, cutName(name, digit), shown)
    }
  }

  async #put(parts: Map<string, string>, name: string, rows: readonly unknown[]): Promise<void> {
    const before = this.#rows.get(name)
    this.#rows.set(name, rows)
    if (before?.length === rows.length && rows.every((row, at) => row === before[at])) return
    await nextTurn()
    const text = JSON.stringify(rows, mapsAsLists)
    if (this.#isOther(name, text)) parts.set(name, text)
  }

  #isOther(name: string, value: unknown): boolean {
    const digest = createHash('sha1')
      .update(typeof value === 'string' ? value : JSON.stringify(value))
      .digest('base64')
    const before = this.#digests.get(name)
    this.#digests.set(name, digest)
    return before !== digest
  }
}

const listStatesOf = (snapshot: CloudSnapshot) =>
  Object.fromEntries(
    LIST_NAMES.map((name): [ListName, PartHeader] => {
      const part: Part<unknown> = snapshot[name]
      return [name, part.isRead ? { isRead: true, at: part.at, complete: part.complete } : part]
    }),
  ) as Record<ListName, PartHeader>

/** As new as the list of providers: the time is not repeated for each of them. */
const AS_LISTED = 0

function timeless(
  { allocationsReadAt: _, ...provider }: CloudProvider,
  list: CloudSnapshot['providers'],
): CloudProvider {
  const since = list.isRead ? list.at : Number.POSITIVE_INFINITY
  const cut = <T>(part: Part<T>): Part<T> => (part.isRead && part.at >= since ? { ...part, at: AS_LISTED } : part)
  return { ...provider, allocations: cut(provider.allocations), inventories: cut(provider.inventories) }
}

function timed(provider: CloudProvider, at: number): CloudProvider {
  const set = <T>(part: Part<T>): Part<T> => (part.isRead && part.at === AS_LISTED ? { ...part, at } : part)
  return { ...provider, allocations: set(provider.allocations), inventories: set(provider.inventories) }
}

const mapsAsLists = (_: string, value: unknown) => (value instanceof Map ? { $map: [...value] } : value)
const listsAsMaps = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && '$map' in value ? new Map(value.$map as [unknown, unknown][]) : value

export function readStatus(text: string | null): CloudStatus | null {
  if (text === null) return null
  const status = JSON.parse(text) as CloudStatus
  // Older versions write no notifications, or the time of the last one by another name.
  const { notifications = null } = status
  return {
    ...status,
    notifications: notifications && { ...notifications, receivedAt: notifications.receivedAt ?? null },
  }
}

/** The value of a part from a cutter's text. Null when it is lost. */
export function readPart(name: string, text: string | null): unknown {
  if (text === null) return null
  const hasMaps = /^(providers|consumers|topologies|domains)/.test(name)
  return JSON.parse(text, hasMaps ? listsAsMaps : undefined)
}

/** The cloud's clock after its last step, as a part `meta` has it; null: no step is known. */
export function steadySinceIn(meta: unknown): number | null {
  const { steadySince = null } = (meta ?? {}) as Partial<Meta>
  return typeof steadySince === 'number' ? steadySince : null
}

const LOST = 'its stored state cannot be read; the next poll reads it again'

/** Null: nothing was read yet, or another version of Berth wrote what is stored. */
export function stateOf(parts: ReadonlyMap<string, unknown>): CloudState | null {
  const meta = parts.get(META) as Meta | null | undefined
  if (!meta || meta.format !== FORMAT) return null
  const list = <T>(name: ListName, pieces: readonly string[]): Part<readonly T[]> => {
    const header = meta.lists[name]
    if (!header.isRead) return header
    const read = pieces.map((piece) => parts.get(piece))
    if (read.some((piece) => !Array.isArray(piece))) return { isRead: false, why: LOST }
    return { ...header, value: read.flat() as readonly T[] }
  }
  const whole = Object.fromEntries(WHOLE.map((name) => [name, list(name, [name])])) as unknown as Pick<
    CloudSnapshot,
    (typeof WHOLE)[number]
  >
  const cut = <T>(name: (typeof CUT)[number]) =>
    list<T>(
      name,
      DIGITS.map((digit) => cutName(name, digit)),
    )
  const providers = cut<CloudProvider>('providers')
  const map = <T>(name: (typeof MAPS)[number]) => new Map((parts.get(name) ?? []) as [string, T][])
  return {
    snapshot: {
      now: meta.now,
      ...(meta.steadySince !== null && { steadySince: meta.steadySince }),
      ...whole,
      ...{ servers: cut('servers'), migrations: cut('migrations') },
      providers: providers.isRead
        ? { ...providers, value: providers.value.map((each) => timed(each, providers.at)) }
        : providers,
      ...{ consumers: map('consumers'), topologies: map('topologies'), deadHosts: map('deadHosts') },
      domains: map('domains'),
    },
    findings: (parts.get('findings') ?? []) as readonly CloudFinding[],
  }
}
