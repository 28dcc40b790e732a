import type { AttentionItem } from '@/server/api/overview/attention'
import { cx } from '../ui/cx'
import { Glyph } from '../ui/Glyph'
import { TextLink } from '../ui/Link'
import { toneText, toneWash } from '../ui/tone'
import { healthParts, listOf } from './health'
import { attentionBadge, attentionBadges, healthText, overviewWords as words } from './words'

/** Fleet health in one line: each problem with its count, linked to its list. */
export function HealthLine({ items }: { items: readonly AttentionItem[] }) {
  const badge = words.health[levelOf(items)]
  const parts = healthParts(items)
  return (
    <section
      aria-label={words.healthLabel}
      className={cx(
        'mb-3 flex min-h-9 items-baseline gap-x-5 gap-y-1 rounded-lg px-3 py-1.5 max-sm:flex-col',
        toneWash[badge.tone],
      )}
    >
      <p role="status" className={cx('m-0 flex items-center gap-2 text-base font-semibold', toneText[badge.tone])}>
        <Glyph shape={badge.shape} />
        {badge.label}
      </p>
      {parts.length === 0 ? <span>{words.healthy}</span> : null}
      <ul className="m-0 flex min-w-0 list-none flex-wrap gap-x-5 gap-y-1 p-0 empty:hidden">
        {parts.map((part) => (
          <li key={healthText(part)} className="flex items-center gap-1.5">
            <Glyph shape={attentionBadge(part).shape} className={toneText[attentionBadge(part).tone]} />
            <TextLink href={listOf[part.kind]}>{healthText(part)}</TextLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Critical if anything is broken; warning if something only waits, is slow or needs clean-up. */
export function levelOf(items: readonly AttentionItem[]): keyof typeof words.health {
  if (items.length === 0) return 'ok'
  const isBad = ({ kind, severity }: AttentionItem) =>
    severity === undefined ? attentionBadges[kind].tone === 'bad' : severity === 'critical'
  return items.some(isBad) ? 'critical' : 'warning'
}
