import type { ReactNode } from 'react'
import { Button } from '../ui/Button'
import { Panel } from '../ui/Panel'

interface AdminPanelProps {
  /** Undefined until the user is known. */
  readonly isAdmin: boolean | undefined
  readonly words: { readonly title: string; readonly add: string; readonly about: string; readonly onlyAdmins: string }
  readonly onAdd: () => void
  /** Pixels reserved for the list until the user is known. */
  readonly height: number
  /** Visible to admins only. */
  readonly list: ReactNode
  readonly children: ReactNode
}

/** A list that only an admin sees and adds to. */
export function AdminPanel({ isAdmin, words, onAdd, height, list, children }: AdminPanelProps) {
  const why = isAdmin === false ? words.onlyAdmins : null
  const add = (
    <Button size="sm" disabledReason={why} onPress={onAdd}>
      {words.add}
    </Button>
  )
  return (
    <Panel title={words.title} flush aside={add}>
      <p className="m-0 px-3 py-2 text-soft">{why ?? words.about}</p>
      {isAdmin === undefined ? <div style={{ height }} /> : null}
      {isAdmin ? list : null}
      {children}
    </Panel>
  )
}
