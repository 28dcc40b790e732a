import { readUpTo } from '../http/body'
import { BODY_MAX_BYTES, type PlacementHandler } from './handler'
import { Problem } from './problem'

/** Path of the API on the console's port. */
const PLACEMENT_PATH = '/placement'

/** The API as a route of the console's port. */
export async function placementResponse(request: Request, handler: PlacementHandler): Promise<Response> {
  const url = new URL(request.url)
  const answer = await handler({
    method: request.method,
    path: decoded(url.pathname.slice(PLACEMENT_PATH.length)),
    query: url.search.slice(1),
    mount: PLACEMENT_PATH,
    // The console's framework may put another name of this machine into the URL.
    origin: `${url.protocol}//${request.headers.get('host') ?? url.host}`,
    header: (name) => request.headers.get(name),
    body: async () => (await readUpTo(request, BODY_MAX_BYTES)) ?? tooLarge(),
  })
  const isBare = answer.status === 204 || request.method === 'HEAD'
  return new Response(isBare ? null : answer.body, { status: answer.status, headers: answer.headers })
}

const tooLarge = (): never => {
  throw new Problem(413)
}

/** A path that cannot be decoded matches no route. */
export function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
