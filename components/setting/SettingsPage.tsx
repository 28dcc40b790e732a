'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { MoveRulesView } from '@/server/api/setting/router'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { count } from '../ui/format'
import { KeyValue } from '../ui/KeyValue'
import { Note } from '../ui/Message'
import { Panel } from '../ui/Panel'
import { RelativeTime } from '../ui/time/Clock'
import { deedWords, foreignWords, policyWords, settingWords as words } from './words'

const RulesDialog = dynamic(() => import('./RulesDialog').then((code) => code.RulesDialog), { loading: () => null })

export function SettingsPage() {
  const trpc = useTRPC()
  const query = useQuery(trpc.setting.rules.queryOptions())
  return (
    <>
      <ServerWarnings />
      <Loaded query={query} what={words.what} minHeight={200}>
        {(rules) => <RulesPanel rules={rules} />}
      </Loaded>
    </>
  )
}

/** A courtesy beside the rules: when it cannot be read, the rules say so for both. */
function ServerWarnings() {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.setting.server.queryOptions())
  return data?.warnings.map((warning) => (
    <div key={warning} className="max-w-3xl pb-4">
      <Note tone="warn" shape="triangle">
        {warning}
      </Note>
    </div>
  ))
}

function RulesPanel({ rules }: { rules: MoveRulesView }) {
  const [asked, setAsked] = useState<MoveRulesView | null>(null)
  const { permit, policy, limits, confirmWindowMs, secondPerson, foreignInstances } = rules
  return (
    <Panel
      title={words.rules}
      className="max-w-3xl"
      aside={
        <Button size="sm" why={permit.ok ? null : permit.why} onPress={() => setAsked(rules)}>
          {words.change}
        </Button>
      }
    >
      <KeyValue
        facts={[
          { key: words.policy, value: <Told main={policyWords[policy].label} more={policyWords[policy].detail} /> },
          { key: words.perSource, value: <Told main={count(limits.perSource)} more={words.queue} /> },
          { key: words.perTarget, value: count(limits.perTarget) },
          { key: words.fleet, value: count(limits.fleet) },
          {
            key: words.window,
            value: confirmWindowMs === null ? words.waitsForEver : words.confirmsAfter(confirmWindowMs),
          },
          {
            key: words.second,
            value:
              secondPerson.length === 0 ? (
                words.nobody
              ) : (
                <ul className="m-0 list-none p-0">
                  {secondPerson.map((deed) => (
                    <li key={deed}>{deedWords[deed]}</li>
                  ))}
                </ul>
              ),
          },
          {
            key: words.foreign,
            value: <Told main={foreignWords[foreignInstances].label} more={foreignWords[foreignInstances].detail} />,
          },
          { key: words.changedBy, value: <Changed {...rules} /> },
        ]}
      />
      {asked ? <RulesDialog rules={asked} onClose={() => setAsked(null)} /> : null}
    </Panel>
  )
}

const Told = ({ main, more }: { main: string; more: string }) => (
  <>
    {main} <span className="pl-2 text-xs text-soft">{more}</span>
  </>
)

function Changed({ by, at }: Pick<MoveRulesView, 'by' | 'at'>) {
  if (at === null) return words.never
  return (
    <span className="flex gap-2">
      <RelativeTime at={at} />
      <span>{by ?? words.script}</span>
    </span>
  )
}
