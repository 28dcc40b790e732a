'use client'
import { useState } from 'react'
import type { MigrationRow } from '@/server/api/migration/view'
import type { RequestedAction } from '@/server/engine/migration/state'
import { Button, type ButtonVariant } from '../../ui/Button'
import { lateOverlay } from '../../ui/overlay/LateOverlay'
import { uiWords } from '../../ui/words'
import { migrationWords, requestedActionWords } from '../words'

// Loaded when an action is requested.
const ActionDialog = lateOverlay(() => import('./ActionDialog').then((code) => code.ActionDialog))

const ORDER: readonly RequestedAction[] = ['confirm', 'revert', 'abort', 'force-complete', 'retry']

/** All requested actions, always in the same place; unavailable ones say why. */
export function ActionButtons({ migration }: { migration: MigrationRow }) {
  const [asked, setAsked] = useState<RequestedAction | null>(null)
  const variantOf = (requestedAction: RequestedAction): ButtonVariant =>
    !migration.permitted[requestedAction].ok
      ? 'plain'
      : requestedAction === 'confirm'
        ? 'primary'
        : requestedAction === 'force-complete'
          ? 'warning'
          : 'plain'
  return (
    <fieldset
      aria-label={migrationWords.actions.title}
      className="m-0 flex flex-wrap gap-2 border-0 p-0 max-sm:contents"
    >
      {ORDER.map((requestedAction) => {
        const permit = migration.permitted[requestedAction]
        return (
          <Button
            key={requestedAction}
            variant={variantOf(requestedAction)}
            disabledReason={permit.ok ? null : permit.why}
            onPress={() => setAsked(requestedAction)}
          >
            {requestedActionWords[requestedAction].verb}
          </Button>
        )
      })}
      {asked ? (
        <ActionDialog
          requestedAction={asked}
          ids={[migration.id]}
          name={migration.instance.name}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </fieldset>
  )
}

interface BulkRequest {
  readonly requestedAction: RequestedAction
  readonly rows: readonly MigrationRow[]
}

/** For the selected rows; shows how many of them would accept it. */
export function BulkActions(props: { readonly rows: readonly MigrationRow[]; readonly onDone: () => void }) {
  // Migrations leave the list while the dialog is open, so it keeps the selection it was opened with.
  const [asked, setAsked] = useState<BulkRequest | null>(null)
  const bulk: readonly RequestedAction[] = ['confirm', 'revert', 'abort']
  const [only] = asked?.rows.length === 1 ? asked.rows : []
  return (
    <span className="flex gap-2">
      {bulk.map((requestedAction) => {
        const able = props.rows.filter((row) => row.permitted[requestedAction].ok).length
        const why =
          props.rows.length === 0 ? migrationWords.pickFirst : able === 0 ? reasonOf(props.rows, requestedAction) : null
        return (
          <Button
            key={requestedAction}
            disabledReason={why}
            onPress={() => setAsked({ requestedAction, rows: props.rows })}
          >
            {able > 0
              ? uiWords.named(requestedActionWords[requestedAction].verb, String(able))
              : requestedActionWords[requestedAction].verb}
          </Button>
        )
      })}
      {asked ? (
        <ActionDialog
          requestedAction={asked.requestedAction}
          ids={asked.rows.map((row) => row.id)}
          name={only?.instance.name ?? null}
          onClose={() => setAsked(null)}
          onDone={props.onDone}
        />
      ) : null}
    </span>
  )
}

function reasonOf(rows: readonly MigrationRow[], requestedAction: RequestedAction): string {
  for (const row of rows) {
    const permit = row.permitted[requestedAction]
    if (!permit.ok) return permit.why
  }
  return ''
}
