import type { SessionView } from '../contract'
import { permitFor } from '../permit/permits'
import { router, viewer } from '../procedure/procedure'

export const sessionRouter = router({
  /** Who I am and what I may do. */
  me: viewer.query(({ ctx }): SessionView => {
    const { services, caller } = ctx
    const steer = permitFor(caller.role, 'steer')
    return {
      user: { id: caller.id, name: caller.name, email: caller.email },
      role: caller.role,
      simulated: services.fleet.hosts().some((host) => host.driver === 'simulated'),
      now: services.now(),
      version: services.version,
      permitted: { build: steer, move: steer },
    }
  }),
})
