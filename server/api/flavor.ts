import type { Flavor } from '../engine/demand'
import { flavorsOf } from './catalog'
import { router, viewer } from './trpc'

export const flavorRouter = router({
  list: viewer.query(({ ctx }): Promise<readonly Flavor[]> => flavorsOf(ctx.services)),
})
