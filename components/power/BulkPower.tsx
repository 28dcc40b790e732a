'use client'
import { useState } from 'react'
import type { PowerAction } from '@/server/engine/power/request'
import { Button } from '../ui/Button'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { Menu, type MenuEntry } from '../ui/overlay/Menu'
import type { PowerSubject } from './PowerDialog'
import { powerActionWords, powerWords as words } from './words'

// Loaded when an action is requested.
const PowerDialog = lateOverlay(() => import('./PowerDialog').then((code) => code.PowerDialog))

const POWER_ORDER: readonly PowerAction[] = ['start', 'stop', 'reboot', 'pause', 'resume']

/** For the selected rows; each entry shows how many of them would accept it. */
export function BulkPower({ rows, onDone }: { rows: readonly PowerSubject[]; onDone: () => void }) {
  // Rows change or leave the list while the dialog is open, so it keeps the selection it was opened with.
  const [asked, setAsked] = useState<{ action: PowerAction; rows: readonly PowerSubject[] } | null>(null)
  return (
    <>
      {rows.length === 0 ? (
        <Button disabledReason={words.pickFirst}>{words.change}</Button>
      ) : (
        <Menu
          label={words.change}
          trigger={<Button>{words.change}</Button>}
          entries={POWER_ORDER.map((action) => entryOf(action, rows, () => setAsked({ action, rows })))}
        />
      )}
      {asked ? (
        <PowerDialog action={asked.action} subjects={asked.rows} onClose={() => setAsked(null)} onDone={onDone} />
      ) : null}
    </>
  )
}

function entryOf(action: PowerAction, rows: readonly PowerSubject[], onAction: () => void): MenuEntry {
  const able = rows.filter((row) => row.permitted[action].ok)
  const refused = rows.flatMap(({ permitted }) => {
    const permit = permitted[action]
    return permit.ok ? [] : [permit.why]
  })
  return {
    id: action,
    label: words.bulk(action, able.length || rows.length),
    hint: powerActionWords[action].hint,
    danger: powerActionWords[action].tone === 'bad',
    disabledReason: able.length > 0 ? null : (refused[0] ?? null),
    onAction,
  }
}
