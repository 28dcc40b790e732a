import { readdirSync } from 'node:fs'
import { cleanup, render } from '@testing-library/react'
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { afterEach, expect, it } from 'vitest'
import { readTime } from './address'
import { PastNotice } from './PastNotice'

afterEach(cleanup)

/** All pages of the console, read from the file system, so that new ones are included. */
const PAGES = readdirSync('app/(console)', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('page.tsx'))
  .map(
    (file) =>
      `/${file
        .replaceAll('\\', '/')
        .replace(/\/?page\.tsx$/, '')
        .replaceAll(/\[[^\]]+\]/g, 'x')}`,
  )
/** Pages that show the past; their own parts say so. */
const GO_BACK = ['/claims', '/hosts', '/hosts/x', '/migrations']

function noticeText(path: string, at: string): string {
  const { container, unmount } = render(
    <PathnameContext.Provider value={path}>
      <NuqsTestingAdapter searchParams={`?at=${encodeURIComponent(at)}`} hasMemory>
        <PastNotice />
      </NuqsTestingAdapter>
    </PathnameContext.Provider>,
  )
  const text = container.textContent ?? ''
  unmount()
  return text
}

it('the test finds the pages', () => {
  expect(PAGES).toEqual(expect.arrayContaining([...GO_BACK, '/overview', '/instances/x', '/runbook/x']))
})

it.each(PAGES)('%s shows the state at the time in its address, or says that it has no history', (path) => {
  const text = noticeText(path, '2026-11-21T05:00:00.000Z')
  if (GO_BACK.includes(path)) expect(text).toBe('')
  else expect(text).toMatch(/^Current state, not the state at 2026-11-21 05:00:00 UTC.*This page has no history/)
})

it.each(PAGES)('%s reports a time that it cannot read instead of showing now', (path) => {
  expect(noticeText(path, 'yesterday')).toMatch(/^Invalid time in the URL: at=yesterday.*shows the current state/)
})

it.each([
  ['2026-11-21T05:00:00.000Z', true],
  ['2026-11-21T05:00Z', true],
  ['2026-11-21T06:00:00+01:00', true],
  ['2026-11-21', false],
  ['2026', false],
  ['2026-13-41T05:00:00Z', false],
  ['', false],
  ['1700000000000', false],
])('a time is accepted only when complete and with a zone: %s', (text, readable) => {
  expect(readTime(text) !== null).toBe(readable)
})
