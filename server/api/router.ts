import { adviceRouter } from './advice'
import { bundleRouter } from './bundle'
import { capacityRouter } from './capacity'
import { catalogRouter } from './catalog/catalog'
import { consumerRouter } from './consumer/router'
import { deviceRouter } from './device'
import { eventRouter } from './event'
import { whyRouter } from './explain-page'
import { findingRouter } from './finding'
import { flavorRouter } from './flavor'
import { groupRouter } from './group'
import { healRouter } from './heal'
import { hostRouter } from './host'
import { imageRouter } from './image'
import { instanceRouter } from './instance'
import { layoutRouter } from './layout'
import { ledgerRouter } from './ledger'
import { migrationRouter } from './migration'
import { moveRouter } from './move'
import { overviewRouter } from './overview'
import { pastRouter } from './past'
import { powerRouter } from './power/router'
import { proposalRouter } from './proposal'
import { providerRouter } from './provider'
import { runRouter } from './run'
import { searchRouter } from './search'
import { sessionRouter } from './session'
import { settingRouter } from './setting'
import { simulatorRouter } from './simulator'
import { storageRouter } from './storage/storage'
import { router } from './trpc'
import { userRouter } from './user'
import { viewRouter } from './view'

/** The whole API of the console: one noun, one file. */
export const appRouter = router({
  session: sessionRouter,
  overview: overviewRouter,
  host: hostRouter,
  instance: instanceRouter,
  power: powerRouter,
  move: moveRouter,
  why: whyRouter,
  ledger: ledgerRouter,
  consumer: consumerRouter,
  device: deviceRouter,
  capacity: capacityRouter,
  provider: providerRouter,
  past: pastRouter,
  migration: migrationRouter,
  event: eventRouter,
  finding: findingRouter,
  heal: healRouter,
  proposal: proposalRouter,
  advice: adviceRouter,
  bundle: bundleRouter,
  flavor: flavorRouter,
  image: imageRouter,
  group: groupRouter,
  layout: layoutRouter,
  run: runRouter,
  setting: settingRouter,
  catalog: catalogRouter,
  storage: storageRouter,
  simulator: simulatorRouter,
  user: userRouter,
  view: viewRouter,
  search: searchRouter,
})

export type AppRouter = typeof appRouter
