import { MAX_VERSION, MIN_VERSION } from './version'
import { type Answer, type Ask, document } from './wire'

/** What versions there are; needs no token. */
export async function showVersions(ask: Ask): Promise<Answer> {
  return document(ask, {
    versions: [
      {
        id: `v${MIN_VERSION}`,
        max_version: MAX_VERSION,
        min_version: MIN_VERSION,
        status: 'CURRENT',
        links: [{ rel: 'self', href: '' }],
      },
    ],
  })
}
