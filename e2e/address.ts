// Addresses of Berth in the browser tests. Playwright starts three servers: one with the small demo fleet, which the
// specs share; another one like it, for specs that change nothing and run in parallel; and one with a fleet of the size
// for which the journeys are specified. A spec that kills its server starts its own.

export const PORT = Number(process.env.E2E_PORT || 3210)
export const JOURNEYS_PORT = PORT + 20
export const PAGES_PORT = PORT + 40
/** Answers 200 when all three are up. */
export const SERVERS_PORT = PORT + 50
/** The tests on real libvirt hosts. */
export const LIBVIRT_PORT = PORT + 60
/** The tests on a real OpenStack cloud. */
export const OPENSTACK_PORT = PORT + 80

/** The fleet size of the product budgets: HOSTSxINSTANCES. */
export const JOURNEYS_FLEET = '500x20000'

export const originAt = (port: number) => `http://127.0.0.1:${port}`

export const postgresAt = (port: number) => `.data/e2e-postgres-${port}`

/** Environment of the process, without its users. Its data are deleted at its next start. */
export const settingsFor = (port: number) => ({
  PORT: String(port),
  BERTH_POSTGRES_DIR: postgresAt(port),
  // Simulated hosts and instances run at this multiple of real speed, so that no test waits for a shutdown or a copy.
  SIMULATOR_SPEED: '20',
})
