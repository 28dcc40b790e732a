'use client'
import { useQuery } from '@tanstack/react-query'
import { isNotFound, Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { Tag } from '../ui/Badge'
import { Copyable } from '../ui/Copyable'
import { TextLink } from '../ui/Link'
import { EmptyState, Note } from '../ui/Message'
import { PageHead, Panel } from '../ui/Panel'
import { TreeConsumers } from './TreeConsumers'
import { TreeInventory } from './TreeInventory'
import { TreeEvents, TreeFits } from './TreeTables'
import { providerWords as words } from './words'

/** One tree as its client keeps it: what it has, who holds of it, what would still fit, who wrote it. */
export function TreePage({ id }: { id: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.provider.tree.queryOptions({ id }))
  if (isNotFound(query.error)) {
    return (
      <>
        <PageHead title={words.title} />
        <EmptyState title={words.missing} action={<TextLink href={paths.providers()}>{words.title}</TextLink>} />
      </>
    )
  }
  return (
    <Loaded query={query} what={words.title} minHeight={400} page>
      {(tree) => (
        <>
          <PageHead
            title={tree.name}
            state={<Tag>{words.managed}</Tag>}
            facts={
              <>
                <Copyable text={tree.id} />
                <span>{words.counts(tree.providers.length, tree.consumers.length)}</span>
              </>
            }
          />
          <div className="flex flex-col gap-3">
            <Note tone="idle" shape="diamond">
              {words.managedMore}
            </Note>
            <Panel title={words.tree} flush>
              <TreeInventory providers={tree.providers} />
            </Panel>
            <Panel title={words.consumers} flush>
              <TreeConsumers consumers={tree.consumers} />
            </Panel>
            <Panel title={words.fits} aside={words.fitsMore} flush>
              <TreeFits fits={tree.fits} />
            </Panel>
            <Panel title={words.events} flush>
              <TreeEvents events={tree.events} />
            </Panel>
          </div>
        </>
      )}
    </Loaded>
  )
}
