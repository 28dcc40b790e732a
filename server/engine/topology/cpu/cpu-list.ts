// CPU lists as operators write them: `0-3,^2,8`. Source: Nova `hardware.parse_cpu_spec`.

// No host has this many CPUs; without a bound one flavor key could take all memory of the server.
const MAX_CPUS = 1_000_000

const INTEGER = /^\s*[+-]?\d+(?:_\d+)*\s*$/

/** An integer as Python's `int()` reads it (blanks, a sign, `1_000`), or null. */
export function readInteger(text: string): number | null {
  return INTEGER.test(text) ? Number(text.replaceAll('_', '')) : null
}

/** The CPUs of a list, ascending; null when it does not parse. An exclusion counts at any position in the list. */
export function parseCpuList(text: string): readonly number[] | null {
  const wanted = new Set<number>()
  const excluded = new Set<number>()
  for (const part of text.split(',')) {
    const rule = part.trim()
    if (rule === '') continue
    const exclude = rule.startsWith('^')
    const range = readRange(exclude ? rule.slice(1) : rule)
    if (range === null) return null
    const into = exclude ? excluded : wanted
    for (let cpu = range[0]; cpu <= range[1]; cpu++) into.add(cpu)
  }
  return [...wanted].filter((cpu) => !excluded.has(cpu)).sort((a, b) => a - b)
}

function readRange(text: string): readonly [number, number] | null {
  const dash = text.indexOf('-')
  const first = readInteger(dash < 0 ? text : text.slice(0, dash))
  const last = dash < 0 ? first : readInteger(text.slice(dash + 1))
  if (first === null || last === null || first > last || last - first > MAX_CPUS) return null
  return [first, last]
}

/** A mask over the flavor's vCPUs. One that begins with an exclusion means "all but". Null when it does not parse. */
export function parseVcpuMask(mask: string, vcpus: number): readonly number[] | null {
  return parseCpuList(mask.trim().startsWith('^') ? `0-${vcpus - 1},${mask}` : mask)
}
