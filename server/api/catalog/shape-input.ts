import { z } from 'zod'
import { line, object, wholeNumber } from '../procedure/inputs'

// A custom flavor for a query. The engine refuses contradictions, key by key; only unreadable input is refused here.

const SPECS_MAX = 64

const specs = z
  .record(line('the key of an extra spec'), line('the value of an extra spec', 1_000), {
    error: 'expected extra specs',
  })
  .refine((all) => Object.keys(all).length <= SPECS_MAX, `expected at most ${SPECS_MAX} extra specs`)

export const shapeInput = object({
  vcpus: wholeNumber('vCPUs', 1, 4_096),
  memoryMib: wholeNumber('memory in MiB', 1, 67_108_864),
  diskGib: wholeNumber('disk in GiB', 0, 1_048_576),
  extraSpecs: specs,
})
