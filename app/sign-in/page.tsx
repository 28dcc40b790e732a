import type { Metadata } from 'next'
import { Mark } from '@/components/console/frame/Mark'
import { consoleWords } from '@/components/console/words'
import { SignInForm } from '@/components/session/SignInForm'
import { sessionWords } from '@/components/session/words'
import { running } from '@/server/api/running'

export const metadata: Metadata = { title: sessionWords.title }

type Search = Promise<Readonly<Record<string, string | readonly string[] | undefined>>>

export default async function Page({ searchParams }: { searchParams: Search }) {
  const { next, problem } = await searchParams
  const methods = running()?.endpoints?.signIn ?? { oidc: null, keystone: null, passkey: null }
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <div className="w-full max-w-sm rounded-lg border border-line bg-surface p-6">
        <p className="m-0 flex items-center gap-2 pb-5 text-base font-semibold">
          <Mark />
          {consoleWords.product}
        </p>
        <h1 className="m-0 text-xl font-semibold">{sessionWords.title}</h1>
        <p className="m-0 pb-5 text-soft">{sessionWords.lead}</p>
        <SignInForm next={textOf(next)} problem={textOf(problem)} methods={methods} />
      </div>
    </main>
  )
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
