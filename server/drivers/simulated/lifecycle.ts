import type { ClaimBody } from '../../engine/host'
import type { Side } from '../../engine/migration/state'
import type { HostId } from '../../engine/words/ids'
import { otherSide } from '../../engine/words/side'
import { DISK_GB } from '../../engine/words/units'
import type { Answer, BuildOrder, DriverOperation } from '../driver'
import { deviceTrouble } from './devices'
import { DONE, failed, noAnswer, type OperationContext, type OperationResult } from './faults'
import { inState } from './power'
import { answers, type Copy, hasGuest, hostIn, type Scene, withInstance } from './record'
import { copyAtSide } from './sides'
import { isHandedOver, jobOf, withStopped } from './transfer'

// Creates, starts and removes copies of a domain on hosts. The scene must be settled before any of these is called.

/** Creates the paused target domain. A host has one domain per instance, as in libvirt, unless it is both sides. */
export function prepare(
  scene: Scene,
  driverOperation: DriverOperation,
  { now, half }: OperationContext,
): OperationResult<Answer> {
  const target = driverOperation.target
  if (target === null) return { scene, answer: failed('a migration without a target cannot be prepared') }
  const earlier = copyAtSide(scene, driverOperation, 'target')
  // Half of a domain has no claim: its failure may have been lost with the server that asked for it.
  const isHalf = earlier?.is === 'shell' && earlier.claim === null && driverOperation.claim.target !== null
  if (earlier && !isHalf) return { scene, answer: DONE }
  const isThere = scene.record.copies.some((copy) => copy.host === target && copy !== earlier)
  const elsewhere = isThere && target !== driverOperation.source
  if (elsewhere) return { scene, answer: failed('the target still has a domain of that id') }
  const why = sourceUnfit(scene, driverOperation)
  if (why !== null) return { scene, answer: why }
  const unfit = storageUnfit(scene, driverOperation)
  if (unfit !== null) return { scene, answer: failed(unfit) }
  const trouble = deviceTrouble(scene, target, driverOperation.claim.target)
  if (trouble !== null) return { scene, answer: failed(trouble) }
  const shell: Copy = {
    host: target,
    madeBy: driverOperation.migration,
    settled: false,
    is: 'shell',
    since: now,
    flavor: driverOperation.flavor.target,
    image: driverOperation.image.target,
    claim: half ? null : driverOperation.claim.target,
  }
  const others = scene.record.copies.filter((copy) => copy !== earlier)
  const made = withInstance(scene, { name: driverOperation.name, copies: [...others, shell] })
  return { scene: made, answer: half ? failed('ports could not be plugged (injected fault)') : DONE }
}

function sourceUnfit(scene: Scene, driverOperation: DriverOperation): Answer | null {
  if (driverOperation.source === null || !driverOperation.reach.source) return null
  if (!answers(hostIn(scene, driverOperation.source))) return noAnswer(driverOperation.source)
  const source = copyAtSide(scene, driverOperation, 'source')
  if (!source) return failed('the source has no such domain')
  const mustRun = driverOperation.operation === 'live-migrate'
  return mustRun && source.is !== 'running' ? failed('the domain does not run on the source') : null
}

interface SideContext extends OperationContext {
  readonly side: Side
}

/** Makes the instance run (or, if it was stopped, exist) on that side and nowhere else. */
export function runAt(scene: Scene, driverOperation: DriverOperation, action: SideContext): OperationResult<Answer> {
  const { side, now, half } = action
  const here = copyAtSide(scene, driverOperation, side)
  if (!here) return { scene, answer: failed(`the ${side} has no such domain`) }
  if (here.is === 'left')
    return { scene, answer: failed('the domain was switched to the other host: the copy here is stale') }
  const why = notReady(scene, driverOperation, action)
  if (why !== null) return { scene, answer: why }
  const job = jobOf(scene, driverOperation)
  const quiet = job && !job.end && side === 'source' ? withStopped(scene, job, now) : scene
  const there = copyAtSide(scene, driverOperation, otherSide(side))
  const wanted = driverOperation.wasRunning ? 'running' : 'stopped'
  const copies = quiet.record.copies.map((copy) => {
    if (copy === there && copy.is === 'running' && answers(hostIn(scene, copy.host)))
      return inState(copy, 'stopped', { at: now, reason: 'shutdown' })
    if (copy === here && copy.is !== wanted && !half) return inState(copy, wanted, { at: now, reason: 'shutdown' })
    return copy
  })
  const answer = half
    ? ({ did: 'no-answer', why: 'the connection broke in the middle (injected fault)' } as const)
    : DONE
  return { scene: withInstance(quiet, { copies }), answer }
}

