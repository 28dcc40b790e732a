import { useQueryClient } from '@tanstack/react-query'
import type { Role } from '@/server/api/permit/roles'
import type { UserView } from '@/server/api/user/router'
import { useTRPC } from '../console/trpc'
import { RadioList } from '../ui/field/RadioList'
import { showToast } from '../ui/overlay/Toasts'
import { roleWords, userWords as words } from './words'

// Shared by the dialogs about users and tokens.

export interface UserProps {
  readonly user: UserView
  readonly onClose: () => void
}

export const RoleField = ({ value, onChange }: { value: Role; onChange: (role: Role) => void }) => (
  <div>
    {/* Seen only: the list has the same name. */}
    <p aria-hidden="true" className="m-0 mb-1 font-medium">
      {words.columns.role}
    </p>
    <RadioList
      label={words.columns.role}
      value={value}
      onChange={onChange}
      choices={(Object.keys(roleWords) as Role[]).map((id) => ({ id, ...roleWords[id] }))}
    />
  </div>
)

/** Shows a toast and refetches after a user has changed. */
export function useDone(onClose: () => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return (title: string) => {
    showToast('ok', title)
    void queries.invalidateQueries(trpc.user.pathFilter())
    void queries.invalidateQueries(trpc.token.pathFilter())
    onClose()
  }
}
