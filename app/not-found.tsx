import { paths } from '@/components/console/paths'
import { consoleWords } from '@/components/console/words'
import { ButtonLink } from '@/components/ui/Link'

const words = consoleWords.error

export default function NotFound() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-2 p-4 text-center">
      <h1 className="m-0 text-xl font-semibold">{words.notFound}</h1>
      <p className="m-0 max-w-prose text-soft">{words.notFoundMore}</p>
      <div className="pt-2">
        <ButtonLink href={paths.overview()}>{words.toOverview}</ButtonLink>
      </div>
    </main>
  )
}
