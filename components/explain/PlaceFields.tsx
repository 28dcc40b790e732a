'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../console/trpc'
import { type Choice, Select } from '../ui/field/Select'
import type { Question } from './address'
import { fieldWidths } from './FormSkeleton'
import { explainWords as words } from './words'

const ANY = ''

/** Placement constraints of a build besides capacity: zone, group and image properties. */
export function PlaceFields({ question }: { question: Question }) {
  const trpc = useTRPC()
  const zones = useQuery(trpc.host.zones.queryOptions())
  const groups = useQuery(trpc.group.list.queryOptions())
  const images = useQuery(trpc.image.list.queryOptions())
  const named = (names: readonly string[]) => names.map((name) => ({ id: name, label: name }))
  const choice = (key: 'zone' | 'image' | 'group', none: string, choices: readonly Choice[]) => (
    <Select
      className={fieldWidths[key]}
      label={words[key]}
      choices={[{ id: ANY, label: none }, ...choices]}
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
        (groups.data ?? []).map(({ id, name, policy }) => ({ id, label: name, detail: policy })),
      )}
    </>
  )
}
