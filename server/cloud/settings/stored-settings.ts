import { z } from 'zod'
import { type CloudSettings, INTERFACES } from './cloud-settings'
import type { Credential } from './credential'
import { type SealKey, seal, unseal } from './seal'
import type { Secret } from './secret'

// Settings as they are stored: their parts without the secret, and the one secret, sealed and bound to them.

const domain = z.union([z.strictObject({ id: z.string() }), z.strictObject({ name: z.string() })])
const named = z.union([z.strictObject({ id: z.string() }), z.strictObject({ name: z.string(), domain })])
const scope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('project'), project: named }),
  z.strictObject({ kind: z.literal('domain'), domain }),
  z.strictObject({ kind: z.literal('system') }),
  z.strictObject({ kind: z.literal('none') }),
])
const credential = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('password'), user: named, scope }),
  z.strictObject({ kind: z.literal('token'), scope }),
  z.strictObject({
    kind: z.literal('application-credential'),
    credential: z.union([z.strictObject({ id: z.string() }), z.strictObject({ name: z.string(), user: named })]),
  }),
])
const address = z.string().regex(/^https?:\/\/[^@]+$/)

/** Unlike a file's, it names no file: the paths in an upload refer to another machine. */
const stored = z.strictObject({
  name: z.string(),
  authUrl: address,
  credential,
  region: z.string().nullable(),
  interface: z.enum(INTERFACES),
  tls: z.strictObject({ verify: z.boolean(), caPem: z.string().nullable() }),
  endpoints: z.strictObject({ compute: address.nullable(), placement: address.nullable() }),
  deadlineMs: z.number().positive(),
})
export type StoredSettings = z.infer<typeof stored>

export interface SealedSettings {
  readonly settings: StoredSettings
  readonly secret: Buffer
}

/** Parsed, so that members have one order, whatever the database's. */
const boundTo = (id: string, settings: StoredSettings) => `${id} ${JSON.stringify(stored.parse(settings))}`

export function sealSettings(id: string, settings: CloudSettings, key: SealKey): SealedSettings {
  const { tls, credential: whole, ...rest } = settings
  const { open, secret } = apart(whole)
  const parts = { ...rest, credential: open, tls: { verify: tls.verify, caPem: tls.caPem ?? null } }
  const known = stored.parse(parts)
  return { settings: known, secret: seal(key, secret, boundTo(id, known)) }
}

/** Null: not valid settings. */
export const readStored = (settings: unknown): StoredSettings | null => stored.safeParse(settings).data ?? null

/** Null: modified since they were stored, or sealed with another key. */
export function unsealSettings(
  id: string,
  { settings, secret }: { readonly settings: unknown; readonly secret: Buffer },
  key: SealKey,
): CloudSettings | null {
  const known = readStored(settings)
  const opened = known && unseal(key, secret, boundTo(id, known))
  if (!known || !opened) return null
  const tls = { ...known.tls, caPath: null, certPath: null, keyPath: null }
  return { ...known, tls, credential: together(known.credential, opened) }
}

function apart(whole: Credential): { readonly open: StoredSettings['credential']; readonly secret: Secret } {
  switch (whole.kind) {
    case 'password': {
      const { password: secret, ...open } = whole
      return { open, secret }
    }
    case 'token': {
      const { token: secret, ...open } = whole
      return { open, secret }
    }
    case 'application-credential': {
      const { secret, ...open } = whole
      return { open, secret }
    }
    default:
      return whole satisfies never
  }
}

function together(open: StoredSettings['credential'], secret: Secret): Credential {
  switch (open.kind) {
    case 'password':
      return { ...open, password: secret }
    case 'token':
      return { ...open, token: secret }
    case 'application-credential':
      return { ...open, secret }
    default:
      return open satisfies never
  }
}

/** The account that signs in, for display. */
export function accountText({ credential: signIn }: StoredSettings): string {
  switch (signIn.kind) {
    case 'password':
      return `user ${nameOf(signIn.user)}`
    case 'token':
      return 'a token'
    case 'application-credential':
      return `application credential ${'id' in signIn.credential ? signIn.credential.id : signIn.credential.name}`
    default:
      return signIn satisfies never
  }
}

const nameOf = (each: z.infer<typeof named>): string => ('id' in each ? each.id : each.name)
