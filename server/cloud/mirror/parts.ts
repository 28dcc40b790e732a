import type { AvailablePart, CloudServer, Part } from '../../engine/cloud/snapshot'
import { MissingFieldError } from '../answers/from-nova'
import type { Reading } from '../client'
import { CloudError } from '../http/errors'

/** A part of a snapshot. What the cloud does not answer is a part with the reason; anything else thrown is a defect. */
export async function partOf<R, T>(reading: Promise<Reading<R>>, translate: (read: R) => T): Promise<Part<T>> {
  try {
    const { value, at } = await reading
    return { isRead: true, at, complete: true, value: translate(value) }
  } catch (error) {
    if (error instanceof CloudError || error instanceof MissingFieldError) return { isRead: false, why: error.message }
    throw error
  }
}

export const unreadPart = (why = 'not read yet') => ({ isRead: false, why }) as const

/** The previous answer stays, with its age, when it cannot be read again: no answer is not an empty answer. */
export const newest = <T>(before: Part<T>, now: Part<T>): Part<T> => (now.isRead || !before.isRead ? now : before)

type AnsweredRows<T> = AvailablePart<ReadonlyMap<string, T>>

export function withRows<T extends { readonly uuid: string }>(
  before: AnsweredRows<T>,
  rows: readonly T[],
  at: number,
): AnsweredRows<T> {
  return { ...before, at, value: new Map([...before.value, ...rows.map((row) => [row.uuid, row] as const)]) }
}

export function withServers(
  before: AnsweredRows<CloudServer>,
  {
    at,
    value: { there, gone },
  }: AvailablePart<{ readonly there: readonly CloudServer[]; readonly gone: readonly string[] }>,
): AnsweredRows<CloudServer> {
  const servers = new Map([...before.value, ...there.map((row) => [row.id, row] as const)])
  for (const id of gone) servers.delete(id)
  return { ...before, at, value: servers }
}

/** Enough to use the whole budget of a cloud. Thousands of waiting requests would cost more than they fetch. */
const AT_ONCE = 16

export async function inBatches<T, R>(rows: readonly T[], read: (row: T) => Promise<R>): Promise<readonly R[]> {
  const all: R[] = []
  for (let from = 0; from < rows.length; from += AT_ONCE)
    all.push(...(await Promise.all(rows.slice(from, from + AT_ONCE).map(read))))
  return all
}
