// Redacts a support bundle. It has no list of secrets: everything named like one, or shaped like one, is replaced by a
// marker that says so.

const REMOVED = '[removed]'

const SECRET_NAME =
  /passw(?:or)?d|passphrase|secret|token|cookie|credential|authorization|(?:private|api|access|signing)[-_ ]?key|session/i
// `pass` alone is one, `pci_passthrough` is none.
const PASS_NAME = /(?:^|[_:. -])pass(?:$|[_:. -])|[a-z]Pass(?:$|[A-Z])/

const SECRET_TEXT: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, REMOVED],
  // scheme://user:password@host
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${REMOVED}@`],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, `$1 ${REMOVED}`],
  [
    /\b(passw(?:or)?d|passphrase|pass|secret|token|api[-_]?key|access[-_]?key|cookie)(["']?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s,;&"']+)/gi,
    `$1$2${REMOVED}`,
  ],
  // Keys, hashes and signatures. A uuid has dashes and is shorter between them.
  [/\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g, REMOVED],
  [/(?<![A-Za-z0-9+/_-])(?=[A-Za-z0-9+/_-]*[0-9])(?=[A-Za-z0-9+/_-]*[A-Za-z])[A-Za-z0-9+/_]{32,}={0,2}/g, REMOVED],
  // Tokens of Berth and Keystone may have dashes too; ids and names of hosts have no letters of both cases.
  [
    /(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]*[0-9])(?=[A-Za-z0-9_-]*[A-Z])(?=[A-Za-z0-9_-]*[a-z])[A-Za-z0-9_-]{32,}={0,2}/g,
    REMOVED,
  ],
]

const isSecretName = (name: string): boolean => SECRET_NAME.test(name) || PASS_NAME.test(name)

export const redactedText = (text: string): string =>
  SECRET_TEXT.reduce((left, [pattern, instead]) => left.replace(pattern, instead), text)

/** The same value without secrets, at any depth, in keys and in texts. */
export function redacted(value: unknown): unknown {
  if (typeof value === 'string') return redactedText(value)
  if (Array.isArray(value)) return value.map(redacted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      redactedText(key),
      isSecretName(key) && each !== null && typeof each !== 'boolean' ? REMOVED : redacted(each),
    ]),
  )
}
