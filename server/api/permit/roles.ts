// The only table of rights by role. Procedures, pages and screens (through `session.me`) read it.

export const ROLES = ['viewer', 'support', 'operator', 'admin'] as const
export type Role = (typeof ROLES)[number]

export const CAPABILITIES = {
  /** Hosts, instances, migrations, the event stream: the current state. */
  read: ['viewer', 'support', 'operator', 'admin'],
  /** Saves their own views, which change nothing in the fleet and are private. */
  self: ['viewer', 'support', 'operator', 'admin'],
  /** Shares a saved view with all users. */
  share: ['support', 'operator', 'admin'],
  /** Reasons: verdicts of every host, consequences, the event log. Changes nothing, but may cost computing time. */
  investigate: ['support', 'operator', 'admin'],
  /** Audits now, plans a repair, requests approval of a status or a repair: none of this changes the records. */
  propose: ['support', 'operator', 'admin'],
  /** Migrations, requested actions, host statuses, repairs, builds and deletes, the simulator's faults. */
  operate: ['operator', 'admin'],
  /** Approves what another user requested, never their own request. */
  approve: ['operator', 'admin'],
  /** Enables automatic repairs. */
  automate: ['admin'],
  /** Sets the policy of all migrations: limits, windows, who may decide alone. */
  configure: ['admin'],
  /** Users and their roles. */
  administer: ['admin'],
} as const satisfies Record<string, readonly Role[]>
export type Capability = keyof typeof CAPABILITIES

export function may(role: Role, capability: Capability): boolean {
  return (CAPABILITIES[capability] as readonly Role[]).includes(role)
}

/** The role of least power that may do it, for the message of a refusal. */
export function leastRoleFor(capability: Capability): Role {
  return CAPABILITIES[capability][0]
}

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text)
}
