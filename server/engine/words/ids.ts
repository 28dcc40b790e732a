// Branded ids. A string becomes an id only here, so a host's id can never be passed as an instance's, and nothing
// unparsed reaches the tables.

declare const brand: unique symbol
type Brand<T, B extends string> = T & { readonly [brand]: B }

export type HostId = Brand<string, 'HostId'>
export type InstanceId = Brand<string, 'InstanceId'>
export type MigrationId = Brand<string, 'MigrationId'>
export type ProviderId = Brand<string, 'ProviderId'>
export type ClaimId = Brand<string, 'ClaimId'>
export type GroupId = Brand<string, 'GroupId'>
/** A holder: an instance or a migration (or, over the Placement API, anything with a uuid). */
export type ConsumerId = InstanceId | MigrationId

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Parsers return null for anything but a lower-case uuid; the caller decides how to report it. */
function uuidParser<T extends string>(): (text: string) => T | null {
  return (text) => (UUID.test(text) ? (text as T) : null)
}

export const parseHostId = uuidParser<HostId>()
export const parseInstanceId = uuidParser<InstanceId>()
export const parseMigrationId = uuidParser<MigrationId>()
export const parseProviderId = uuidParser<ProviderId>()
export const parseClaimId = uuidParser<ClaimId>()
export const parseGroupId = uuidParser<GroupId>()
