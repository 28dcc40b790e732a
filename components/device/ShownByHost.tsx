import type { DeviceDriftRow } from '@/server/api/contract-truth'
import { RelativeTime } from '../ui/Clock'
import { Unknown } from '../ui/KeyValue'
import { deviceWords as words } from './words'

/** What its hypervisor says, or what it would take to know. */
export function ShownByHost({ drift }: { drift: DeviceDriftRow }) {
  const { hypervisor, hypervisorAt, needs } = drift
  return (
    <section>
      <h2 className="m-0 pb-1 text-xs font-medium text-soft">{words.shown}</h2>
      <p className="m-0">{hypervisor ?? <Unknown needs={needs ?? ''} />}</p>
      {hypervisorAt === null ? null : (
        <p className="m-0 text-xs text-soft">
          <RelativeTime at={hypervisorAt} />
        </p>
      )}
    </section>
  )
}
