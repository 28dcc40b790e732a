import { listGroups } from '../../store/catalog/list'
import type { GroupView } from '../contract-moves'
import { router, viewer } from '../procedure/procedure'

export const groupRouter = router({
  list: viewer.query(async ({ ctx }): Promise<readonly GroupView[]> => {
    const groups = await listGroups(ctx.services.database)
    return groups.map(({ id, name, policy, members }) => ({ id, name, policy, members }))
  }),
})
