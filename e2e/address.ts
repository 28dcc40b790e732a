// Where the browser tests find Berth. Playwright starts three: one with the small demo fleet, shared by the specs like one
// fleet by its operators; another of them for those that only look, beside the others; and one with a fleet of the size
// the journeys are promised for. A spec that kills its server starts one of its own.

export const PORT = Number(process.env.E2E_PORT || 3210)
export const JOURNEYS_PORT = PORT + 20
export const PAGES_PORT = PORT + 40
/** Returns 200 when all three are up. */
export const SERVERS_PORT = PORT + 50
/** The stories on real libvirt hosts. */
export const LIBVIRT_PORT = PORT + 60
/** The stories on a real OpenStack cloud. */
export const OPENSTACK_PORT = PORT + 80

/** The fleet that product budgets speak of: hosts x guests. */
export const JOURNEYS_FLEET = '500x20000'

export const originAt = (port: number) => `http://127.0.0.1:${port}`

export const postgresAt = (port: number) => `.data/e2e-postgres-${port}`

/** Environment of the process, besides its users. Its data are deleted at its next start. */
export const settingsFor = (port: number) => ({
  PORT: String(port),
  BERTH_POSTGRES_DIR: postgresAt(port),
  // Guests and hosts run this many times faster than real ones, so that no test waits for a shutdown or a copy.
  SIMULATOR_SPEED: '20',
})
