import type { Procedures } from '../../server/api/contract-moves'
import type { RunProcedures } from '../../server/api/contract-runs'
import type { TruthProcedures } from '../../server/api/contract-truth'

// The console's API as a program asks it, signed in.

interface Asked extends Procedures, RunProcedures, TruthProcedures {}

export interface Api {
  readonly origin: string
  readonly cookie: string
  query<P extends keyof Asked>(path: P, input?: unknown): Promise<Asked[P]['output']>
  mutate<P extends keyof Asked>(path: P, input: unknown): Promise<Asked[P]['output']>
}

export function openApi(origin: string, cookie: string): Api {
  const call = async (path: string, init: RequestInit) => {
    const answer = await fetch(`${origin}/api/trpc/${path}`, { ...init, headers: { ...init.headers, cookie } })
    const body = (await answer.json()) as { result?: { data: never }; error?: { message: string } }
    if (!body.result) throw new Error(`${path.split('?')[0]}: ${body.error?.message}`)
    return body.result.data
  }
  return {
    origin,
    cookie,
    query: (path, input) =>
      call(input === undefined ? path : `${path}?input=${encodeURIComponent(JSON.stringify(input))}`, {}),
    mutate: (path, input) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin },
        body: JSON.stringify(input),
      }),
  }
}
