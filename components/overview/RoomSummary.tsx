import type { RoomView } from '@/server/api/capacity/router'
import { largestWords } from '../claim/words'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { useQuestion } from '../explain/address'
import { TextLink } from '../ui/Link'
import { roomInAll } from './heat'
import { overviewWords as words } from './words'

/** The picture in one line: how many more, on how many hosts, and how large a single one may be. */
export function RoomSummary({ room, what, hosts }: { room: RoomView; what: string; hosts: number }) {
  const { flavor, vcpus, memory, disk, specs } = useQuestion()
  const sum = roomInAll(room.hosts)
  const { shape, host, exact } = room.largest
  const text = (n: number | null) => (n === null ? undefined : String(n))
  const asked = { vcpus: text(vcpus), memory: text(memory), disk: text(disk), specs: specs ?? undefined }
  const question = vcpus === null ? { flavor: flavor ?? undefined } : asked
  return (
    <p role="status" className="m-0 flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm">
      <span>
        <strong className="font-medium">{words.room(sum.more, sum.exact, what)}</strong>{' '}
        <span className="text-soft">{words.roomOn(sum.hosts, hosts)}</span>
      </span>
      {shape ? (
        <span className="text-soft">
          {words.largestLike} {exact ? null : largestWords.atLeast}{' '}
          <span className="text-ink">{largestWords.shape(shape.vcpus, shape.memoryMib, shape.devices)}</span>{' '}
          {host ? largestWords.on : null} {host ? <HostLink host={host} /> : null}
        </span>
      ) : null}
      <TextLink href={paths.explain(question)}>{words.whyNot}</TextLink>
    </p>
  )
}
