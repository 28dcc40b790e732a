import { Tag } from '../ui/Badge'
import { dash } from '../ui/dash'
import { TextLink } from '../ui/Link'
import { providerWords as words } from './words'

/** As many as can be read at a glance; the others are in the tooltip and found by the filter. */
const SHOWN = 3

/** Traits as chips; each links to the other providers that have it. */
export function Traits({ traits, hrefOf }: { traits: readonly string[]; hrefOf: (trait: string) => string }) {
  if (traits.length === 0) return dash
  const more = traits.length - SHOWN
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-1" title={traits.join(' ')}>
      {traits.slice(0, SHOWN).map((trait) => (
        <TextLink key={trait} href={hrefOf(trait)}>
          <Tag>{trait}</Tag>
        </TextLink>
      ))}
      {more > 0 ? <span className="text-2xs text-faint">{words.moreTraits(more)}</span> : null}
    </span>
  )
}
