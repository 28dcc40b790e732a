/** A text among the facts of an entry. */
export function textIn(data: object | null, key: string): string | null {
  const value = (data as Readonly<Record<string, unknown>> | null)?.[key]
  return typeof value === 'string' ? value : null
}

/** The object of an entry that is neither an instance nor a host. Those of a cloud have names only: `web in east`. */
export function subjectIn(data: object | null): string | null {
  const about = textIn(data, 'about')
  const name = textIn(data, 'name') ?? textIn(data, 'username')
  return about !== null && name !== null ? `${about} in ${name}` : (about ?? name)
}
