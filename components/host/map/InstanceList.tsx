import { useContext, useRef } from 'react'
import { mib } from '../../ui/format'
import { Glyph } from '../../ui/Glyph'
import { PlainLink } from '../../ui/Link'
import { toneText } from '../../ui/tone'
import type { MapInstance } from './instances'
import { InstanceHref } from './links'
import { useRovingPlaces } from './walk'
import { mapWords, placeLooks } from './words'

/** All holders on this host. Pointing at one, or focusing it, draws lines to everything it holds. */
export function InstanceList({ guests, onScroll }: { guests: readonly MapInstance[]; onScroll: () => void }) {
  const root = useRef<HTMLUListElement>(null)
  const walk = useRovingPlaces(root, guests)
  const hrefOf = useContext(InstanceHref)
  return (
    <section aria-label={mapWords.guests(guests.length)} className="border-t border-line pt-2">
      <h2 className="m-0 pb-1 text-xs font-medium text-soft">{mapWords.guests(guests.length)}</h2>
      <ul
        ref={root}
        onKeyDown={walk.onKeyDown}
        onFocus={walk.onFocus}
        onScroll={onScroll}
        className="m-0 -mx-1 flex max-h-72 list-none flex-col overflow-auto p-0"
      >
        {guests.map((guest) => (
          <li
            key={guest.instance.id}
            data-guest={guest.instance.id}
            className="flex min-h-6 items-center gap-1.5 rounded-sm px-1 text-xs data-[hot]:bg-accent-wash"
          >
            {guest.marks.map((mark) => (
              <Glyph key={mark} shape={placeLooks[mark].shape} className={toneText[placeLooks[mark].tone]} />
            ))}
            <PlainLink
              href={hrefOf(guest.instance.id)}
              title={guest.instance.name}
              tabIndex={-1}
              data-place={`guest:${guest.instance.id}`}
              aria-label={mapWords.guest(
                guest.instance.name,
                guest.marks.map((mark) => placeLooks[mark].label),
              )}
              className="min-w-0 flex-1 truncate rounded-sm text-accent hover:underline"
            >
              {guest.instance.name}
            </PlainLink>
            <span className="text-faint">{mapWords.holds(guest.cpus, guest.devices)}</span>
            <span className="min-w-14 text-right text-soft">
              {guest.memoryMib > 0 ? mib(guest.memoryMib) : mapWords.inNoCell}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
