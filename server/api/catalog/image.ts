import type { Image } from '../../engine/demand'
import { router, viewer } from '../procedure/procedure'
import { imagesOf } from './lookup'

export const imageRouter = router({
  list: viewer.query(({ ctx }): Promise<readonly Image[]> => imagesOf(ctx.services)),
})
