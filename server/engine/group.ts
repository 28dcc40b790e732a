import type { Group } from './demand'
import type { Host } from './host'
import type { GroupId } from './words/ids'
import type { Refusal } from './words/refusal'

// Server groups. Members count on every host where they hold a claim, so a migrating member counts on both sides and
// two parallel migrations cannot meet; the group's generation guards the claim. [LP 1821755, 1735407]

export function membersOn(group: Group, host: Host): number {
  let members = 0
  for (const each of group.memberHosts) if (each === host.id) members++
  return members
}

/** Why the host would break the group's rule, even a soft one: `isStrict` says whether that refuses or only ranks. */
export function groupRefusal(group: Group, host: Host): Refusal | null {
  const members = membersOn(group, host)
  if (group.policy === 'affinity' || group.policy === 'soft-affinity') {
    if (group.memberHosts.length === 0 || members > 0) return null
    return { kind: 'affinity', where: {}, need: 'a host with a member of the group', have: 'no member here' }
  }
  const most = group.policy === 'anti-affinity' ? group.maxPerHost : 1
  if (members < most) return null
  return { kind: 'anti-affinity', where: {}, need: `fewer than ${most} members`, have: `${members} here` }
}

export const isStrict = ({ policy }: Pick<Group, 'policy'>): boolean =>
  policy === 'affinity' || policy === 'anti-affinity'

/** generation null: decided by a soft policy, which only has to be soft still. Others neither raise it nor wait for it. */
export interface GroupGuard {
  readonly id: GroupId
  readonly generation: number | null
}

export const guardOfGroup = (group: Group): GroupGuard => ({
  id: group.id,
  generation: isStrict(group) ? group.generation : null,
})
