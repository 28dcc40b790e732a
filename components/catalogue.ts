import { AUDIT_LOG_LIST } from '@/lists/audit-log'
import {
  CLOUD_DRIFT_LIST,
  CLOUD_FINDING_LIST,
  CLOUD_HOST_LIST,
  CLOUD_INSTANCE_LIST,
  CLOUD_MIGRATION_LIST,
} from '@/lists/cloud'
import { DEVICE_LIST } from '@/lists/device'
import { FINDING_LIST } from '@/lists/finding'
import { HOST_LIST } from '@/lists/host'
import { INSTANCE_LIST } from '@/lists/instance'
import { LEDGER_LIST } from '@/lists/ledger'
import type { List } from '@/lists/list'
import { MIGRATION_LIST } from '@/lists/migration'
import { TASK_LIST } from '@/lists/task'
import * as account from './account/words'
import * as advice from './advice/words'
import * as alarm from './alarm/words'
import * as auditLog from './audit-log/words'
import * as bundle from './bundle/words'
import * as capacity from './capacity/words'
import * as catalog from './catalog/words'
import * as amount from './claim/amount/words'
import * as claim from './claim/words'
import * as action from './cloud/action/words'
import * as hostDrain from './cloud/host-drain/words'
import * as witness from './cloud/witness/words'
import * as cloud from './cloud/words'
import * as connection from './connection/words'
import * as frame from './console/frame/words'
import * as console from './console/words'
import * as consumer from './consumer/words'
import * as device from './device/words'
import * as drain from './drain/words'
import * as evacuation from './evacuation/words'
import * as event from './event/words'
import * as explain from './explain/words'
import * as detail from './finding/detail/words'
import * as kind from './finding/kind/words'
import * as rule from './finding/rule/words'
import * as finding from './finding/words'
import * as heal from './heal/words'
import * as fault from './host/fault/words'
import * as map from './host/map/words'
import * as state from './host/state/words'
import * as host from './host/words'
import * as instance from './instance/words'
import * as layout from './layout/words'
import * as ledger from './ledger/words'
import * as choice from './migrate/choice/words'
import * as migrate from './migrate/words'
import * as tab from './migration/tab/words'
import * as migration from './migration/words'
import * as empty from './overview/empty/words'
import * as overview from './overview/words'
import * as palette from './palette/words'
import * as replay from './past/replay/words'
import * as past from './past/words'
import * as power from './power/words'
import * as preview from './preview/words'
import * as provider from './provider/words'
import * as refusal from './refusal/words'
import * as runbook from './runbook/words'
import * as session from './session/words'
import * as setting from './setting/words'
import * as step from './step/words'
import * as storage from './storage/words'
import * as task from './task/words'
import * as ui from './ui/words'
import * as user from './user/words'
import * as view from './view/words'

const LISTS: readonly List[] = [
  CLOUD_DRIFT_LIST,
  CLOUD_FINDING_LIST,
  CLOUD_HOST_LIST,
  CLOUD_INSTANCE_LIST,
  CLOUD_MIGRATION_LIST,
  AUDIT_LOG_LIST,
  DEVICE_LIST,
  FINDING_LIST,
  HOST_LIST,
  INSTANCE_LIST,
  LEDGER_LIST,
  MIGRATION_LIST,
  TASK_LIST,
]

/** Texts of lists: column heads and filter hints. */
const listTexts = LISTS.flatMap(({ columns, filters }) => [
  ...Object.values(columns).flatMap(({ head, short }) => [head, short ?? head]),
  ...Object.values(filters).map(({ hint }) => hint),
])

/** All text of the console, by noun. For tests and tools: a screen imports the words of its own noun. */
export const CATALOGUE = {
  account,
  advice,
  alarm,
  'audit-log': auditLog,
  bundle,
  capacity,
  catalog,
  claim,
  amount,
  cloud,
  action,
  'host-drain': hostDrain,
  witness,
  connection,
  console,
  frame,
  consumer,
  device,
  drain,
  evacuation,
  event,
  explain,
  fault,
  finding,
  detail,
  kind,
  rule,
  heal,
  host,
  state,
  instance,
  layout,
  lists: { listTexts },
  ledger,
  map,
  migration,
  tab,
  migrate,
  choice,
  empty,
  overview,
  palette,
  past,
  replay,
  power,
  preview,
  provider,
  refusal,
  runbook,
  session,
  setting,
  storage,
  task,
  step,
  ui,
  user,
  view,
} as const
