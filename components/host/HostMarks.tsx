import type { HostRow } from '@/server/api/host/view'
import { paths } from '../console/paths'
import { Glyph } from '../ui/Glyph'
import { TextLink } from '../ui/Link'
import { KindTag } from './KindTag'
import { hostWords } from './words'

/**
 * Beside the name, as on the heatmap: that the host is real, findings about it, and instances whose leftovers are still
 * on it.
 */
export function HostMarks({ row: { id, kind, findings, remains } }: { row: HostRow }) {
  return (
    <>
      {kind && kind !== 'simulated' ? <KindTag kind={kind} /> : null}
      {findings ? (
        <TextLink
          href={paths.host(id, { tab: 'findings' })}
          label={hostWords.findingCount(findings)}
          className="flex size-6 items-center justify-center text-bad!"
        >
          <Glyph shape="diamond" />
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
