import { running } from '@/server/api/running'

export const dynamic = 'force-dynamic'

/** Whether traffic should come here: 503 while starting, stopping, or without the database. */
export async function GET(): Promise<Response> {
  const berth = running()
  const reason = berth ? await berth.whyNotReady() : 'starting'
  return reason === null ? Response.json({ status: 'ready' }) : Response.json({ status: reason }, { status: 503 })
}
