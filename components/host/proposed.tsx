import { useQuery } from '@tanstack/react-query'
import type { SecondPersonAction } from '@/server/engine/migration/rules'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { showToast } from '../ui/overlay/Toasts'
import { secondPersonWords } from './words'

/** Nothing was done: a second person has to approve the request. */
export function showProposed(): void {
  const link = { href: paths.heal(), label: secondPersonWords.where }
  showToast('flow', secondPersonWords.asked, { detail: secondPersonWords.askedMore, link })
}

/** How the dialog of one of these actions says that two-person approval applies to it: it only requests the action. */
export function useSecondPerson(...actions: readonly SecondPersonAction[]) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.setting.rules.queryOptions())
  const asks = actions.some((action) => data?.secondPerson.includes(action))
  return {
    verbOf: (verb: string) => (asks ? secondPersonWords.ask(verb) : verb),
    note: asks ? <p className="mt-2 mb-0 text-soft">{secondPersonWords.askedMore}</p> : null,
  }
}
