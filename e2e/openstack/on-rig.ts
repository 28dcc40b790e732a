import { test as base, expect, type Page } from '@playwright/test'
import { OPENSTACK_PORT } from '../address'
import { ADMIN, signIn } from '../people'
import { OwnServer } from '../server'
import { whyNoCloud } from './able'
import { type Rig, startRig } from './rig'

// The rig, a Berth of its own and a browser, started once for all stories.

/** Null: the machine can carry the rig. */
export const whySkipped = whyNoCloud()
if (whySkipped !== null) console.log(`skipped: ${whySkipped}`)

/** The first start on a machine makes its databases. */
const RIG_LIMIT_MS = 600_000

interface Stand {
  readonly rig: Rig
  /** An admin's. */
  readonly page: Page
}

export const test = base.extend<object, { stand: Stand }>({
  stand: [
    async ({ browser }, use) => {
      const berth = new OwnServer(OPENSTACK_PORT, { BERTH_DEMO: 'no' })
      const [started, ready] = await Promise.allSettled([startRig(), berth.startAnew()])
      try {
        if (started.status === 'rejected') throw started.reason
        if (ready.status === 'rejected') throw ready.reason
        const context = await browser.newContext({ baseURL: berth.origin, viewport: { width: 1920, height: 1080 } })
        await signIn(context.request, ADMIN)
        await use({ rig: started.value, page: await context.newPage() })
        await context.close()
      } finally {
        await berth.stop()
        if (started.status === 'fulfilled') await started.value.down()
      }
    },
    { scope: 'worker', timeout: RIG_LIMIT_MS },
  ],
})

export { expect }
