import { z } from 'zod'

// Schemas of columns, in the words of findings. Every kind here can be compiled; see fits.ts.

export const text = z.string('expected a text')
export const id = z.string('expected an id').regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'expected an id')
export const flag = z.boolean('expected true or false')
export const integer = z.int('expected a whole number below 2^53')
export const anything = z.unknown()

export const words = <const T extends readonly [string, ...string[]]>(known: T) =>
  z.enum(known, `expected one of ${known.join(', ')}`)

export const listOf = <T extends z.ZodType>(element: T, what: string) => z.array(element, `expected a list of ${what}`)

/** A time as the store reads it, in ms; infinity becomes null. */
export const time = z.int('expected a finite time')

export const flavor = z.looseObject(
  { name: text, vcpus: integer, memoryMib: integer, diskGib: integer, extraSpecs: z.record(text, text) },
  'expected a flavor: name, vcpus, memoryMib, diskGib, extraSpecs',
)
export const claimBody = z.looseObject(
  {
    amounts: listOf(z.looseObject({ provider: text, resourceClass: text, amount: integer }), 'amounts'),
    cells: listOf(
      z.looseObject({ memoryMib: integer, sharedVcpus: listOf(integer, 'CPUs'), pins: listOf(anything, 'pins') }),
      'NUMA nodes',
    ),
    units: listOf(z.looseObject({ unit: text, kind: text }), 'units'),
  },
  'expected a claim: amounts, cells, units',
)
export const image = z.looseObject(
  { name: text, properties: z.record(text, text) },
  'expected an image: name, properties',
)
