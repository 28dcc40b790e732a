import type { Blocker, PlannedMigration } from '@/server/api/run/view'
import { HostLink, InstanceLink } from '../console/refs'
import { RefusalList } from '../refusal/RefusalList'
import { Glyph } from '../ui/Glyph'
import { reasonText } from './reason-text'
import { drainWords, proofWords } from './words'

const words = drainWords.blockers

/** Instances that fit nowhere, with reason, proof, and the smallest change that would help. */
export function Blockers(props: {
  readonly blockers: readonly Blocker[]
  readonly migrations: readonly PlannedMigration[]
}) {
  const { blockers, migrations } = props
  if (blockers.length === 0) return null
  return (
    <section aria-labelledby="blockers" className="rounded-lg border border-line bg-bad-wash">
      <h2 id="blockers" className="m-0 flex min-h-9 items-center gap-2 px-3 text-sm font-semibold text-bad">
        <Glyph shape="triangle" />
        {words.title(blockers.length)}
      </h2>
      <ul className="m-0 list-none p-0">
        {blockers.map((blocker) => (
          <li key={blocker.instance.id} className="border-t border-line px-3 py-2 text-sm">
            <span className="flex flex-wrap items-baseline gap-x-2">
              <InstanceLink instance={blocker.instance} />
              <span className="min-w-0">{reasonText({ ...blocker, to: null, state: 'blocked' })}</span>
            </span>
            <p className="m-0 text-xs text-soft">
              {words.change}: <span className="font-medium text-ink">{blocker.smallestChange ?? words.noChange}</span>.{' '}
              {words.proof}: {proofWords[blocker.proof]}.
            </p>
            <Refusals migration={migrations.find(({ instance }) => instance.id === blocker.instance.id)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Refusals({ migration }: { migration: PlannedMigration | undefined }) {
  if (!migration || migration.refusals.length === 0) return null
  return (
    <details className="pt-1 text-xs">
      <summary className="w-fit cursor-default">{drainWords.table.why_}</summary>
      <dl className="m-0 grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-1 pt-1">
        {migration.refusals.map(({ host, refusals }) => (
          <div key={host.id} className="contents">
            <dt>
              <HostLink host={host} />
            </dt>
            <dd className="m-0 min-w-0">
              <RefusalList refusals={refusals} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
