import { CAPABILITIES, type Capability, may, ROLES, type Role } from '../permit/roles'

/**
 * Where a role must be held: `parts`: where the object is; `some`: so for some, everywhere for others; `any`: anywhere.
 */
export type RightScope = 'parts' | 'some' | 'everywhere' | 'any'

/** A row of the table that the server enforces. */
export interface RightView {
  readonly capability: Capability
  readonly roles: readonly Role[]
  readonly scope: RightScope
}

/** Summary of the procedures' declarations; a test compares it with the router. */
export const RIGHT_SCOPES = {
  read: 'any',
  self: 'any',
  share: 'everywhere',
  investigate: 'any',
  propose: 'some',
  operate: 'parts',
  approve: 'parts',
  automate: 'everywhere',
  configure: 'everywhere',
  administer: 'some',
} as const satisfies Record<Capability, RightScope>

export const rightsTable = (): readonly RightView[] =>
  (Object.keys(CAPABILITIES) as Capability[]).map((capability) => ({
    capability,
    roles: ROLES.filter((role) => may(role, capability)),
    scope: RIGHT_SCOPES[capability],
  }))
