'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { MigrationRulesView } from '@/server/api/setting/router'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Note } from '../ui/Message'
import { Panel } from '../ui/Panel'
import { RulesSection } from './RulesSection'
import { RULE_SECTIONS, type RuleSection } from './sections'
import { type SectionId, sectionWords, settingWords as words } from './words'

const INDEX: readonly { readonly id: SectionId; readonly title: string }[] = [
  ...RULE_SECTIONS.map(({ id }) => ({ id, title: sectionWords[id].title })),
  { id: 'server', title: words.serverTitle },
]

/** On a wide screen the sections form two columns of about equal height. */
const IN_FIRST_COLUMN = 3

/** Sections with an index beside them; each is edited, reviewed and saved separately. */
export function SettingsPage() {
  const trpc = useTRPC()
  const query = useQuery(trpc.setting.rules.queryOptions())
  return (
    <div className="flex items-start gap-6 max-lg:flex-col max-lg:gap-3">
      <Index />
      <div className="grid w-full min-w-0 max-w-3xl items-start gap-4 2xl:max-w-none 2xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Loaded query={query} what={words.what} minHeight={600}>
            {(rules) => <Rules sections={RULE_SECTIONS.slice(0, IN_FIRST_COLUMN)} rules={rules} />}
          </Loaded>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {query.data ? <Rules sections={RULE_SECTIONS.slice(IN_FIRST_COLUMN)} rules={query.data} /> : null}
          {/* Below sections of unknown height: it would move while they load. */}
          {query.isPending ? null : <ServerSection />}
        </div>
      </div>
    </div>
  )
}

function Index() {
  return (
    <nav aria-label={words.index} className="sticky top-0 w-44 shrink-0 max-lg:static max-lg:w-full">
      <ul className="m-0 flex list-none flex-col gap-px border-l border-line p-0 max-lg:flex-row max-lg:flex-wrap max-lg:border-0">
        {INDEX.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="block rounded-md px-3 py-1 text-sm text-soft hover:bg-hover hover:text-ink max-lg:px-2"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Rules({ sections, rules }: { sections: readonly RuleSection[]; rules: MigrationRulesView }) {
  return sections.map((section) => (
    <Section key={section.id} id={section.id} title={sectionWords[section.id].title}>
      <RulesSection section={section} rules={rules} />
    </Section>
  ))
}

const Section = ({ id, title, children }: { id: SectionId; title: string; children: ReactNode }) => (
  <div id={id} className="scroll-mt-2">
    <Panel title={title}>{children}</Panel>
  </div>
)

function ServerSection() {
  const trpc = useTRPC()
  const query = useQuery(trpc.setting.server.queryOptions())
  return (
    <Section id="server" title={words.serverTitle}>
      <Loaded query={query} what={words.serverTitle} minHeight={40}>
        {({ warnings }) => (
          <div className="flex flex-col gap-2">
            <p className="m-0 text-soft">{words.serverAbout}</p>
            {warnings.length === 0 ? <p className="m-0">{words.noWarnings}</p> : null}
            {warnings.map((warning) => (
              <Note key={warning} tone="warn" shape="triangle">
                {warning}
              </Note>
            ))}
          </div>
        )}
      </Loaded>
    </Section>
  )
}
