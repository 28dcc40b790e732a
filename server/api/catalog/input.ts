import { z } from 'zod'
import { GROUP_POLICIES } from '../../engine/demand'
import { line, object, oneOf, reason, wholeNumber } from '../procedure/inputs'
import { shapeInput } from './shape-input'

// Input of catalog entries. The engine judges a flavor's extra specs, key by key.

const NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/
const name = z
  .string({ error: 'expected a name' })
  .regex(NAME, 'expected a name of 1 to 100 letters, digits, dots, colons, dashes and underscores')

const NUMA_POLICIES = ['required', 'preferred', 'legacy', 'socket'] as const
const HEX_ID = /^[0-9a-f]{4}$/i
const SPEC_KEY = /^[a-z][a-z0-9_]{0,63}$/
const SPECS_MAX = 16

const hexId = (what: string) =>
  z.string({ error: `expected ${what}` }).regex(HEX_ID, `expected ${what}, four hexadecimal digits such as 8086`)

const KNOWN_KEYS = z.looseObject({
  vendor_id: hexId('a vendor id').optional(),
  product_id: hexId('a product id').optional(),
  dev_type: oneOf(['type-PCI', 'type-PF', 'type-VF', 'vdpa']).optional(),
})

/** One kind of device: every key must match. Besides these keys, tags of the device. Source: Nova `[pci] alias`. */
const spec = z
  .record(z.string().regex(SPEC_KEY, 'expected a key of lower-case letters, digits and underscores'), line('a value'), {
    error: 'expected the keys a device must match',
  })
  .refine((keys) => Object.keys(keys).length > 0, 'expected at least one key')
  .superRefine((keys, ctx) => {
    const read = KNOWN_KEYS.safeParse(keys)
    for (const { path, message } of read.error?.issues ?? []) ctx.addIssue({ code: 'custom', path: [...path], message })
  })

export const flavorEntry = object({ name, ...shapeInput.shape })
export const groupEntry = object({
  name,
  policy: oneOf(GROUP_POLICIES),
  maxPerHost: wholeNumber('members on one host', 1, 1_000),
})
export const aliasEntry = object({
  name: name.refine((text) => !text.includes(':'), 'expected a name without a colon'),
  spec: z
    .array(spec, { error: 'expected a list of specs' })
    .min(1, 'expected at least one spec')
    .max(SPECS_MAX)
    .readonly(),
  numaPolicy: oneOf(NUMA_POLICIES).nullable(),
})

/** A change sends the previous entry as it was read, even if it breaks the rules for new entries. */
const ENTRY_MAX = 100_000
const asRead = z.custom<object | null>(
  (value) => typeof value === 'object' && JSON.stringify(value).length <= ENTRY_MAX,
  'expected the entry as it was read, or null for a new one',
)

export const changeOf = <Entry extends z.ZodType>(entry: Entry) =>
  object({ before: asRead, after: entry.nullable(), reason })
