import { useContext, useRef } from 'react'
import { mib } from '../../ui/format'
import { Glyph } from '../../ui/Glyph'
import { PlainLink } from '../../ui/Link'
import { toneText } from '../../ui/tone'
import type { MapInstance } from './instances'
import { InstanceHref } from './links'
import { useRovingPlaces } from './walk'
import { mapWords, placeBadges } from './words'

/** All holders on this host. Pointing at one, or focusing it, draws lines to everything it holds. */
export function InstanceList({ instances, onScroll }: { instances: readonly MapInstance[]; onScroll: () => void }) {
  const root = useRef<HTMLUListElement>(null)
  const walk = useRovingPlaces(root, instances)
  const hrefOf = useContext(InstanceHref)
  return (
    <section aria-label={mapWords.instances(instances.length)} className="border-t border-line pt-2">
      <h2 className="m-0 pb-1 text-xs font-medium text-soft">{mapWords.instances(instances.length)}</h2>
      <ul
        ref={root}
        onKeyDown={walk.onKeyDown}
        onFocus={walk.onFocus}
        onScroll={onScroll}
        className="m-0 -mx-1 flex max-h-75 list-none flex-col overflow-auto p-0"
      >
        {instances.map((instance) => (
          <li
            key={instance.instance.id}
            data-instance-row={instance.instance.id}
            className="flex min-h-6 items-center gap-1.5 rounded-sm px-1 text-xs data-[hot]:bg-accent-wash"
          >
            {instance.marks.map((mark) => (
              <Glyph key={mark} shape={placeBadges[mark].shape} className={toneText[placeBadges[mark].tone]} />
            ))}
            <PlainLink
              href={hrefOf(instance.instance.id)}
              title={instance.instance.name}
              tabIndex={-1}
              data-place={`instance:${instance.instance.id}`}
              aria-label={mapWords.instance(
                instance.instance.name,
                instance.marks.map((mark) => placeBadges[mark].label),
              )}
              className="min-w-0 flex-1 truncate rounded-sm text-accent hover:underline"
            >
              {instance.instance.name}
            </PlainLink>
            <span className="text-faint">{mapWords.holds(instance.cpus, instance.devices)}</span>
            <span className="min-w-14 text-right text-soft">
              {instance.memoryMib > 0 ? mib(instance.memoryMib) : mapWords.onNoNumaNode}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
