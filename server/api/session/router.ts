import { type Permits, permitFor } from '../permit/permits'
import type { Role } from '../permit/roles'
import type { Ms } from '../plain'
import { router, viewer } from '../procedure/procedure'

/** Sign-in itself: POST /api/auth/sign-in/email {email, password}; POST /api/auth/sign-out. */
export interface SessionView {
  readonly user: { readonly id: string; readonly name: string; readonly email: string }
  readonly role: Role
  /** True when any host is driven by the simulator. */
  readonly simulated: boolean
  /** True when any host is real. */
  readonly real: boolean
  readonly now: Ms
  readonly version: string
  /** Whether an instance may be built, a move started and a host added at all by this person. */
  readonly permitted: Permits<'build' | 'move' | 'addHost'>
}

export const sessionRouter = router({
  /** Who I am and what I may do. */
  me: viewer.query(({ ctx }): SessionView => {
    const { services, caller } = ctx
    const steer = permitFor(caller.role, 'steer')
    return {
      user: { id: caller.id, name: caller.name, email: caller.email },
      role: caller.role,
      simulated: services.fleet.hosts().some((host) => host.driver === 'simulated'),
      real: services.fleet.hosts().some((host) => host.driver !== 'simulated'),
      now: services.now(),
      version: services.version,
      permitted: { build: steer, move: steer, addHost: permitFor(caller.role, 'administer') },
    }
  }),
})
