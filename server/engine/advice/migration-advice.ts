import { isStuck, stillSince } from '../audit/lasting-checks'
import { isDead } from '../host'
import { isNotConverging } from '../migration/converge'
import type { Standing } from '../migration/look'
import { permitted } from '../migration/machine'
import { operationRow } from '../migration/operations'
import type { Migration, Side, Wish } from '../migration/state'
import { WISHES } from '../migration/state'
import { type ForceMethod, forceMethod } from '../words/force'
import { type Advice, advice, type HealFact, healOpinion, type Opinion, type Proof, TRUTH_ACTIONS } from './advice'
import { deadOpinion, type HostFact, isContradicted, proofOfHost, surveyOf, truthOpinion } from './host-facts'

// What may be done about one move. The machine alone says what is permitted; the adviser says what it would lead to.

export interface SideFact {
  readonly host: HostFact
  /** What the last look at this side showed of the guest. */
  readonly guest: Standing
}

export interface MigrationFacts {
  readonly migration: Migration
  /** Null when the operation has no such side, or none is chosen yet. */
  readonly source: SideFact | null
  readonly target: SideFact | null
  readonly heal: HealFact
  readonly now: number
}

export interface MigrationAdvice {
  /** Why it stands still; null while it gets on. */
  readonly stuck: { readonly why: string; readonly since: number } | null
  readonly actions: readonly Advice[]
}

export function adviseMigration(facts: MigrationFacts): MigrationAdvice {
  const { migration, heal, now } = facts
  const proof = proofOf(facts)
  const stuck = isHeldUp(migration, now) ? { why: reasonOf(facts), since: heldUpSince(migration) } : null
  return {
    stuck,
    actions: [
      ...WISHES.map((wish) => advice(wish, wishOpinion(facts, wish), proof)),
      advice('wait', waitOpinion(facts), proof),
      ...truthAdvice(facts),
      advice('heal', healOpinion(heal), proof),
      advice('evacuate', evacuateOpinion(facts), proof),
    ],
  }
}

/** Whoever asks what to do hears why the move stands still at once; the audit waits until that is longer than usual. */
function isHeldUp(migration: Migration, now: number): boolean {
  const waits = migration.waiting?.for
  return (
    waits === 'host' || waits === 'retry' || waits === 'repair' || isNotConverging(migration) || isStuck(migration, now)
  )
}

/** A transfer that goes round in circles tells its progress all the while. */
const heldUpSince = (migration: Migration): number =>
  isNotConverging(migration) ? migration.stepSince : stillSince(migration)

function reasonOf({ migration, source, target }: MigrationFacts): string {
  const { waiting, step } = migration
  if (isNotConverging(migration))
    return 'the guest dirties memory faster than the link copies it, so the transfer does not end by itself'
  switch (waiting?.for) {
    case undefined:
      return `nobody has carried it on in ${step}`
    case 'host': {
      const name = [source, target].find((side) => side?.host.id === waiting.host)?.host.name ?? waiting.host
      // A driver knows its host by id; people know it by name.
      return `it waits in ${step} for ${name}: ${waiting.why.replaceAll(waiting.host, name)}`
    }
    case 'slot':
      return `it waits for a slot, place ${waiting.place}`
    case 'person':
      return 'it waits for a person to confirm or revert'
    case 'retry':
      return `${step} fails and is tried again: ${waiting.why}`
    case 'repair':
      return `it is parked, because the records contradict it: ${waiting.why}`
    default:
      return waiting satisfies never
  }
}

const GUEST: { readonly [S in Standing]: string } = {
  running: 'the guest runs here',
  stopped: 'the guest stands here, shut off',
  left: 'the guest was handed over from here',
  shell: 'a shell of the guest stands here',
  absent: 'the guest is not here',
  silent: 'nobody answered',
  fenced: 'attested fenced: nothing should run here',
  gone: 'attested gone: nothing should run here',
}

function proofOf({ migration, source, target }: MigrationFacts): readonly Proof[] {
  const says = `${migration.operation} is in ${migration.step}, heading to its ${migration.heading}, at home on its ${migration.home}`
  const sides = [source, target].flatMap((side): Proof[] => {
    if (side === null) return []
    const { id, lookedAt, statedAt, truth } = side.host
    // Nobody looked: a person said so. Where a survey has found otherwise since, that is what counts.
    if (isContradicted(side.host) && isDead(truth)) return [surveyOf(side.host)]
    if (isDead(truth)) return [{ source: 'person', host: id, says: GUEST[side.guest], at: statedAt }]
    return [{ source: 'hypervisor', host: id, says: GUEST[side.guest], at: lookedAt }]
  })
  return [{ source: 'history', host: null, says, at: migration.stepSince }, ...sides]
}

/** Safe only if permitted, impossible exactly when not: the machine is asked first. */
function wishOpinion(facts: MigrationFacts, wish: Wish): Opinion {
  const permission = permitted(facts.migration).find((each) => each.wish === wish)
  if (permission?.allowed !== true) {
    const { refusal } = permission ?? {}
    return {
      verdict: 'impossible',
      because: `Not now: ${refusal && 'have' in refusal ? refusal.have : 'not permitted'}.`,
    }
  }
  return WISH_OPINIONS[wish](facts)
}

