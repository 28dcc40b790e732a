import { CLOUD_DRIFT_LIST } from '@/lists/cloud'
import type { CloudDriftRow } from '@/server/api/cloud/drift'
import { type Cells, columnsOf } from '../../console/list/columns'
import { detailWords } from '../../finding/detail/words'
import { Tag } from '../../ui/Badge'
import { dash } from '../../ui/dash'
import { count, utc } from '../../ui/format'
import { Unknown } from '../../ui/KeyValue'
import { cloudWords } from '../words'
import { witnessWords } from './words'

const { badges } = detailWords.drift

type DriftCells = Cells<CloudDriftRow, typeof CLOUD_DRIFT_LIST>

/** The narrowest width at which all three fit on a tablet. */
const SOURCE_MIN_WIDTH = 150

const sourceCell = (of: (row: CloudDriftRow) => string): DriftCells['nova'] => ({
  ...{ minWidth: SOURCE_MIN_WIDTH, secondLine: 'named', value: of },
  cell: (row) => (
    <span title={of(row)} className={row.agreement === 'agree' ? 'text-soft' : 'text-ink'}>
      {of(row)}
    </span>
  ),
})

/** Absolute, by the cloud's clock: an age would mix two clocks. */
const read = (of: (row: CloudDriftRow) => number | null): DriftCells['novaAt'] => ({
  ...{ width: 188, value: of, timestamp: true },
  cell: (row) => {
    const at = of(row)
    return at === null ? <Unknown needs={cloudWords.unreported} /> : <span className="tabular-nums">{utc(at)}</span>
  },
})

const cells: DriftCells = {
  instance: {
    ...{ fixed: true, width: 150, value: (row) => row.name, exportId: (row) => row.id },
    cell: (row) => (
      <span title={row.id}>
        {row.name}
        {row.isInstance ? null : (
          <>
            {' '}
            <Tag tone="warn">{witnessWords.drift.notInNova}</Tag>
          </>
        )}
      </span>
    ),
  },
  agree: {
    ...{ width: 96, keep: true },
    badge: (row) => badges[row.agreement],
  },
  nova: sourceCell((row) => row.nova),
  placement: sourceCell((row) => row.placement),
  libvirt: sourceCell((row) => row.libvirt),
  findings: {
    ...{ width: 84, secondLine: 'named', align: 'end', value: (row) => row.findings },
    cell: (row) => (row.findings > 0 ? <Tag tone="warn">{count(row.findings)}</Tag> : dash),
  },
  novaAt: read((row) => row.novaAt),
  placementAt: read((row) => row.placementAt),
  libvirtAt: read((row) => row.libvirtAt),
}
export const cloudDriftColumns = Object.values(columnsOf(CLOUD_DRIFT_LIST, cells))
