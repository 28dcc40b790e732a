import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { WhyInput } from '@/server/api/contract-look'
import { readSpecs } from './specs'

// The whole question is in the address: who opens the link asks the same.

const OPERATIONS = ['live-migrate', 'cold-migrate', 'resize', 'evacuate', 'rebuild', 'unshelve'] as const

export function useQuestion() {
  const [state, setState] = useQueryStates({
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
  })
  return { ...state, set: (values: Partial<typeof state>) => void setState(values) }
}

export type Question = ReturnType<typeof useQuestion>

/** Null while there is nothing to ask about. */
export function inputOf(question: Question): WhyInput | null {
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
