import { paths } from '../console/paths'
import { showToast } from '../ui/overlay/Toasts'
import { secondPersonWords } from './words'

/** Nothing was done: a second person has to approve the request. */
export function showProposed(): void {
  const link = { href: paths.heal(), label: secondPersonWords.where }
  showToast('flow', secondPersonWords.asked, { detail: secondPersonWords.askedMore, link })
}
