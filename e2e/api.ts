import { type APIRequestContext, type APIResponse, expect } from '@playwright/test'

// API calls for preconditions that a spec does not test, such as thirty waiting migrations or a slow network.

async function readResult<Answer>(answer: APIResponse, path: string): Promise<Answer> {
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  return ((await answer.json()) as { result: { data: Answer } }).result.data
}

export async function queryApi<Answer>(request: APIRequestContext, path: string, input: unknown): Promise<Answer> {
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  return readResult(await request.get(`/api/trpc/${path}${query}`), path)
}

export async function mutateApi<Answer>(request: APIRequestContext, path: string, input: unknown): Promise<Answer> {
  return readResult(await request.post(`/api/trpc/${path}`, { data: input }), path)
}

interface NamedRow {
  readonly id: string
  readonly name: string
}

export async function instanceNamed(request: APIRequestContext, name: string): Promise<NamedRow> {
  const where = [{ key: 'name', any: [name] }]
  const { rows } = await queryApi<{ rows: readonly NamedRow[] }>(request, 'instance.list', { where })
  const [found] = rows
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

/** Starts the migration and returns its id. */
export async function startMigration(
  request: APIRequestContext,
  name: string,
  migration: { readonly operation: string; readonly flavor?: string; readonly host?: string },
): Promise<string> {
  const { id } = await instanceNamed(request, name)
  return (await mutateApi<{ migration: string }>(request, 'migrate.start', { instance: id, ...migration })).migration
}

/** Rolls back migrations left by an earlier try of the same test, and waits until none is in progress. */
export async function endMigrationsOf(request: APIRequestContext, ...names: readonly string[]): Promise<void> {
  const open = { key: 'state', any: ['flight', 'queued', 'waiting'] }
  const asked = { view: 'all', where: [{ key: 'instance', any: names }, open] }
  type MigrationSteps = { readonly rows: readonly { readonly id: string; readonly step: string }[] }
  const { rows } = await queryApi<MigrationSteps>(request, 'migration.list', asked)
  for (const { id, step } of rows) {
    // A migration that can no longer roll back ends without help.
    const data = { ids: [id], requestedAction: step === 'verify' ? 'revert' : 'abort' }
    await request.post('/api/trpc/migration.requestAction', { data })
  }
  const left = async () => (await queryApi<MigrationSteps>(request, 'migration.list', asked)).rows.length
  await expect.poll(left, { message: 'migrations that an earlier try left' }).toBe(0)
}

/** The fleet starts with this live migration in flight; if an earlier try ended it, starts it again. */
export async function ensureMigrating(request: APIRequestContext, name: string): Promise<void> {
  const where = [{ key: 'instance', any: [name] }]
  const { total } = await queryApi<{ total: number }>(request, 'migration.list', { view: 'flight', where })
  if (total === 0) await startMigration(request, name, { operation: 'live-migrate' })
}
