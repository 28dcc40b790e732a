import { adviceRouter } from './advice/router'
import { bundleRouter } from './bundle/router'
import { capacityRouter } from './capacity/router'
import { flavorRouter } from './catalog/flavor'
import { groupRouter } from './catalog/group'
import { imageRouter } from './catalog/image'
import { catalogRouter } from './catalog/router'
import { consumerRouter } from './consumer/router'
import { deviceRouter } from './device/router'
import { eventRouter } from './event/router'
import { whyRouter } from './explain/router'
import { findingRouter } from './finding/router'
import { healRouter } from './heal/router'
import { hostRouter } from './host/router'
import { instanceRouter } from './instance/router'
import { layoutRouter } from './layout/router'
import { ledgerRouter } from './ledger/router'
import { migrationRouter } from './migration/router'
import { moveRouter } from './move/router'
import { overviewRouter } from './overview/router'
import { pastRouter } from './past/router'
import { powerRouter } from './power/router'
import { router } from './procedure/procedure'
import { proposalRouter } from './proposal/router'
import { providerRouter } from './provider/router'
import { runRouter } from './run/router'
import { searchRouter } from './search/router'
import { sessionRouter } from './session/router'
import { settingRouter } from './setting/router'
import { simulatorRouter } from './simulator/router'
import { storageRouter } from './storage/router'
import { userRouter } from './user/router'
import { viewRouter } from './view/router'

/** The whole API of the console: one noun, one folder. */
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
