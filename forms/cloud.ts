import { z } from 'zod'
import { strictObject } from './strict-object'

// Adding a cloud: the text of clouds.yaml and secure.yaml, and the choices made in them. The texts hold passwords: they
// are sent when the cloud is probed and added, and neither stored by the browser nor returned.

const FILE_MAX = 100_000
const CHOICE_MAX = 200
const NO_NAME = 'expected a name of 1 to 63 letters, digits, dots, dashes and underscores'

const file = (name: string) =>
  z
    .string({ error: `expected the text of ${name}` })
    .max(FILE_MAX, `expected at most ${FILE_MAX} characters of ${name}`)

const choice = (what: string) =>
  z
    .string({ error: `expected ${what}` })
    .min(1, `expected ${what}`)
    .max(CHOICE_MAX, `expected ${what}`)
    .nullable()

export const CLOUD_INTERFACES = ['public', 'internal', 'admin'] as const

export const cloudUpload = strictObject({
  clouds: file('clouds.yaml').min(1, 'expected the text of clouds.yaml'),
  secure: file('secure.yaml').nullable(),
  /** PEM; replaces a file that `cacert` names. */
  ca: file('the CA').nullable(),
  /** Null: the only one in the file. */
  cloud: choice('the name of a cloud in clouds.yaml'),
  /** Null: as the file says. */
  region: choice('the name of a region'),
  interface: z.enum(CLOUD_INTERFACES, { error: `expected one of ${CLOUD_INTERFACES.join(', ')}` }).nullable(),
})
export type CloudUpload = z.infer<typeof cloudUpload>

export const cloudName = z.string({ error: NO_NAME }).regex(/^[a-z0-9]([a-z0-9._-]{0,61}[a-z0-9])?$/i, NO_NAME)
