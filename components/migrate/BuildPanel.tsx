'use client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MigrationVerdictsView } from '@/server/api/explain/verdicts'
import type { ApiInputs } from '@/server/api/router'
import { ActionFailure } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { TextField } from '../ui/field/Field'
import { Select } from '../ui/field/Select'
import { showToast } from '../ui/overlay/Toasts'
import type { useBuildDrawer } from './address'
import { FlavorChoice, ImageChoice } from './choice/choices'
import { ExplainPane, useExplain } from './ExplainPane'
import { migrateWords, buildWords as words } from './words'

const ANY = ''
type Address = ReturnType<typeof useBuildDrawer>

/** A new instance, and the hosts on which it fits. */
export function BuildPanel({ address }: { address: Address }) {
  const [name, setName] = useState('')
  const [project, setProject] = useState('default')
  const { flavor, image } = address
  const input: ApiInputs['migrate']['explain'] | null =
    flavor && image
      ? { for: 'build', flavor, image, zone: address.zone ?? undefined, group: address.group ?? undefined }
      : null
  const explain = useExplain(input)
  return (
    <div className="flex min-h-full flex-col gap-3 lg:h-full lg:min-h-0">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-3">
        <TextField label={words.name} value={name} onChange={setName} autoFocus />
        <TextField label={words.project} value={project} onChange={setProject} />
        <FlavorChoice
          className="w-full"
          label={words.flavor}
          value={flavor}
          onChange={(id) => address.set({ flavor: id, target: null })}
        />
        <ImageChoice
          className="w-full"
          label={words.image}
          value={image}
          onChange={(id) => address.set({ image: id, target: null })}
        />
        <PlaceChoices address={address} />
      </div>
      <ExplainPane
        input={input}
        query={explain}
        missing={words.choose}
        filter={address}
        onFilter={address.set}
        picked={address.target}
        onPick={(target) => address.set({ target: target === address.target ? null : target })}
      />
      <Submit address={address} name={name.trim()} project={project.trim()} view={explain.data ?? null} />
    </div>
  )
}

function PlaceChoices({ address }: { address: Address }) {
  const trpc = useTRPC()
  const zones = useQuery(trpc.host.zones.queryOptions())
  const groups = useQuery(trpc.group.list.queryOptions())
  const zoneChoices = [{ id: ANY, label: words.any }, ...(zones.data ?? []).map((zone) => ({ id: zone, label: zone }))]
  const groupChoices = [
    { id: ANY, label: words.none },
    ...(groups.data ?? []).map((group) => ({ id: group.id, label: group.name, detail: group.policy })),
  ]
  return (
    <>
      <Select
        label={words.zone}
        choices={zoneChoices}
        value={address.zone ?? ANY}
        onChange={(zone) => address.set({ zone: zone || null, target: null })}
      />
      <Select
        label={words.group}
        choices={groupChoices}
        value={address.group ?? ANY}
        onChange={(group) => address.set({ group: group || null, target: null })}
      />
    </>
  )
}

function Submit(props: { address: Address; name: string; project: string; view: MigrationVerdictsView | null }) {
  const { address, name, project, view } = props
  const { flavor, image } = address
  const trpc = useTRPC()
  const build = useMutation(
    trpc.instance.build.mutationOptions({
      onSuccess: ({ instance }) => {
        showToast('flow', words.done(name), {
          detail: words.doneMore,
          link: { href: paths.instance(instance), label: words.open },
        })
        address.close()
      },
    }),
  )
  const picked = view?.hosts.find((row) => row.host.id === address.target)
  const why = !name
    ? words.needName
    : !flavor || !image
      ? words.needShape
      : picked?.verdict === 'refused'
        ? migrateWords.notOk
        : null
  const run = () => {
    if (!flavor || !image) return
    const { zone, group } = address
    build.mutate({
      ...{ name, project, flavor, image },
      host: picked?.host.id,
      zone: zone ?? undefined,
      group: group ?? undefined,
    })
  }
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3">
      <ActionFailure error={build.error} what={words.notBuilt} />
      <div className="flex justify-end">
        <Button variant="primary" disabledReason={why} isPending={build.isPending} onPress={run}>
          {picked ? words.buildOn(name, picked.host.name) : words.build(name)}
        </Button>
      </div>
    </div>
  )
}
