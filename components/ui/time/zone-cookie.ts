// Also read by the server, so that the first paint is in the chosen zone.

const ZONES = ['utc', 'local'] as const
export type Zone = (typeof ZONES)[number]
export const ZONE_COOKIE = 'berth-clock'

export const parseZone = (text: string | undefined): Zone => ZONES.find((zone) => zone === text) ?? 'utc'
