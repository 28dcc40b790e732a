'use client'
import { useMemo } from 'react'
import type { CloudHostView } from '@/server/api/cloud/host-view'
import { paths } from '../../console/paths'
import { usePictureView, useText } from '../../console/url'
import { HostMap } from '../../host/map/HostMap'
import { InstanceHref } from '../../host/map/links'
import { MapLegend } from '../../host/map/MapLegend'
import { LIBVIRT_STATES, mapWords } from '../../host/map/words'
import { Panel } from '../../ui/Panel'
import { PictureToggle } from '../../ui/PictureOrTable'
import { witnessWords as words } from './words'

interface Props {
  readonly cloud: string
  readonly map: NonNullable<CloudHostView['map']>
  readonly witness: Extract<CloudHostView['witness'], { did: 'read' }>
  /** Domains unknown to Nova have no page. */
  readonly unknownDomains: CloudHostView['unknownDomains']
}

/** The map of a host managed by Nova, as libvirt reports it. */
export function WitnessedMap({ cloud, map, witness, unknownDomains }: Props) {
  const [as, setAs] = usePictureView()
  const [kept, setKept] = useText('unit')
  const hrefOf = useMemo(() => {
    const unknown = new Set(unknownDomains?.map(({ id }) => id))
    return (id: string) =>
      paths.cloud(cloud, unknown.has(id) ? { tab: 'drift', q: id } : { tab: 'instances', picked: id })
  }, [cloud, unknownDomains])
  return (
    <Panel title={words.map} detail={words.mapOf(witness.connection.name, witness.at)}>
      <div className="flex flex-col gap-3">
        <div className="flex min-h-7 flex-wrap items-center gap-x-5 gap-y-2">
          <PictureToggle label={mapWords.view} view={as} onView={setAs} />
          <MapLegend states={LIBVIRT_STATES} />
        </div>
        <InstanceHref value={hrefOf}>
          <HostMap view={map} as={as} selectedUnit={kept} onSelectUnit={setKept} states={LIBVIRT_STATES} />
        </InstanceHref>
        <p className="m-0 text-xs text-soft">{words.dotted}</p>
        {witness.unreported.length > 0 ? (
          <ul aria-label={words.unreported} className="m-0 flex list-none flex-col p-0 text-xs text-soft">
            {witness.unreported.map((line) => (
              <li key={line} className="break-words">
                {line}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </Panel>
  )
}
