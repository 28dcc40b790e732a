import { startTestServer, type TestServer } from './test-database'

// vitest's globalSetup for the projects whose tests need PostgreSQL: one server for the whole run.

let server: TestServer | undefined

export async function setup(): Promise<void> {
  server = await startTestServer()
}

export async function teardown(): Promise<void> {
  await server?.stop()
}
