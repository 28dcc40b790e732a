import { createLoader, type inferParserType, parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs/server'
import type { WhyInput } from '@/server/api/contract-look'
import { readSpecs } from './specs'

// The whole question is in the address: who opens the link asks the same.

const OPERATIONS = ['live-migrate', 'cold-migrate', 'resize', 'evacuate', 'rebuild', 'unshelve'] as const

export const QUESTION = {
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
  /** The host somebody looks at. */
  host: parseAsString,
}

export type Asked = inferParserType<typeof QUESTION>

/** For the server, which asks ahead. */
export const loadQuestion = createLoader(QUESTION)

/** Null while there is nothing to ask about. */
export function inputOf(question: Asked): WhyInput | null {
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
