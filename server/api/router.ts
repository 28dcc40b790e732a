import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { adviceRouter } from './advice/router'
import { alarmRouter } from './alarm/router'
import { auditLogRouter } from './audit-log/router'
import { bundleRouter } from './bundle/router'
import { capacityRouter } from './capacity/router'
import { flavorRouter } from './catalog/flavor'
import { groupRouter } from './catalog/group'
import { imageRouter } from './catalog/image'
import { catalogRouter } from './catalog/router'
import { cloudActionRouter } from './cloud/action-router'
import { cloudDrainRouter } from './cloud/drain-router'
import { cloudRouter } from './cloud/router'
import { connectionRouter } from './connection/router'
import { consumerRouter } from './consumer/router'
import { deviceRouter } from './device/router'
import { eventRouter } from './event/router'
import { explainRouter } from './explain/router'
import { findingRouter } from './finding/router'
import { healRouter } from './heal/router'
import { hostRouter } from './host/router'
import { instanceRouter } from './instance/router'
import { layoutRouter } from './layout/router'
import { ledgerRouter } from './ledger/router'
import { migrationRouter } from './migration/router'
import { migrationStartRouter } from './migration/start-router'
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
import { taskRouter } from './task/router'
import { tokenRouter } from './token/router'
import { userRouter } from './user/router'
import { viewRouter } from './view/router'

/** The whole API of the console: one noun, one folder. */
export const appRouter = router({
  session: sessionRouter,
  overview: overviewRouter,
  host: hostRouter,
  instance: instanceRouter,
  power: powerRouter,
  migrate: migrationStartRouter,
  explain: explainRouter,
  ledger: ledgerRouter,
  connection: connectionRouter,
  cloud: cloudRouter,
  cloudAction: cloudActionRouter,
  cloudDrain: cloudDrainRouter,
  consumer: consumerRouter,
  device: deviceRouter,
  capacity: capacityRouter,
  provider: providerRouter,
  past: pastRouter,
  migration: migrationRouter,
  event: eventRouter,
  task: taskRouter,
  auditLog: auditLogRouter,
  alarm: alarmRouter,
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
  token: tokenRouter,
  view: viewRouter,
  search: searchRouter,
})

export type AppRouter = typeof appRouter

/** Input and output of each procedure, as a client sees them: `ApiInputs['host']['list']`. */
export type ApiInputs = inferRouterInputs<AppRouter>
export type ApiOutputs = inferRouterOutputs<AppRouter>

/** Sort keys of a list, and fields of its conditions. */
export type SortOf<Input> = Exclude<Input, void> extends { readonly sort?: infer Sort } ? NonNullable<Sort> : never
export type FieldOf<Input> =
  Exclude<Input, void> extends { readonly where?: infer Where }
    ? NonNullable<Where> extends readonly { readonly key: infer Field }[]
      ? Field
      : never
    : never

type Procedures = AppRouter['_def']['record']
type PathOf<Type> = {
  [Noun in keyof Procedures & string]: {
    [Verb in keyof Procedures[Noun] & string]: Procedures[Noun][Verb] extends {
      readonly _def: { readonly type: Type }
    }
      ? `${Noun}.${Verb}`
      : never
  }[keyof Procedures[Noun] & string]
}[keyof Procedures & string]
/** The path of every query: `host.list`. */
export type QueryPath = PathOf<'query'>
/** The path of every procedure. */
export type ProcedurePath = PathOf<string>
