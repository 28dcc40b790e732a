import type { Image } from '../engine/demand'
import { imagesOf } from './catalog'
import { router, viewer } from './trpc'

export const imageRouter = router({
  list: viewer.query(({ ctx }): Promise<readonly Image[]> => imagesOf(ctx.services)),
})
