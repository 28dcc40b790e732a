'use client'
import { useQuery } from '@tanstack/react-query'
import type { TreeView } from '@/server/api/provider/router'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { Copyable } from '../ui/Copyable'
import { ButtonLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { PageHead, Panel, SectionTitle } from '../ui/Panel'
import { TreeConsumers } from './TreeConsumers'
import { TreeInventory } from './TreeInventory'
import { TreeEvents, TreeFits } from './TreeTables'
import { ManagedBy } from './tree-columns'
import { providerWords as words } from './words'

/** One tree: inventory, consumers, what would still fit, and who wrote it. */
export function TreePage({ id }: { id: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.provider.tree.queryOptions({ id }))
  return (
    <Loaded query={query} what={words.one} minHeight={400} page>
      {(tree) => (
        <>
          <PageHead
            title={tree.name}
            state={<ManagedBy managedBy={tree.managedBy} />}
            actions={<TreeLinks tree={tree} />}
            facts={
              <>
                <Copyable text={tree.id} />
                <span>{words.counts(tree.providers.length, tree.consumers.length)}</span>
              </>
            }
          />
          <div className="flex flex-col gap-3">
            {tree.managedBy === 'nova' ? (
              <Note tone="idle" shape="diamond">
                {words.managedMore}
              </Note>
            ) : null}
            <section aria-label={words.tree}>
              <SectionTitle>{words.tree}</SectionTitle>
              <TreeInventory providers={tree.providers} />
            </section>
            <Panel title={words.consumers} flush>
              <TreeConsumers consumers={tree.consumers} />
            </Panel>
            {tree.managedBy === 'nova' ? (
              <Panel title={words.fits} aside={words.fitsMore} flush>
                <TreeFits fits={tree.fits} />
              </Panel>
            ) : null}
            <Panel title={words.events} flush>
              <TreeEvents events={tree.events} />
            </Panel>
          </div>
        </>
      )}
    </Loaded>
  )
}

const TreeLinks = ({ tree }: { tree: TreeView }) => (
  <>
    {tree.managedBy === 'berth' ? <ButtonLink href={paths.host(tree.id)}>{words.host}</ButtonLink> : null}
    <ButtonLink href={paths.claims({ q: `provider:${tree.name}*` })}>{words.claims}</ButtonLink>
  </>
)
