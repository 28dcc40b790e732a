'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../console/trpc'
import { PlainSelect } from '../ui/field/PlainSelect'
import type { Question } from './address'
import { explainWords as words } from './words'

const ANY = ''
const WIDTHS = { zone: 'w-32', image: 'w-44', group: 'w-36' } as const

type Choice = { readonly id: string; readonly label: string }

/** Placement constraints of a build besides capacity: zone, group and image properties. */
export function PlaceFields({ question }: { question: Question }) {
  const trpc = useTRPC()
  const zones = useQuery(trpc.host.zones.queryOptions())
  const groups = useQuery(trpc.group.list.queryOptions())
  const images = useQuery(trpc.image.list.queryOptions())
  const named = (names: readonly string[]) => names.map((name) => ({ id: name, label: name }))
  const choice = (key: 'zone' | 'image' | 'group', none: string, choices: readonly Choice[]) => (
    <PlainSelect
      className={WIDTHS[key]}
      label={words[key]}
      choices={[{ id: ANY, label: none }, ...withCurrent(choices, question[key])]}
      value={question[key] ?? ANY}
      onChange={(chosen) => question.set({ [key]: chosen || null })}
    />
  )
  return (
    <>
      {choice('zone', words.any, named(zones.data ?? []))}
      {choice('image', words.noImage, named(images.data?.map(({ name }) => name) ?? []))}
      {choice(
        'group',
        words.none,
        (groups.data ?? []).map(({ id, name, policy }) => ({ id, label: words.groupOf(name, policy) })),
      )}
    </>
  )
}

/** A value of the address that is not among the choices, or not yet: the field must not show another. */
const withCurrent = (choices: readonly Choice[], value: string | null): readonly Choice[] =>
  value === null || choices.some(({ id }) => id === value) ? choices : [{ id: value, label: value }, ...choices]
