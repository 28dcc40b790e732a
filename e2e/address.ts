// Where the browser tests find Berth. One server is started by Playwright and shared by the specs, like one fleet by
// its operators; a spec that kills its server starts one of its own on the next port.

export const PORT = Number(process.env.E2E_PORT || 3210)

export const originAt = (port: number) => `http://127.0.0.1:${port}`

/** What the process is told, besides who signs in. Its data are thrown away at its next start. */
export const settingsFor = (port: number) => ({
  PORT: String(port),
  BERTH_POSTGRES_DIR: `.data/e2e-postgres-${port}`,
  // Guests and hosts do everything this many times faster than real ones, so nobody waits for a shutdown or a copy.
  SIMULATOR_SPEED: '20',
})
