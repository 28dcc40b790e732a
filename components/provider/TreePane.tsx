'use client'
import { useQuery } from '@tanstack/react-query'
import type { TreeProviderView, TreeView } from '@/server/api/provider/router'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { Copyable } from '../ui/Copyable'
import { ButtonLink } from '../ui/Link'
import { SidePanel } from '../ui/Panel'
import { Traits } from './Traits'
import { ManagedBy, Use } from './tree-columns'
import { providerWords as words } from './words'

/** The pane is a preview; a tree of hundreds belongs on its page, which renders only the rows in view. */
const MAX_PROVIDERS = 40

/** The tree selected in the list: its providers with inventory and usage. */
export function TreePane({ id }: { id: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.provider.tree.queryOptions({ id }))
  return (
    <SidePanel opened label={words.one}>
      <Loaded query={query} what={words.one} minHeight={300}>
        {(tree) => <Tree tree={tree} />}
      </Loaded>
    </SidePanel>
  )
}

function Tree({ tree }: { tree: TreeView }) {
  const more = tree.providers.length - MAX_PROVIDERS
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="m-0 text-base font-semibold">{tree.name}</h2>
        <ManagedBy managedBy={tree.managedBy} />
        <span className="text-xs text-soft">{words.counts(tree.providers.length, tree.consumers.length)}</span>
        <Copyable text={tree.id} />
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={paths.provider(tree.id)}>{words.open}</ButtonLink>
        {tree.managedBy === 'berth' ? <ButtonLink href={paths.host(tree.id)}>{words.host}</ButtonLink> : null}
        <ButtonLink href={paths.claims({ q: `provider:${tree.name}*` })}>{words.claims}</ButtonLink>
      </div>
      <ul aria-label={words.tree} className="m-0 flex list-none flex-col gap-2 p-0">
        {tree.providers.slice(0, MAX_PROVIDERS).map((provider) => (
          <Provider key={provider.id} provider={provider} />
        ))}
      </ul>
      {more > 0 ? <p className="m-0 text-xs text-soft">{words.moreProviders(more)}</p> : null}
    </div>
  )
}

function Provider({ provider: { name, depth, generation, traits, inventories } }: { provider: TreeProviderView }) {
  return (
    <li
      className={depth > 0 ? 'flex flex-col gap-1 border-l-2 border-line pl-3' : 'flex flex-col gap-1'}
      style={{ marginLeft: Math.max(0, depth - 1) * 14 }}
    >
      <p className="m-0 flex items-baseline justify-between gap-2">
        <span className="min-w-0 font-medium break-words">{name}</span>
        <span className="shrink-0 text-2xs text-faint">{words.atGeneration(generation)}</span>
      </p>
      {traits.length > 0 ? (
        <Traits traits={traits} hrefOf={(trait) => paths.providers({ q: `trait:${trait}` })} />
      ) : null}
      {inventories.length === 0 ? <span className="text-xs text-faint">{words.noInventory}</span> : null}
      {inventories.map((inventory) => (
        <span key={inventory.resourceClass} className="flex flex-wrap items-center justify-between gap-x-3">
          <span className="min-w-0 truncate font-mono text-xs" title={inventory.resourceClass}>
            {inventory.resourceClass}
          </span>
          <Use amount={inventory} />
        </span>
      ))}
    </li>
  )
}
