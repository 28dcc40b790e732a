import type { CloudView } from '@/server/api/cloud/answers'
import { KeyValue } from '../ui/KeyValue'
import { Note } from '../ui/Message'
import { Panel } from '../ui/Panel'
import { connectionOf, summaryOf } from './cloud-facts'
import { cloudWords as words } from './words'

/** Health in one line, then connection details and what is not read. */
export function CloudOverview({ cloud }: { cloud: CloudView }) {
  const { notRead } = cloud
  return (
    <div className="flex flex-col gap-3">
      <Verdict cloud={cloud} />
      <div className="grid grid-cols-1 gap-3 lg:grid-cols-2">
        <Panel title={words.sections.summary}>
          <KeyValue facts={summaryOf(cloud)} />
        </Panel>
        <Panel title={words.sections.connection}>
          <KeyValue facts={connectionOf(cloud)} />
        </Panel>
        {notRead.length > 0 ? (
          <Panel title={words.sections.unknown}>
            <Lines lines={notRead} />
          </Panel>
        ) : null}
        <Panel title={words.sections.never} className={notRead.length > 0 ? undefined : 'lg:col-span-2'}>
          <Lines lines={words.notReported} />
        </Panel>
      </div>
    </div>
  )
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <ul className="m-0 flex list-none flex-col gap-0.5 p-0 text-sm text-soft">
    {lines.map((line) => (
      <li key={line} className="break-words">
        {line}
      </li>
    ))}
  </ul>
)

function Verdict({ cloud: { enabled, status, reach } }: { cloud: CloudView }) {
  const counts = status?.counts ?? null
  return (
    <>
      {reach === null ? (
        <Note tone="bad" shape="cross">
          {words.settingsUnreadable}
        </Note>
      ) : null}
      {status?.error ? (
        <Note tone="bad" shape="cross">
          <p className="m-0 break-words">{words.lost(status.error)}</p>
          <p className="m-0 text-soft">
            {status.fix} {counts ? words.old : null}
          </p>
        </Note>
      ) : null}
      {enabled ? null : (
        <Note tone="idle" shape="pause">
          {words.off}
        </Note>
      )}
      {reach?.verify === false ? (
        <Note tone="warn" shape="triangle">
          {words.anyCertificate}
        </Note>
      ) : null}
      {counts === null ? (
        status?.error ? null : (
          <Note tone="flow" shape="half">
            <p className="m-0">{words.notYet}</p>
            <p className="m-0 text-soft">{words.notYetMore}</p>
          </Note>
        )
      ) : (
        <Counted counts={counts} />
      )}
    </>
  )
}

type Counts = NonNullable<NonNullable<CloudView['status']>['counts']>

function Counted({ counts: { hosts, instances, critical, warning, info } }: { counts: Counts }) {
  if (critical + warning + info === 0)
    return (
      <Note tone="ok" shape="tick">
        {words.healthy(instances, hosts)}
      </Note>
    )
  const [tone, shape] = critical > 0 ? (['bad', 'cross'] as const) : (['warn', 'diamond'] as const)
  return (
    <Note tone={tone} shape={shape}>
      {words.unhealthy(critical, warning, info)}
    </Note>
  )
}
