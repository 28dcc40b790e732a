import type { ApiOutputs } from '../../server/api/router'

// The console's API for a program, signed in.

type Path = { [Noun in keyof ApiOutputs & string]: `${Noun}.${keyof ApiOutputs[Noun] & string}` }[keyof ApiOutputs &
  string]
type Answer<P> = P extends `${infer Noun extends keyof ApiOutputs & string}.${infer Verb}`
  ? ApiOutputs[Noun][Verb & keyof ApiOutputs[Noun]]
  : never

export interface Api {
  readonly origin: string
  readonly cookie: string
  query<P extends Path>(path: P, input?: unknown): Promise<Answer<P>>
  mutate<P extends Path>(path: P, input: unknown): Promise<Answer<P>>
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
