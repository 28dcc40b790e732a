import type * as parsers from 'nuqs/server'
import type { ApiInputs } from '@/server/api/router'
import type { Operation } from '@/server/engine/migration/state'
import { operationWords } from '../step/words'
import { readSpecs } from './specs'

// The page's query from its URL, read by the browser and by the server, so that the request does not wait for code.

const OPERATIONS = Object.keys(operationWords) as readonly Operation[]

type Parsers = Pick<typeof parsers, 'parseAsInteger' | 'parseAsString' | 'parseAsStringLiteral'>

/** What stands in the address. The library has its parsers twice: those of the server would come to the browser as well. */
export const questionKeys = ({ parseAsInteger, parseAsString, parseAsStringLiteral }: Parsers) => ({
  flavor: parseAsString,
  /** A shape typed by hand; `vcpus` says that there is one. */
  vcpus: parseAsInteger,
  memory: parseAsInteger,
  disk: parseAsInteger,
  specs: parseAsString,
  image: parseAsString,
  zone: parseAsString,
  group: parseAsString,
  instance: parseAsString,
  operation: parseAsStringLiteral(OPERATIONS),
  /** The filter of the hosts: another question has other rules. */
  q: parseAsString,
  /** The selected host. */
  host: parseAsString,
})

export type Asking = parsers.inferParserType<ReturnType<typeof questionKeys>>

/** Null while there is nothing to ask about. */
export function inputOf(question: Asking): ApiInputs['why']['ask'] | null {
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
