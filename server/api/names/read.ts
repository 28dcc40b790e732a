import type { Refusal } from '../../engine/words/refusal'
import { readNames } from '../../store/search/names'
import { type ErrorView, HOLDERS_SHOWN, type RefusalView, refusalView } from '../refusal/view'
import type { ApiServices } from '../services'
import { idsInText, type Names, namesFrom } from './names'

type NameServices = Pick<ApiServices, 'database' | 'fleet'>

/** Names of all hosts and their providers, and of the instances and migrations among `ids`. */
export async function namesOf({ database, fleet }: NameServices, ids: Iterable<string>): Promise<Names> {
  const all = fleet.hosts()
  const hosts = new Map<string, string>([
    ...all.flatMap(({ providers }) => providers.map(({ id, name }) => [id, name] as const)),
    ...all.map(({ id, name }) => [id, name] as const),
  ])
  return namesFrom({ hosts, ...(await readNames(database, [...new Set(ids)].filter(isId))) })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** A host's answer may contain any text; only ids have names. */
const isId = (text: string): boolean => UUID.test(text)

/** Refusals with names in place of known ids. */
export async function namedError(services: NameServices, { view, refusals }: UnnamedError): Promise<ErrorView> {
  const names = await namesOf(services, [...holdersIn(refusals), ...idsInText(`${view.what} ${view.where}`)])
  const where = view.where === null ? null : names.text(view.where)
  return { ...view, where, what: names.text(view.what), refusals: refusals.map((each) => refusalView(each, names)) }
}

interface UnnamedError {
  readonly view: ErrorView
  readonly refusals: readonly Refusal[]
}

export async function refusalViews(
  services: NameServices,
  refusals: readonly Refusal[],
): Promise<readonly RefusalView[]> {
  const names = await namesOf(services, holdersIn(refusals))
  return refusals.map((refusal) => refusalView(refusal, names))
}

/** The ids that a shown refusal names. Hidden holders are omitted: on a full fleet they are most of its instances. */
export function holdersIn(refusals: readonly Refusal[], shown = HOLDERS_SHOWN): string[] {
  return refusals.flatMap((refusal) => [
    ...(refusal.heldBy ?? []).slice(0, shown),
    ...idsInText(`${refusal.need} ${'have' in refusal ? refusal.have : ''}`),
  ])
}
