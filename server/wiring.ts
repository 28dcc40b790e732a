import type { Doors } from './api/doors'

// The one place where Berth's parts meet: it makes them, hands them to each other, and takes them down. Whoever needs
// a part gets it from here as an argument; nothing else in server/ holds state of its own.

export interface Berth {
  /** What routes and pages pass requests to (api/doors.ts): `openDoors(services)`. Null while there is no API yet. */
  readonly doors: Doors | null
  /** Why no traffic should come here yet; null when all is well. For /readyz. */
  whyNotReady(): Promise<string | null>
  /** Ends event streams so that browsers reconnect elsewhere, and takes on no new work. Requests still answer. */
  quiesce(): Promise<void>
  /** Takes everything down, the database connections last. */
  stop(): Promise<void>
}

export interface StartOptions {
  readonly databaseUrl: string
  readonly log: (message: string) => void
}

// Next bundles pages and routes on their own, so a module they import exists a second time there. Only the global
// object is the same for both.
const shared = globalThis as { __berth?: Berth }

/** Brings Berth up. The database is there and migrated. */
export async function start(_options: StartOptions): Promise<Berth> {
  let stopping = false
  const berth: Berth = {
    doors: null,
    whyNotReady: async () => (stopping ? 'stopping' : null),
    quiesce: async () => {
      stopping = true
    },
    stop: async () => {
      delete shared.__berth
    },
  }
  shared.__berth = berth
  return berth
}

/** The running Berth, for routes and pages; null before it is up and after it is down. */
export function running(): Berth | null {
  return shared.__berth ?? null
}
