import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { running } from '@/server/api/running'
import type { Person } from '@/server/auth/auth'

/** The signed-in user; without a valid session redirects to sign-in. For layouts. */
export async function requirePerson(): Promise<Person> {
  const sent = await headers()
  const person = (await running()?.doors?.person(new Headers(sent))) ?? null
  if (person) return person
  const path = sent.get('x-berth-path') ?? '/'
  redirect(path === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(path)}`)
}

/** The sequence of the last event that this server has read. */
export function lastEvent(): string | undefined {
  return running()?.doors?.lastEvent()
}

/** Ms since the epoch by the server's clock; 0 before it is up, when no page is rendered either. */
export function serverTime(): number {
  return running()?.doors?.now() ?? 0
}
