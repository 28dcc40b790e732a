'use client'
import { useQuery } from '@tanstack/react-query'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { useState } from 'react'
import type { CatalogView } from '@/server/api/catalog/router'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { Tabs } from '../ui/Tabs'
import { CatalogTable } from './CatalogTable'
import { aliasColumns, aliasList, flavorColumns, flavorList, groupColumns, groupList } from './columns'
import type { CatalogEdit } from './edit'
import { catalogWords, TABS } from './words'

const EditDialog = lateOverlay(() => import('./EditDialog').then((code) => code.EditDialog))

export function CatalogPage() {
  const trpc = useTRPC()
  const query = useQuery(trpc.catalog.list.queryOptions())
  return (
    <Loaded query={query} what={catalogWords.what} minHeight={320}>
      {(view) => <CatalogTabs view={view} />}
    </Loaded>
  )
}

function CatalogTabs({ view }: { view: CatalogView }) {
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(TABS).withDefault('flavors'))
  const [editing, setEditing] = useState<CatalogEdit | null>(null)
  const disabledReason = view.permit.ok ? null : view.permit.why
  const part = { disabledReason, onEdit: setEditing }
  return (
    <>
      <Tabs
        label={catalogWords.title}
        open={tab}
        onOpen={(next) => void setTab(next)}
        items={[
          {
            id: 'flavors',
            label: catalogWords.tabs.flavors,
            count: view.flavors.length,
            content: (
              <CatalogTable {...part} kind="flavor" rows={view.flavors} columns={flavorColumns} list={flavorList} />
            ),
          },
          {
            id: 'groups',
            label: catalogWords.tabs.groups,
            count: view.groups.length,
            content: <CatalogTable {...part} kind="group" rows={view.groups} columns={groupColumns} list={groupList} />,
          },
          {
            id: 'aliases',
            label: catalogWords.tabs.aliases,
            count: view.aliases.length,
            content: (
              <CatalogTable {...part} kind="alias" rows={view.aliases} columns={aliasColumns} list={aliasList} />
            ),
          },
        ]}
      />
      {editing ? <EditDialog editing={editing} onClose={() => setEditing(null)} /> : null}
    </>
  )
}
