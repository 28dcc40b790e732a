import { readinessResponse } from '@/server/api/health/readiness'
import { running } from '@/server/api/running'

export const dynamic = 'force-dynamic'

/** Whether traffic should come here: 503 while starting, stopping, or without a usable database. */
export async function GET(request: Request): Promise<Response> {
  const strict = new URL(request.url).searchParams.has('strict')
  return readinessResponse((await running()?.readiness()) ?? null, { strict })
}