const WISH_OPINIONS: { readonly [W in Wish]: (facts: MigrationFacts) => Opinion } = {
  abort: abortOpinion,
  confirm: confirmOpinion,
  revert: revertOpinion,
  'force-complete': forceOpinion,
  retry: () => ({ verdict: 'safe', because: 'Everything it relies on is checked again before anything is done.' }),
}

const isSilent = (side: SideFact | null) => side?.guest === 'silent'
const isOut = (side: SideFact | null) => side !== null && isDead(side.host.truth)
const answerOf = (side: SideFact | null, which: Side) => [`an answer of ${side?.host.name ?? `the ${which}`}`]

function abortOpinion({ migration, source }: MigrationFacts): Opinion {
  if (migration.step === 'claim')
    return { verdict: 'safe', because: 'Nothing is claimed yet, so nothing has to be undone.' }
  const { source: from } = operationRow(migration.operation)
  if (from === 'none' || from === 'fenced') {
    return {
      verdict: 'safe',
      because: 'What was claimed is given back, and the instance stays as it was before the move.',
    }
  }
  if (isOut(source))
    return { verdict: 'unsafe', because: 'The source is dead: the guest would have nowhere to go back to.' }
  if (isSilent(source)) {
    return {
      verdict: 'unknown',
      because: 'The move turns back only when it has seen where the guest is.',
      needs: answerOf(source, 'source'),
    }
  }
  return { verdict: 'safe', because: 'It looks where the guest is, keeps it at its source, and gives the target back.' }
}

function confirmOpinion({ target }: MigrationFacts): Opinion {
  if (isSilent(target) || target === null) {
    const because = 'Confirming gives up the old side, and nobody has seen the guest on the new one.'
    return { verdict: 'unknown', because, needs: answerOf(target, 'target') }
  }
  if (target.guest === 'running' || target.guest === 'stopped') {
    return { verdict: 'safe', because: 'The guest is on the new side; the old side is cleaned and given back.' }
  }
  return {
    verdict: 'unsafe',
    because: 'The guest was not seen on the new side: the old one may be all there is of it.',
  }
}

function revertOpinion({ source }: MigrationFacts): Opinion {
  if (isOut(source))
    return { verdict: 'unsafe', because: 'The source is dead: the guest would have nowhere to go back to.' }
  if (isSilent(source) || source === null) {
    const because = 'The guest is stopped on the new side before the old one is known to take it back.'
    return { verdict: 'unknown', because, needs: answerOf(source, 'source') }
  }
  if (source.guest === 'absent')
    return { verdict: 'unsafe', because: 'Nothing of the guest was seen at the source any more.' }
  return { verdict: 'safe', because: 'The old side still holds its place and its disk; what changed since is lost.' }
}

function forceOpinion({ migration, source, target }: MigrationFacts): Opinion {
  if (isOut(target) || isOut(source))
    return { verdict: 'unsafe', because: 'One of the hosts is dead: the guest would be lost on its way.' }
  if (isSilent(source) || isSilent(target) || target === null) {
    const side = isSilent(source) ? source : target
    const because = 'There is no way back once it is forced, and one of the hosts does not answer.'
    return { verdict: 'unknown', because, needs: answerOf(side, isSilent(source) ? 'source' : 'target') }
  }
  return { verdict: 'unsafe', because: FORCE_RISK[forceMethod(migration.oldImage.properties)] }
}

const FORCE_RISK: Readonly<Record<ForceMethod, string>> = {
  pause:
    'Method: pause. The guest stands still until the rest is copied; its services may time out. There is no way back.',
  'post-copy':
    'Method: post-copy. The guest runs on the target before its memory is there; if a host or the link fails meanwhile, the guest is lost. There is no way back.',
}

function waitOpinion({ migration }: MigrationFacts): Opinion {
  if (migration.step === 'ended') return { verdict: 'impossible', because: 'The move has ended.' }
  if (migration.waiting?.for === 'repair') {
    const because = 'Nothing is done while it is parked, and it ends only after a repair of the records.'
    return { verdict: 'safe', because }
  }
  if (isNotConverging(migration)) {
    const because =
      'Nothing is lost by it, but it ends only when the guest writes less; both sides stay held meanwhile.'
    return { verdict: 'safe', because }
  }
  return {
    verdict: 'safe',
    because: 'It is tried again by itself, for as long as it takes; both sides stay held meanwhile.',
  }
}

function truthAdvice({ migration, source, target }: MigrationFacts): readonly Advice[] {
  const { waiting } = migration
  const waited = waiting?.for === 'host' ? [source, target].find((side) => side?.host.id === waiting.host) : null
  if (!waited) return []
  return TRUTH_ACTIONS.map((action) => advice(action, seenThere(action, waited), proofOfHost(waited.host)))
}

/** That the guest itself was seen running there weighs more than how many others were. */
function seenThere(action: (typeof TRUTH_ACTIONS)[number], { host, guest }: SideFact): Opinion {
  return truthOpinion(
    action,
    guest === 'running' ? { ...host, answered: true, running: Math.max(1, host.running) } : host,
  )
}

function evacuateOpinion({ migration, source }: MigrationFacts): Opinion {
  if (migration.step !== 'ended')
    return { verdict: 'impossible', because: 'This move has to end first; it ends by itself once its hosts are known.' }
  if (source === null || !isOut(source))
    return { verdict: 'impossible', because: 'Only a guest of a host that is fenced or gone is evacuated.' }
  return deadOpinion(source.host, 'The instance can be brought up elsewhere.')
}
