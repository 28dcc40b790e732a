import type { Flavor } from '../../engine/demand'
import { listFlavors } from '../../store/catalog/list'
import { router, viewer } from '../procedure/procedure'

export const flavorRouter = router({
  list: viewer.query(({ ctx }): Promise<readonly Flavor[]> => listFlavors(ctx.services.database)),
})
