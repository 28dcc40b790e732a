import { consoleWords } from '../words'
import { NAV_ENTRIES } from './nav-entries'
import { keyTable } from './words'

const GO_KEYS = NAV_ENTRIES.map(({ letter, key }) => [`g ${letter}`, consoleWords.nav[key]] as const)

/** All global keys and what they do. */
export function KeyList() {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a low screen it scrolls, and holds nothing else to reach by key
    <section tabIndex={0} aria-label={consoleWords.keys} className="rounded-sm">
      <dl className="m-0 grid grid-cols-[6rem_1fr_6rem_1fr] gap-x-4 gap-y-1.5 text-sm max-md:grid-cols-[6rem_1fr]">
        {[...keyTable, ...GO_KEYS].map(([key, meaning]) => (
          <div key={`${key} ${meaning}`} className="contents">
            <dt>
              <kbd className="rounded-sm border border-line bg-sunken px-1.5 py-px font-mono text-xs">{key}</kbd>
            </dt>
            <dd className="m-0 text-soft">{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
