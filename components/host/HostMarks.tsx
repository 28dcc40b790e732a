import type { HostRow } from '@/server/api/host/view'
import { paths } from '../console/paths'
import { severityBadges } from '../finding/kind/words'
import { Glyph } from '../ui/Glyph'
import { TextLink } from '../ui/Link'
import { toneText } from '../ui/tone'
import { KindTag } from './KindTag'
import { hostWords } from './words'

/**
 * Beside the name, as on the heatmap: whether the host is real, its findings, and instances with leftovers on it.
 */
export function HostMarks({ row: { id, kind, findings, worst, remains } }: { row: HostRow }) {
  return (
    <>
      {kind && kind !== 'simulated' ? <KindTag kind={kind} /> : null}
      {findings && worst ? (
        <TextLink
          href={paths.host(id, { tab: 'findings' })}
          label={hostWords.findingCount(findings, severityBadges[worst].label)}
          className="flex size-6 items-center justify-center"
        >
          <Glyph shape={severityBadges[worst].shape} className={toneText[severityBadges[worst].tone]} />
        </TextLink>
      ) : null}
      {remains > 0 ? (
        <TextLink
          href={paths.host(id, { tab: 'adviser' })}
          label={hostWords.leftoverCount(remains)}
          className="flex size-6 items-center justify-center text-warn!"
        >
          <Glyph shape="square" />
        </TextLink>
      ) : null}
    </>
  )
}
