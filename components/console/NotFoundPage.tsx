'use client'
import { Button } from '../ui/Button'
import { ButtonLink } from '../ui/Link'
import { PageHead } from '../ui/Panel'
import { openFind } from './find'
import { paths } from './paths'
import { consoleWords } from './words'

const words = consoleWords.error

/** No page has this address. The frame stays, so that every other page is one click away. */
export function NotFoundPage() {
  return (
    <>
      <PageHead title={words.notFound} />
      <p className="m-0 max-w-prose text-soft">{words.notFoundMore}</p>
      <div className="flex flex-wrap gap-2 pt-3">
        <Button variant="primary" onPress={openFind}>
          {words.notFoundFind}
        </Button>
        <ButtonLink href={paths.overview()}>{words.toOverview}</ButtonLink>
        <ButtonLink href={paths.hosts()}>{consoleWords.nav.hosts}</ButtonLink>
        <ButtonLink href={paths.instances()}>{consoleWords.nav.instances}</ButtonLink>
        <ButtonLink href={paths.migrations()}>{consoleWords.nav.migrations}</ButtonLink>
      </div>
    </>
  )
}
