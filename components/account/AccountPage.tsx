'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountView } from '@/server/api/session/router'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { consoleWords } from '../console/words'
import { Button } from '../ui/Button'
import { Glyph } from '../ui/Glyph'
import { KeyValue } from '../ui/KeyValue'
import { lateOverlay } from '../ui/overlay/LateOverlay'
import { Panel } from '../ui/Panel'
import { rolesLabel, userWords } from '../user/words'
import { OwnSessions } from './OwnSessions'
import { PasskeysPanel } from './PasskeysPanel'
import { PasswordPanel } from './PasswordPanel'
import type { TwoFactorTask } from './TwoFactorDialog'
import { twoFactorWords, accountWords as words } from './words'

const TwoFactorDialog = lateOverlay(() => import('./TwoFactorDialog').then((code) => code.TwoFactorDialog))

/** Changes that users of any role make to their own account. */
export function AccountPage() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const query = useQuery(trpc.session.account.queryOptions())
  const again = () => void queries.invalidateQueries(trpc.session.pathFilter())
  return (
    <Loaded query={query} what={words.what} minHeight={400}>
      {(account) => (
        <div className="grid max-w-5xl grid-cols-1 items-start gap-4 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            <You account={account} />
            {account.signsInBy === 'password' ? (
              <>
                <TwoFactorPanel isOn={account.twoFactor} onChange={again} />
                <PasskeysPanel account={account} onChange={again} />
              </>
            ) : null}
          </div>
          {account.signsInBy === 'password' ? <PasswordPanel onChange={again} /> : null}
          <div className="min-w-0 lg:col-span-2">
            <OwnSessions sessions={account.sessions} onChange={again} />
          </div>
        </div>
      )}
    </Loaded>
  )
}

function You({ account }: { account: AccountView }) {
  const { username, name, email, role, grants, signsInBy } = account
  const scoped = grants.map(({ role: each, scope }) => `${each}@${scope.kind}:${scope.name}`)
  return (
    <Panel title={words.you}>
      <KeyValue
        facts={[
          { key: words.keys.username, value: username },
          { key: words.keys.name, value: name },
          { key: words.keys.email, value: email },
          { key: words.keys.role, value: rolesLabel(consoleWords.role[role], scoped) },
          { key: words.keys.by, value: userWords.by[signsInBy] },
        ]}
      />
      {signsInBy === 'password' ? null : <p className="m-0 pt-2 text-xs text-soft">{words.federated}</p>}
    </Panel>
  )
}

function TwoFactorPanel({ isOn, onChange }: { isOn: boolean; onChange: () => void }) {
  const [task, setTask] = useState<TwoFactorTask | null>(null)
  return (
    <Panel title={twoFactorWords.title}>
      <div className="flex flex-col items-start gap-3">
        <p className="m-0 flex items-center gap-1.5">
          <Glyph shape={isOn ? 'tick' : 'dash'} className={isOn ? 'text-ok' : 'text-faint'} />
          {isOn ? twoFactorWords.on : twoFactorWords.off}
        </p>
        {isOn ? (
          <span className="flex flex-wrap gap-2">
            <Button onPress={() => setTask('renew')}>{twoFactorWords.renew}</Button>
            <Button onPress={() => setTask('disable')}>{twoFactorWords.disable}</Button>
          </span>
        ) : (
          <Button variant="primary" onPress={() => setTask('enable')}>
            {twoFactorWords.enable}
          </Button>
        )}
      </div>
      {task ? <TwoFactorDialog task={task} onChange={onChange} onClose={() => setTask(null)} /> : null}
    </Panel>
  )
}
