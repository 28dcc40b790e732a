'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../console/trpc'
import { Select } from '../ui/field/Select'
import type { Question } from './address'
import { fieldWidths } from './FormRoom'
import { explainWords as words } from './words'

const ANY = ''

/** Placement constraints of a build besides capacity: zone, group and image properties. */
export function PlaceFields({ question }: { question: Question }) {
  const trpc = useTRPC()
  const zones = useQuery(trpc.host.zones.queryOptions())
  const groups = useQuery(trpc.group.list.queryOptions())
  const images = useQuery(trpc.image.list.queryOptions())
  const named = (names: readonly string[]) => names.map((name) => ({ id: name, label: name }))
  return (
    <>
      <Select
        className={fieldWidths.zone}
        label={words.zone}
        choices={[{ id: ANY, label: words.any }, ...named(zones.data ?? [])]}
        value={question.zone ?? ANY}
        onChange={(zone) => question.set({ zone: zone || null })}
      />
      <Select
        className={fieldWidths.image}
        label={words.image}
        choices={[{ id: ANY, label: words.noImage }, ...named(images.data?.map(({ name }) => name) ?? [])]}
        value={question.image ?? ANY}
        onChange={(image) => question.set({ image: image || null })}
      />
      <Select
        className={fieldWidths.group}
        label={words.group}
        choices={[
          { id: ANY, label: words.none },
          ...(groups.data ?? []).map((group) => ({ id: group.id, label: group.name, detail: group.policy })),
        ]}
        value={question.group ?? ANY}
        onChange={(group) => question.set({ group: group || null })}
      />
    </>
  )
}
