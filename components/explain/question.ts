import type * as parsers from 'nuqs/server'
import type { ApiInputs } from '@/server/api/router'
import type { Operation } from '@/server/engine/migration/state'
import { operationWords } from '../step/words'
import { readSpecs } from './specs'

// The page's request as held in the address. The browser reads it, and so does the server, which can then start before
// any code has loaded.

const OPERATIONS = Object.keys(operationWords) as readonly Operation[]

type Parsers = Pick<typeof parsers, 'parseAsInteger' | 'parseAsString' | 'parseAsStringLiteral'>

/** Keys of the address. Takes the parsers as an argument: the library's server copy must not reach the browser. */
export const questionKeys = ({ parseAsInteger, parseAsString, parseAsStringLiteral }: Parsers) => ({
  flavor: parseAsString,
  /** A custom shape; set if `vcpus` is. */
  vcpus: parseAsInteger,
  memory: parseAsInteger,
  disk: parseAsInteger,
  specs: parseAsString,
  image: parseAsString,
  zone: parseAsString,
  group: parseAsString,
  instance: parseAsString,
  operation: parseAsStringLiteral(OPERATIONS),
  /** The filter of the hosts: another request has other rules. */
  q: parseAsString,
  /** The selected host. */
  host: parseAsString,
})

export type ExplainParams = parsers.inferParserType<ReturnType<typeof questionKeys>>

/** Null while the request is empty. */
export function inputOf(question: ExplainParams): ApiInputs['explain']['get'] | null {
  const { flavor, vcpus, instance } = question
  if (!flavor && vcpus === null && !instance) return null
  const place = {
    image: question.image ?? undefined,
    zone: question.zone ?? undefined,
    group: question.group ?? undefined,
    instance: instance ?? undefined,
    operation: instance ? (question.operation ?? 'live-migrate') : undefined,
  }
  if (vcpus === null) return { ...place, flavor: flavor ?? undefined }
  const shape = {
    vcpus,
    memoryMib: question.memory ?? vcpus * 1024,
    diskGib: question.disk ?? 0,
    extraSpecs: readSpecs(question.specs ?? ''),
  }
  return { ...place, shape }
}
