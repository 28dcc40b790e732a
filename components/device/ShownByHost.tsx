import type { DeviceDriftRow } from '@/server/api/drift/devices'
import { Unknown } from '../ui/KeyValue'
import { PanelPart } from '../ui/Panel'
import { RelativeTime } from '../ui/time/Clock'
import { deviceWords as words } from './words'

/** The hypervisor's report, or the missing information. */
export function ShownByHost({ drift }: { drift: DeviceDriftRow }) {
  const { hypervisor, hypervisorAt, needs } = drift
  return (
    <PanelPart title={words.shown}>
      <p className="m-0">{hypervisor ?? <Unknown needs={needs ?? ''} />}</p>
      {hypervisorAt === null ? null : (
        <p className="m-0 text-xs text-soft">
          <RelativeTime at={hypervisorAt} />
        </p>
      )}
    </PanelPart>
  )
}
