import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { running } from '@/server/api/running'
import type { SignedInUser } from '@/server/auth/auth'

/** The signed-in user; without a valid session redirects to sign-in. For layouts. */
export async function requireUser(): Promise<SignedInUser> {
  const sent = await headers()
  const person = (await running()?.endpoints?.user(new Headers(sent))) ?? null
  if (person) return person
  const path = sent.get('x-berth-path') ?? '/'
  redirect(path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`)
}

/** The sequence of the last event that this server has read. */
export function lastEvent(): string | undefined {
  return running()?.endpoints?.lastEvent()
}

/** Ms since the epoch by the server's clock; 0 before it is up, when no page is rendered either. */
export function serverTime(): number {
  return running()?.endpoints?.now() ?? 0
}
