import type { CloudDrainPlanView } from '@/server/api/cloud/drain-router'
import { Note } from '../../ui/Message'
import { cloudDrainWords as words } from './words'

/** Planned migrations in order, preceded by the instances that stay. */
export function DrainPlan({ plan: { migrations, stays } }: { plan: CloudDrainPlanView }) {
  const batches = [...new Set(migrations.map(({ batch }) => batch))]
  if (migrations.length + stays.length === 0) return <p className="m-0 text-sm text-soft">{words.none}</p>
  return (
    <div className="flex max-h-80 flex-col gap-2 overflow-y-auto text-sm">
      {stays.length === 0 ? null : (
        <Note tone="warn" shape="triangle">
          {words.stays(stays.length)}
          <ul className="m-0 list-disc pl-4">
            {stays.map(({ instance, name, why }) => (
              <li key={instance} className="break-words">
                {words.stay(name, why)}
              </li>
            ))}
          </ul>
        </Note>
      )}
      {migrations.length === 0 ? null : <p className="m-0">{words.migrations(migrations.length, batches.length)}</p>}
      {batches.map((batch) => (
        <div key={batch}>
          <span className="text-xs text-soft">{words.batch(batch)}</span>
          <ul aria-label={words.batch(batch)} className="m-0 list-none p-0">
            {migrations
              .filter((migration) => migration.batch === batch)
              .map(({ instance, name, verb, host }) => (
                <li key={instance} className="break-words">
                  {words.migration(name, verb, host)}
                </li>
              ))}
          </ul>
        </div>
      ))}
    </div>
  )
}
