// Extra specs as text: one `key=value` per line, or several separated by semicolons, as `openstack flavor set
// --property` takes them.

export function readSpecs(text: string): Record<string, string> {
  const pairs = text.split(/[;\n]/).flatMap((part): [string, string][] => {
    const at = part.indexOf('=')
    const key = part.slice(0, at < 0 ? undefined : at).trim()
    return key === '' ? [] : [[key, at < 0 ? '' : part.slice(at + 1).trim()]]
  })
  return Object.fromEntries(pairs)
}

/** Written so that `readSpecs` can read it back. */
export function writeSpecs(specs: Readonly<Record<string, string>>): string {
  return Object.entries(specs)
    .map(([key, value]) => `${key}=${value}`)
    .join('; ')
}
