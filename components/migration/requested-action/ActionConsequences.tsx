import type { ConsequenceHost, MigrationConsequences } from '@/server/api/migration/consequences'
import { verdictBadges } from '../../advice/words'
import { claimTotalsText } from '../../claim/amount/words'
import { HostLink } from '../../console/refs'
import { StateBadge } from '../../ui/Badge'
import { Note } from '../../ui/Message'
import { migrationWords, requestedActionWords } from '../words'

const words = migrationWords.consequences

/** The effects of an action: method, the adviser's verdict, and what is released and kept. */
export function ActionConsequences({ of }: { of: MigrationConsequences }) {
  return (
    <div className="flex flex-col gap-3">
      {of.methods.length === 0 ? <p className="m-0">{requestedActionWords[of.requestedAction].means}</p> : null}
      {of.methods.map(({ method, count, pausedMs }) => (
        <p key={method} className="m-0">
          <strong className="font-medium">{words.methodOf(method, count)}</strong>. {words.methodMeans[method]}{' '}
          {method === 'pause' ? words.pause(pausedMs) : null}
        </p>
      ))}
      {of.advice.map((advice) => (
        <Adviser key={`${advice.verdict} ${advice.because}`} advice={advice} of={of.permitted.length} />
      ))}
      <Hosts
        title={words.frees}
        hosts={of.frees}
        none={of.requestedAction === 'force-complete' || of.requestedAction === 'retry' ? null : words.nothing}
      />
      <Hosts title={words.keeps} hosts={of.keeps} none={null} />
      {of.stopsGuests > 0 ? <p className="m-0">{words.stops(of.stopsGuests)}</p> : null}
      {of.noWayBack ? (
        <Note tone="bad" shape="triangle">
          {words.noWayBack}
        </Note>
      ) : null}
      {of.refused.length > 0 ? (
        <div className="text-sm text-soft">
          <p className="m-0 font-medium">
            {words.refused}: {of.refused.length}
          </p>
          <ul className="m-0 max-h-28 list-disc overflow-auto pl-4">
            {of.refused.map((migration) => (
              <li key={migration.id}>
                {migration.name}: {migration.why}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  )
}

function Hosts(props: { title: string; hosts: readonly ConsequenceHost[]; none: string | null }) {
  if (props.hosts.length === 0) return props.none ? <p className="m-0 text-soft">{props.none}</p> : null
  return (
    <dl className="m-0 grid max-h-40 grid-cols-[4rem_1fr] gap-x-3 gap-y-1 overflow-auto">
      {props.hosts.map(({ host, held, units }, index) => (
        <div key={host.id} className="contents">
          <dt className="text-xs leading-5 text-soft">{index === 0 ? props.title : ''}</dt>
          <dd className="m-0">
            <HostLink host={host} /> {claimTotalsText(held)}
            {units.length > 0 ? <span className="block font-mono text-xs text-soft">{units.join(' ')}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** For several migrations, states for how many. */
function Adviser({ advice, of }: { advice: MigrationConsequences['advice'][number]; of: number }) {
  return (
    <p className="m-0 flex items-baseline gap-2">
      <span className="inline-flex shrink-0 items-baseline gap-1.5">
        {words.adviser} <StateBadge badge={verdictBadges[advice.verdict]} />
        {of > 1 ? <span className="text-soft"> {words.forSome(advice.count, of)}</span> : null}
      </span>
      <span className="text-soft">
        {advice.because} {advice.needs.length > 0 ? words.needs(advice.needs) : null}
      </span>
    </p>
  )
}
