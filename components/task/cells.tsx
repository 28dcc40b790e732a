import { Fragment } from 'react'
import type { TaskView } from '@/server/api/task/router'
import { paths } from '../console/paths'
import { HostLink, InstanceLink } from '../console/refs'
import { dash } from '../ui/dash'
import { duration } from '../ui/format'
import { Glyph } from '../ui/Glyph'
import { TextLink } from '../ui/Link'
import { Elapsed } from '../ui/time/Clock'
import { taskText, taskWords } from './words'

/** The page with details about it. */
function taskHref({ migration, run, plan, action }: TaskView): string | null {
  if (migration) return paths.migration(migration)
  if (run) return paths.drain(run)
  if (plan) return paths.healPlan(plan)
  if (action === 'setting.changed') return paths.settings()
  return action.startsWith('catalog.') ? paths.catalog() : null
}

export function TaskName({ row }: { row: TaskView }) {
  const href = taskHref(row)
  return href ? <TextLink href={href}>{taskText(row)}</TextLink> : taskText(row)
}

export function TaskObject({ row: { instance, hosts, subject, operation } }: { row: TaskView }) {
  if (!instance && hosts.length === 0) return subject ?? dash
  // A migration shows source and target; for many hosts, the number of further ones.
  const shown = hosts.slice(0, 2)
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      {instance ? (
        <span className="max-w-full shrink-0 truncate">
          <InstanceLink instance={instance} />
        </span>
      ) : null}
      {operation || !instance ? (
        <span className="min-w-0 truncate">
          {shown.map((host, n) => (
            <Fragment key={host.id}>
              {n > 0 ? operation ? <Glyph shape="arrow" className="mx-1.5 inline text-faint" /> : ' ' : null}
              <HostLink host={host} />
            </Fragment>
          ))}
          {hosts.length > shown.length ? (
            <span className="text-faint">{taskWords.moreHosts(hosts.length - shown.length)}</span>
          ) : null}
        </span>
      ) : null}
    </span>
  )
}

const UNDER_WAY: ReadonlySet<TaskView['result']> = new Set(['running', 'waiting', 'blocked'])

/** Null if its end was not recorded; for a running task, up to `now` (ms). */
export function tookMs({ requestedAt, endedAt, result }: TaskView, now: number | null): number | null {
  const end = endedAt ?? (UNDER_WAY.has(result) ? now : null)
  return end === null ? null : end - requestedAt
}

export function TaskDuration({ row }: { row: TaskView }) {
  const took = tookMs(row, null)
  // Tasks recorded at request time have no duration: 0 ms would read as a measurement.
  if (took !== null) return took < 1000 ? taskWords.instant : duration(took)
  return UNDER_WAY.has(row.result) ? <Elapsed from={row.requestedAt} /> : dash
}
