import type { Doors } from './doors'

/** Passes a request on to the running Berth. Before it is up and after it is down, asking again is right: 503. */
export async function atDoor(
  berth: { readonly doors: Doors | null } | null,
  pass: (doors: Doors) => Promise<Response>,
): Promise<Response> {
  if (berth?.doors) return pass(berth.doors)
  const headers = { 'retry-after': '2' }
  return Response.json({ error: { message: 'Berth is starting. Try again in a moment.' } }, { status: 503, headers })
}
