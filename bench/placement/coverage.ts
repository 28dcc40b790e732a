import { ROUTES } from '../../server/api/placement/routes'
import type { PlacementRequest } from './random-requests'

// Coverage of the random requests of compare.ts: how many went to each route with each method, and the statuses of the
// real Placement.

const OTHER = 'other paths'
const PATHS = [...new Set(ROUTES.map(({ path }) => path))].map((path) => {
  const pattern = path.replaceAll(/[{][a-z_]+[}]/g, '[^/]+')
  return { path, pattern: new RegExp(`^${pattern}$`) }
})

/** The path pattern of the route, such as `/resource_providers/{uuid}`. */
export function routeOf({ path }: Pick<PlacementRequest, 'path'>): string {
  const bare = path.replace(/\?.*/s, '')
  return PATHS.find(({ pattern }) => pattern.test(bare))?.path ?? OTHER
}

type Counts<Key> = Map<Key, number>
const count = <Key>(counts: Counts<Key>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1)

export class Coverage {
  readonly #routes = new Map<string, Counts<number>>()
  readonly #versions: Counts<number> = new Map()
  readonly #statuses: Counts<number> = new Map()

  add(asked: PlacementRequest, status: number): void {
    const route = `${asked.method} ${routeOf(asked)}`
    this.#routes.set(route, count(this.#routes.get(route) ?? new Map(), status))
    count(this.#statuses, status)
    count(this.#versions, asked.minor)
  }

  /** One line per route and method, one for all statuses, one for the versions. Unused routes count 0. */
  lines(): string[] {
    const served = ROUTES.map(({ method, path }) => `${method} ${path}`)
    const others = [...this.#routes.keys()].filter((route) => !served.includes(route)).sort()
    const rows = [...served, ...others].map((route) => {
      const statuses = this.#routes.get(route) ?? new Map<number, number>()
      return `${String(sum(statuses)).padStart(5)}  ${route.padEnd(62)} ${spread(statuses)}`
    })
    const versions = Array.from({ length: 40 }, (_, minor) => this.#versions.get(minor) ?? 0)
    return [
      ...rows,
      `${String(sum(this.#statuses)).padStart(5)}  in all: ${spread(this.#statuses)}`,
      `requests per version, 1.0 to 1.39: ${Math.min(...versions)} to ${Math.max(...versions)}`,
    ]
  }
}

const sum = (counts: Counts<number>) => [...counts.values()].reduce((all, each) => all + each, 0)
const spread = (counts: Counts<number>) =>
  [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, times]) => `${status}: ${times}`)
    .join(', ')
