import type { GroupPolicy } from '../../engine/demand'
import { listGroups } from '../../store/catalog/list'
import type { Ref } from '../names/names'
import { router, viewer } from '../procedure/procedure'

export interface GroupView extends Ref {
  readonly policy: GroupPolicy
  readonly members: number
}

export const groupRouter = router({
  list: viewer.query(async ({ ctx }): Promise<readonly GroupView[]> => {
    const groups = await listGroups(ctx.services.database)
    return groups.map(({ id, name, policy, members }) => ({ id, name, policy, members }))
  }),
})
