import { paths } from '../console/paths'
import { secondPersonWords } from '../host/words'
import { showToast } from '../ui/overlay/Toasts'

/** Nothing was sent: a second person has to approve the request. */
export function showProposed(): void {
  const link = { href: paths.heal(), label: secondPersonWords.where }
  showToast('flow', secondPersonWords.asked, { detail: secondPersonWords.askedMore, link })
}
