import type { ReactNode } from 'react'
import type { FindingKind } from '@/server/engine/audit/finding'
import { paths } from '../console/paths'
import { kindWords } from '../finding/kind/words'
import { cx } from '../ui/cx'
import { ButtonLink, TextLink } from '../ui/Link'
import { PageHead, PanelPart } from '../ui/Panel'
import { runbook, runbookKinds } from './runbook'
import { runbookWords as words } from './words'

/** One kind of finding, for the on-call operator. */
export function RunbookPage({ kind }: { kind: FindingKind }) {
  const entry = runbook[kind]
  return (
    <>
      <PageHead
        title={words.of(kindWords[kind])}
        facts={<span className="font-mono text-xs">{kind}</span>}
        actions={<ButtonLink href={paths.heal({ kind })}>{words.openNow}</ButtonLink>}
      />
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,80ch)_16rem] 2xl:grid-cols-[minmax(0,80ch)_minmax(0,1fr)]">
        <div className="flex flex-col gap-5 rounded-lg border border-line bg-surface p-4">
          <Part title={words.parts.means}>{entry.means}</Part>
          <Part title={words.parts.risk}>{entry.risk}</Part>
          <Part title={words.parts.you}>
            <ol className="m-0 flex list-decimal flex-col gap-1 pl-5">
              {entry.you.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </Part>
          <Part title={words.parts.verified}>{entry.verified}</Part>
          <Part title={words.parts.berth}>{entry.berth}</Part>
          <Part title={words.parts.comes}>
            <ul className="m-0 flex list-disc flex-col gap-1 pl-5">
              {entry.comes.map((way) => (
                <li key={way}>{way}</li>
              ))}
            </ul>
          </Part>
        </div>
        <Others kind={kind} />
      </div>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <PanelPart title={title}>
      <div className="text-base leading-6">{children}</div>
    </PanelPart>
  )
}

function Others({ kind }: { kind: FindingKind }) {
  return (
    <nav aria-label={words.others} className="rounded-lg border border-line bg-surface p-3">
      <h2 className="m-0 pb-1 text-xs font-medium text-soft">{words.others}</h2>
      <ul className="m-0 list-none columns-1 p-0 text-sm sm:max-lg:columns-2 2xl:columns-3">
        {runbookKinds.map((other) => (
          <li
            key={other}
            className={cx('flex min-h-6 break-inside-avoid items-center', other === kind && 'font-medium')}
          >
            {other === kind ? (
              <span aria-current="page">{kindWords[other]}</span>
            ) : (
              <TextLink href={paths.runbook(other)} className="whitespace-normal!">
                {kindWords[other]}
              </TextLink>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
