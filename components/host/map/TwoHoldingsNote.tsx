import { paths } from '../../console/paths'
import { operationWords } from '../../step/words'
import { Glyph } from '../../ui/Glyph'
import { TextLink } from '../../ui/Link'
import { Note } from '../../ui/Message'
import { mapWords } from '../words'
import type { TwoHoldings } from './places'

export function TwoHoldingsNote({ holdings }: { holdings: readonly TwoHoldings[] }) {
  if (holdings.length === 0) return null
  return (
    <Note tone="twice" shape="diamond">
      <strong className="font-medium">{mapWords.twoHoldings}.</strong> {mapWords.twoHoldingsMore}
      <ul className="m-0 mt-1 list-none p-0">
        {holdings.map(({ instance, migration, old, new: fresh }) => (
          <li key={instance.id} className="flex flex-wrap items-baseline gap-x-3">
            <TextLink href={paths.instance(instance.id)}>{instance.name}</TextLink>
            {migration ? (
              <TextLink href={paths.migration(migration.id)}>{operationWords[migration.operation].noun}</TextLink>
            ) : null}
            <span className="font-mono text-xs">
              {mapWords.old} {old} <Glyph shape="arrow" className="inline" /> {mapWords.new} {fresh}
            </span>
          </li>
        ))}
      </ul>
    </Note>
  )
}
