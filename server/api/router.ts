import { eventRouter } from './event'
import { flavorRouter } from './flavor'
import { groupRouter } from './group'
import { hostRouter } from './host'
import { imageRouter } from './image'
import { instanceRouter } from './instance'
import { migrationRouter } from './migration'
import { moveRouter } from './move'
import { overviewRouter } from './overview'
import { sessionRouter } from './session'
import { simulatorRouter } from './simulator'
import { router } from './trpc'
import { userRouter } from './user'

/** The whole API of the console: one noun, one file. */
export const appRouter = router({
  session: sessionRouter,
  overview: overviewRouter,
  host: hostRouter,
  instance: instanceRouter,
  move: moveRouter,
  migration: migrationRouter,
  event: eventRouter,
  flavor: flavorRouter,
  image: imageRouter,
  group: groupRouter,
  simulator: simulatorRouter,
  user: userRouter,
})

export type AppRouter = typeof appRouter
