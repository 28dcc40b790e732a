import type { Flavor } from '../../engine/demand'
import { router, viewer } from '../procedure/procedure'
import { flavorsOf } from './lookup'

export const flavorRouter = router({
  list: viewer.query(({ ctx }): Promise<readonly Flavor[]> => flavorsOf(ctx.services)),
})