function notReady(scene: Scene, driverOperation: DriverOperation, { side, now }: SideContext): Answer | null {
  const job = jobOf(scene, driverOperation)
  const here = copyAtSide(scene, driverOperation, side)
  const there = copyAtSide(scene, driverOperation, otherSide(side))
  if (side === 'source' && job && !job.end && isHandedOver(scene, job, now))
    return failed('the domain was already switched to the target')
  if (side === 'target' && here?.is === 'shell' && job?.end?.how !== 'done')
    return failed('the target does not have everything that the domain needs')
  if (there?.is !== 'running' || answers(hostIn(scene, there.host))) return null
  return driverOperation.reach[otherSide(side)] ? noAnswer(there.host) : null
}

/** Removes everything of the migration on that side. */
export function clean(scene: Scene, driverOperation: DriverOperation, action: SideContext): OperationResult<Answer> {
  const { side, now, half } = action
  const remains = copyAtSide(scene, driverOperation, side)
  if (remains && isLastOne(scene, driverOperation, remains))
    return { scene, answer: failed('it is the only copy of the domain') }
  const job = jobOf(scene, driverOperation)
  const quiet = job && !job.end ? withStopped(scene, job, now) : scene
  // An instance that left its host leaves nothing there, not even a copy that an earlier resize had not cleaned up yet.
  const { source, target } = driverOperation
  const isGone = (copy: Copy) => copy === remains || (side === 'source' && source !== target && copy.host === source)
  const copies = quiet.record.copies
    .filter((copy) => half || !isGone(copy))
    .map((copy) => (copy === remains ? inState(copy, 'shell', { at: now }) : { ...copy, settled: true }))
  const answer = half && remains ? failed('a volume is still attached (injected fault)') : DONE
  return { scene: withInstance(quiet, { copies }), answer }
}

/** Whatever the records say, the last copy of an instance, or the only one that runs, must not be removed. */
function isLastOne(scene: Scene, driverOperation: DriverOperation, remains: Copy): boolean {
  if (!hasGuest(remains)) return false
  if (driverOperation.source === null) return remains.is === 'running'
  return !scene.record.copies.some(
    (copy) => copy !== remains && hasGuest(copy) && (remains.is !== 'running' || copy.is === 'running'),
  )
}

/** Creates and starts a new domain; a second call changes nothing. */
export function build(scene: Scene, order: BuildOrder, { now, half }: OperationContext): OperationResult<Answer> {
  const here = scene.record.copies.find((copy) => copy.host === order.host)
  if (here?.is === 'running') return { scene, answer: DONE }
  const trouble = deviceTrouble(scene, order.host, order.claim)
  if (trouble !== null) return { scene, answer: failed(trouble) }
  const copy: Copy = {
    host: order.host,
    madeBy: null,
    settled: true,
    is: half ? 'shell' : 'running',
    since: now,
    flavor: order.flavor,
    image: order.image,
    claim: order.claim,
  }
  const others = scene.record.copies.filter((other) => other !== here)
  const answer = half ? failed('the image could not be opened (injected fault)') : DONE
  return { scene: withInstance(scene, { name: order.name, copies: [...others, copy] }), answer }
}

/** Removes everything of the instance on the host. */
export function destroy(scene: Scene, host: HostId, { half, now }: OperationContext): OperationResult<Answer> {
  const copies = half
    ? scene.record.copies.map((copy) =>
        copy.host === host ? inState(copy, 'stopped', { at: now, reason: 'destroyed' }) : copy,
      )
    : scene.record.copies.filter((copy) => copy.host !== host)
  return { scene: withInstance(scene, { copies }), answer: half ? failed('the disk is busy (injected fault)') : DONE }
}

/**
 * Why the storage mode does not fit the two hosts; null if it does. A disk is where its instance was built or last
 * copied to, whatever the records say since then: libvirt and Nova check the hosts as well before they start.
 */
function storageUnfit(scene: Scene, driverOperation: DriverOperation): string | null {
  const from = copyAtSide(scene, driverOperation, 'source')?.claim ?? null
  const to = driverOperation.claim.target
  if (driverOperation.storage === null || from === null || to === null || from.amounts.length === 0) return null
  const disk = diskOf(from)
  if (driverOperation.storage === 'block') {
    if (disk === null) return 'block migration needs a local disk, and the domain has none'
    return disk === diskOf(to) ? 'block migration cannot be used with shared storage' : null
  }
  return disk === null || disk === diskOf(to) ? null : 'the disk of the domain is not on storage that the target shares'
}

/** The provider that holds the disk. */
const diskOf = ({ amounts }: ClaimBody) =>
  amounts.find(({ resourceClass }) => resourceClass === DISK_GB)?.provider ?? null
