/** The browser and system of a user agent, as people call them; null where neither is known. */
export function browserText(agent: string | null): string | null {
  if (agent === null) return null
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1]
  const system = SYSTEMS.find(([mark]) => agent.includes(mark))?.[1]
  if (browser === undefined) return agent.split(' ', 1)[0] || null
  return system === undefined ? browser : `${browser}, ${system}`
}

/** Those that name others to be let in stand first: Edge says Chrome, and Chrome says Safari. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const
