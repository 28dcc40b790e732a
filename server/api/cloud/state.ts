import { readCloud } from '../../store/cloud/cloud'
import type { CallerContext } from '../procedure/procedure'
import { refuseUnknown } from '../refusal/refused'
import type { WatchedCloud } from './clouds'

/** The last known state of a cloud. Null: nothing was read yet. */
export async function stateOf(
  { services }: Pick<CallerContext, 'services'>,
  of: string,
): Promise<WatchedCloud['state']> {
  const watched = (await services.clouds.watched()).get(of)
  if (watched) return watched.state
  if ((await readCloud(services.database, of)) === null) refuseUnknown('cloud', of)
  return null
}
