import { type CloudActionKind, subjectOf } from '../action/action'
import { refusalOf } from '../action/offer'
import { type CloudFacts, isComplete } from '../facts'
import { type DrainRequest, type DrainTry, isAtNovasLimit, isPassing, isRuledOut, planDrain } from './plan'

// The next step of a drain, from the present state and its earlier tries.

export type DrainCall = Pick<DrainTry, 'verb' | 'subject' | 'host'>

export interface DrainStep {
  /** done: the host is empty. left: instances stay, and no further try is made. */
  readonly state: 'going' | 'done' | 'left'
  /** Its progress, or what stays and why. */
  readonly detail: string
  readonly next: readonly DrainCall[]
}

const MIGRATE_VERBS: readonly CloudActionKind[] = ['live-migrate', 'migrate']
const ended = (state: 'done' | 'left', detail: string): DrainStep => ({ state, detail, next: [] })
const going = (detail: string, next: readonly DrainCall[] = []): DrainStep => ({ state: 'going', detail, next })

export function drainStep(facts: CloudFacts, request: DrainRequest): DrainStep {
  const { host, options, tries } = request
  const { services, servers, migrations } = facts.snapshot
  const service = facts.services.get(host)
  // While a cell is down, Nova lists neither its hosts nor its instances, so their absence ends nothing.
  if (service === undefined && !isComplete(services)) return going(`Nova does not report ${host} at present.`)
  if (service === undefined) return ended('left', `The cloud does not list ${host} any more.`)
  const open = tries.filter(({ did }) => did === 'open')
  if (service.status === 'enabled') {
    const disables = tries.filter(({ verb }) => verb === 'disable')
    const last = disables.at(-1)
    if (isRuledOut(disables)) return ended('left', `Its service could not be disabled: ${last?.says}`)
    if (last?.did === 'done') return ended('left', 'Its service was enabled again, which ends a drain.')
    const disable = { verb: 'disable', subject: host, host: null } as const
    return going('The service is being disabled.', last?.did === 'open' ? [] : [disable])
  }
  const confirms = confirmsOf(facts, request)
  const plan = planDrain(facts, request)
  const busy = open.filter(({ verb }) => MIGRATE_VERBS.includes(verb)).length
  const free = isAtNovasLimit(facts, host) ? 0 : Math.max(0, options.most - busy)
  const next = [
    ...confirms.next,
    ...plan.migrations.slice(0, free).map(({ verb, instance, host: to }) => ({ verb, subject: instance, host: to })),
  ]
  const isWaiting = confirms.waits || plan.stays.some((each) => each.isPassing)
  const count = plan.migrations.length + busy + plan.stays.length
  if (next.length > 0 || open.length > 0 || plan.migrations.length > 0 || isWaiting)
    return going(`${count} of its instances are still there; ${busy} of them are migrating.`, next)
  if (![services, servers, migrations].every(isComplete)) return going('Nova does not report all instances at present.')
  const left = [...plan.stays.map(({ name, why }) => `${name}: ${why}`), ...confirms.left]
  return left.length === 0 ? ended('done', `No instance is left on ${host}.`) : ended('left', left.join(' '))
}

/** An instance that this drain migrated cold holds its old host until the migration is confirmed. */
function confirmsOf(facts: CloudFacts, { host, tries }: DrainRequest) {
  const next: DrainCall[] = []
  const left: string[] = []
  let waits = false
  const mine = new Set(
    tries
      .filter(({ verb, did }) => verb === 'migrate' && (did === 'open' || did === 'done'))
      .map((each) => each.subject),
  )
  for (const id of mine) {
    const subject = subjectOf(facts, 'instance', id)
    if (subject?.server?.vmState !== 'resized' || subject.migration?.sourceHost !== host) continue
    const confirms = tries.filter(({ verb, subject: of }) => verb === 'confirm' && of === id)
    const last = confirms.at(-1)
    const why = refusalOf('confirm', subject)
    if (last?.did === 'open') continue
    if (isRuledOut(confirms)) left.push(`${subject.server.name}: its confirm failed: ${last?.says}.`)
    else if (why === null) next.push({ verb: 'confirm', subject: id, host: null })
    else if (isPassing(why)) waits = true
    else left.push(`${subject.server.name}: its migration is not confirmed. ${why}`)
  }
  return { next, left, waits }
}
