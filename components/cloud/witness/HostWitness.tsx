import type { CloudHostView } from '@/server/api/cloud/host-view'
import type { Ref } from '@/server/api/names/names'
import { paths } from '../../console/paths'
import { TextLink } from '../../ui/Link'
import { Note } from '../../ui/Message'
import { witnessWords as words } from './words'

interface Props {
  readonly cloud: string
  readonly view: CloudHostView
}

/** Whether libvirt reports for the host, and the instances on which libvirt and Nova differ. */
export function HostWitness({ cloud, view: { row, node, witness, whyIgnored, unknownDomains, missing } }: Props) {
  switch (witness.did) {
    case 'unconnected':
      return (
        <Note tone="idle" shape="unknown">
          <p className="m-0">{words.unconnected}</p>
          <p className="m-0 break-words text-soft">{words.unconnectedMore(node ?? row.name)}</p>
        </Note>
      )
    case 'silent':
      return (
        <Note tone="bad" shape="cross">
          <p className="m-0">{words.silent(witness.connection.name)}</p>
          <p className="m-0 text-soft">{words.silentMore}</p>
        </Note>
      )
    case 'read':
      return (
        <div className="flex flex-col gap-2">
          {whyIgnored === null ? null : (
            <Note tone="warn" shape="triangle">
              <p className="m-0">{words.ignored(whyIgnored)}</p>
              <p className="m-0 text-soft">{words.ignoredMore}</p>
            </Note>
          )}
          <Compared cloud={cloud} unknownDomains={unknownDomains} missing={missing} />
        </div>
      )
    default:
      return witness satisfies never
  }
}

function Compared({
  cloud,
  unknownDomains,
  missing,
}: Pick<CloudHostView, 'unknownDomains' | 'missing'> & { cloud: string }) {
  if (unknownDomains === null || missing === null)
    return (
      <Note tone="warn" shape="unknown">
        {words.notCompared}
      </Note>
    )
  if (unknownDomains.length + missing.length === 0)
    return (
      <Note tone="ok" shape="tick">
        {words.same}
      </Note>
    )
  return (
    <Note tone="bad" shape="cross">
      {unknownDomains.length > 0 ? (
        <Named
          title={words.unknownDomains(unknownDomains.length)}
          refs={unknownDomains}
          hrefOf={({ id }) => paths.cloud(cloud, { tab: 'drift', q: id })}
        />
      ) : null}
      {missing.length > 0 ? (
        <Named
          title={words.missing(missing.length)}
          refs={missing}
          hrefOf={({ id }) => paths.cloud(cloud, { tab: 'instances', picked: id })}
        />
      ) : null}
    </Note>
  )
}

interface NamedProps {
  readonly title: string
  readonly refs: readonly Ref[]
  readonly hrefOf: (ref: Ref) => string
}

const Named = ({ title, refs, hrefOf }: NamedProps) => (
  <>
    <p className="m-0">{title}</p>
    <ul aria-label={title} className="m-0 flex list-none flex-wrap gap-x-3 p-0">
      {refs.map((ref) => (
        <li key={ref.id}>
          <TextLink href={hrefOf(ref)}>{ref.name}</TextLink>
        </li>
      ))}
    </ul>
  </>
)
