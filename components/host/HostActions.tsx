'use client'
import type { HostDetail } from '@/server/api/host/view'
import type { HostAction } from '@/server/api/permit/permits'
import { useChoice } from '../console/url'
import { usePastReadOnlyReason } from '../past/address'
import { Button } from '../ui/Button'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { Menu } from '../ui/overlay/Menu'
import { useNeedsApproval } from './state-action'
import { hostActionWords, hostWords, secondPersonWords } from './words'

// Loaded when an action is requested.
const HostActionDialog = lateOverlay(() => import('./HostActionDialog').then((code) => code.HostActionDialog))

const ORDER: readonly HostAction[] = ['up', 'down', 'fenced', 'lost', 'enable', 'disable']

/**
 * Actions on a host. Which are available now, and why others are not, comes with the row. The open dialog is in the
 * address, so that any mention of a host can link to it.
 */
export function HostActions({ host }: { host: HostDetail }) {
  const [asked, setAsked] = useChoice('act', ORDER)
  const asks = useNeedsApproval('up')
  const past = usePastReadOnlyReason()
  if (past) return <Button disabledReason={past}>{hostWords.actions}</Button>
  return (
    <>
      <Menu
        label={hostWords.actions}
        trigger={<Button>{hostWords.actions}</Button>}
        entries={ORDER.map((action) => {
          const permit = host.permitted[action]
          const { verb, hint, danger } = hostActionWords[action]
          const askable = asks && action !== 'enable' && action !== 'disable'
          return {
            id: action,
            label: askable ? secondPersonWords.ask(verb) : verb,
            hint,
            danger,
            disabledReason: permit.ok || askable ? null : permit.why,
            onAction: () => void setAsked(action, { history: 'push' }),
          }
        })}
      />
      {asked ? <HostActionDialog host={host} action={asked} onClose={() => void setAsked(null)} /> : null}
    </>
  )
}
