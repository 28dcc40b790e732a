import type { Server } from 'node:http'
import type { Readiness } from './health/readiness'
import type { Endpoints } from './http/endpoints'
import type { Pages } from './http/front-server'

// The running Berth, for routes and pages. Next bundles those separately, so a module they import exists a second time
// there; only the global object is shared. This file has no runtime imports, or every route would carry the whole
// server in its bundle.

export interface Berth {
  /** What routes and pages pass requests to. */
  readonly endpoints: Endpoints | null
  /** The console's port, with its pages; not yet listening. */
  server(pages: Pages): Server
  /** The Placement API for its own port; not yet listening. */
  placementServer(): Server
  /** Whether requests should come here. For /readyz; answers within two seconds whatever the database does. */
  readiness(): Promise<Readiness>
  /** Ends event streams so that browsers reconnect elsewhere, and accepts no new work. Requests are still answered. */
  quiesce(): Promise<void>
  /** Stops everything, the database connections last. */
  stop(): Promise<void>
}

const shared = globalThis as { __berth?: Berth }

/** Null before the start and after the stop. */
export function running(): Berth | null {
  return shared.__berth ?? null
}

export function setRunning(berth: Berth | null): void {
  if (berth) shared.__berth = berth
  else delete shared.__berth
}
