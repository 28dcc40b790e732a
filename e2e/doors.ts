import type { APIRequestContext, APIResponse } from '@playwright/test'

// The procedures of the API, for what a spec needs and does not look at: thirty moves that wait, a slow network.

async function told<Answer>(answer: APIResponse, path: string): Promise<Answer> {
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  return ((await answer.json()) as { result: { data: Answer } }).result.data
}

export async function ask<Answer>(request: APIRequestContext, path: string, input: unknown): Promise<Answer> {
  return told(await request.get(`/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`), path)
}

export async function tell<Answer>(request: APIRequestContext, path: string, input: unknown): Promise<Answer> {
  return told(await request.post(`/api/trpc/${path}`, { data: input }), path)
}

interface Named {
  readonly id: string
  readonly name: string
}

export async function instanceNamed(request: APIRequestContext, name: string): Promise<Named> {
  const where = [{ key: 'name', any: [name] }]
  const { rows } = await ask<{ rows: readonly Named[] }>(request, 'instance.list', { where })
  const [found] = rows
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

/** Starts the move and answers its id. */
export async function startMove(
  request: APIRequestContext,
  name: string,
  move: { readonly operation: string; readonly flavor?: string; readonly host?: string },
): Promise<string> {
  const { id } = await instanceNamed(request, name)
  return (await tell<{ migration: string }>(request, 'move.start', { instance: id, ...move })).migration
}
