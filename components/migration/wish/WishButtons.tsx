'use client'
import { useState } from 'react'
import type { MigrationRow } from '@/server/api/migration/view'
import type { Wish } from '@/server/engine/migration/state'
import { Button, type ButtonLook } from '../../ui/Button'
import { uiWords } from '../../ui/words'
import { migrationWords, wishWords } from '../words'
import { WishDialog } from './WishDialog'

const ORDER: readonly Wish[] = ['confirm', 'revert', 'abort', 'force-complete', 'retry']

/** All wishes, always in the same place; those that are not permitted say why. */
export function WishButtons({ move }: { move: MigrationRow }) {
  const [asked, setAsked] = useState<Wish | null>(null)
  const look = (wish: Wish): ButtonLook =>
    !move.permitted[wish].ok
      ? 'plain'
      : wish === 'confirm'
        ? 'primary'
        : wish === 'force-complete'
          ? 'warning'
          : 'plain'
  return (
    <fieldset aria-label={migrationWords.actions.title} className="m-0 flex flex-wrap gap-2 border-0 p-0">
      {ORDER.map((wish) => {
        const permit = move.permitted[wish]
        return (
          <Button key={wish} look={look(wish)} why={permit.ok ? null : permit.why} onPress={() => setAsked(wish)}>
            {wishWords[wish].verb}
          </Button>
        )
      })}
      {asked ? (
        <WishDialog wish={asked} ids={[move.id]} name={move.instance.name} onClose={() => setAsked(null)} />
      ) : null}
    </fieldset>
  )
}

interface BulkRequest {
  readonly wish: Wish
  readonly rows: readonly MigrationRow[]
}

/** For the rows that are ticked; says how many of them would take it. */
export function BulkWishes(props: { readonly rows: readonly MigrationRow[]; readonly onDone: () => void }) {
  // Moves leave the list while the dialog is open; what was ticked when it opened is what it asks for.
  const [asked, setAsked] = useState<BulkRequest | null>(null)
  const bulk: readonly Wish[] = ['confirm', 'revert', 'abort']
  const [only] = asked?.rows.length === 1 ? asked.rows : []
  return (
    <span className="flex gap-2">
      {bulk.map((wish) => {
        const able = props.rows.filter((row) => row.permitted[wish].ok).length
        const why = props.rows.length === 0 ? migrationWords.pickFirst : able === 0 ? reasonOf(props.rows, wish) : null
        return (
          <Button key={wish} why={why} onPress={() => setAsked({ wish, rows: props.rows })}>
            {able > 0 ? uiWords.named(wishWords[wish].verb, String(able)) : wishWords[wish].verb}
          </Button>
        )
      })}
      {asked ? (
        <WishDialog
          wish={asked.wish}
          ids={asked.rows.map((row) => row.id)}
          name={only?.instance.name ?? null}
          onClose={() => setAsked(null)}
          onDone={props.onDone}
        />
      ) : null}
    </span>
  )
}

function reasonOf(rows: readonly MigrationRow[], wish: Wish): string {
  for (const row of rows) {
    const permit = row.permitted[wish]
    if (!permit.ok) return permit.why
  }
  return ''
}
