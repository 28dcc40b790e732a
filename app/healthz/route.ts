export const dynamic = 'force-dynamic'

/** Whether this process answers at all. A supervisor restarts it when it does not. */
export function GET(): Response {
  return Response.json({ status: 'ok' })
}
