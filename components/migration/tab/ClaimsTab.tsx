import type { ClaimView } from '@/server/api/claim/view'
import type { MigrationDetail } from '@/server/api/migration/detail'
import { ClaimCard } from '../../claim/ClaimCard'
import { Note } from '../../ui/Message'
import { tabWords } from './words'

const words = tabWords.claims

/** The claims of both sides, side by side. */
export function ClaimsTab({ migration }: { migration: MigrationDetail }) {
  return (
    <div className="flex flex-col gap-3">
      {migration.keepsClaim ? (
        <Note tone="idle" shape="ring">
          {words.keepsClaim}
        </Note>
      ) : null}
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <Side title={words.source} claim={migration.sourceClaim} />
        <Side title={words.target} claim={migration.targetClaim} />
      </div>
    </div>
  )
}

function Side({ title, claim }: { title: string; claim: ClaimView | null }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1.5">
      <p className="m-0 text-xs font-medium text-soft">{title}</p>
      {claim ? (
        <ClaimCard claim={claim} />
      ) : (
        <p className="m-0 rounded-lg border border-line bg-surface px-3 py-2 text-faint">{words.nothing}</p>
      )}
    </section>
  )
}
