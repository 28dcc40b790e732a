import { cx } from '../ui/cx'
import { Glyph } from '../ui/Glyph'
import { toneText, toneWash } from '../ui/tone'
import type { Stage } from './stages'
import { evacuationWords } from './words'

const words = evacuationWords.stages

/** All steps of the evacuation side by side: status, knowns and unknowns. */
export function StageStrip({ stages }: { stages: readonly Stage[] }) {
  return (
    <ol aria-label={words.title} className="m-0 grid list-none grid-cols-1 gap-2 p-0 md:grid-cols-2 xl:grid-cols-5">
      {stages.map(({ id, badge, known, unknown }, at) => (
        <li
          key={id}
          className={cx(
            'flex min-w-0 flex-col gap-0.5 rounded-md border border-line px-3 py-2 text-sm',
            badge.tone === 'idle' ? 'border-dashed' : toneWash[badge.tone],
          )}
        >
          <span className="flex items-center gap-2">
            <Glyph shape={badge.shape} className={toneText[badge.tone]} />
            <span className="font-semibold">{words.numbered(at + 1, id)}</span>
            <span className={cx('ml-auto text-xs', toneText[badge.tone])}>{badge.label}</span>
          </span>
          <span>{known}</span>
          {unknown ? (
            <span className="text-xs text-soft">
              <span className="italic">{words.unknown}</span> {unknown}
            </span>
          ) : null}
        </li>
      ))}
    </ol>
  )
}
