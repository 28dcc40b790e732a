import type { ActionTrail } from '@/server/api/migration/view'
import { cx } from '../../ui/cx'
import { Glyph } from '../../ui/Glyph'
import { useTimes } from '../../ui/time/zone'
import { uiWords } from '../../ui/words'
import { migrationWords, requestedActionWords } from '../words'

const words = migrationWords.actionTrail

// A requested action goes asked → accepted → effective, each with its time. Stages not yet reached are outlines.

/** `confirm: asked, accepted`: its progress, for export. */
export const actionText = ({ requestedAction, acceptedAt, effectiveAt, refused }: ActionTrail): string =>
  uiWords.labelled(
    requestedActionWords[requestedAction].noun,
    uiWords.list([
      words.asked,
      acceptedAt === null ? null : words.accepted,
      effectiveAt === null ? null : words.effective,
      refused ? words.refused : null,
    ]),
  )

export function ActionChips({ trail }: { trail: ActionTrail }) {
  const { clock } = useTimes()
  const stages = [
    { name: words.asked, at: trail.askedAt },
    { name: words.accepted, at: trail.acceptedAt },
    { name: words.effective, at: trail.effectiveAt },
  ]
  return (
    <span className="inline-flex items-center gap-1 text-xs whitespace-nowrap">
      <span className="font-medium">{requestedActionWords[trail.requestedAction].noun}</span>
      {stages.map((stage) => (
        <span
          key={stage.name}
          title={stage.at === null ? undefined : clock(stage.at)}
          className={cx(
            'inline-flex h-[18px] items-center gap-1 rounded-sm px-1.5 text-2xs',
            stage.at === null ? 'border border-dashed border-edge/60 text-faint' : 'bg-flow-wash text-flow',
          )}
        >
          <Glyph shape={stage.at === null ? 'unknown' : 'tick'} className="scale-90" />
          {stage.name}
          {stage.at === null ? <span className="sr-only">{words.notYet}</span> : null}
        </span>
      ))}
      {trail.refused ? (
        <span className="rounded-sm bg-bad-wash px-1.5 text-2xs text-bad" title={trail.refused}>
          {words.refused}
        </span>
      ) : null}
    </span>
  )
}
