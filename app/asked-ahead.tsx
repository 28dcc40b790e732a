import { headers } from 'next/headers'
import { Ahead } from '@/components/console/Ahead'
import type { Question } from '@/server/api/doors'
import { running } from '@/server/api/running'

/**
 * Asks what the page asks first while its code is still on the way. Only where a browser loads the page whole: who comes
 * from another page has the code already, and asks at once.
 */
export async function AskedAhead({ path, input }: { path: Question; input?: unknown }) {
  const sent = await headers()
  const doors = running()?.doors
  if (!doors || !sent.get('accept')?.includes('text/html')) return null
  return <Ahead path={path} input={input} answer={doors.ask(path, input, new Headers(sent))} />
}
