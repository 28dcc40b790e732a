// Words of the console's own parts, the same in every product that would use them. A noun's words are beside the noun.

import type { Problem } from './filter/judge'
import { count } from './format'

function problemText(problem: Problem): string {
  switch (problem.kind) {
    case 'unknown-key':
      return `There is no filter ${problem.key}; there are ${problem.keys.join(', ')}. Text with a colon goes in quotes.`
    case 'no-value':
      return `The filter ${problem.key} needs a value${problem.values ? `: ${problem.values.join(', ')}` : ''}.`
    case 'bad-value':
      return `${problem.key} is never ${problem.value}; it is one of ${problem.values.join(', ')}.`
  }
}

export const uiWords = {
  liveness: {
    live: { label: 'Live', tip: 'Changes are shown within two seconds.' },
    polling: {
      label: 'Polling',
      tip: 'No channel comes through, or other tabs have all there are: the server is asked every two seconds.',
    },
    connecting: { label: 'Connecting', tip: 'Waiting for the first message.' },
    stale: { label: 'Stale', tip: 'No message for a while. What you see may be old.' },
    offline: { label: 'Offline', tip: 'The connection is lost; trying again by itself.' },
  },
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  loading: 'Loading',
  unknown: 'unknown',
  unknownNeeds: (what: string) => `unknown, needs ${what}`,
  none: 'none',
  skip: 'Skip to content',
  notNow: 'Not now',
  requestId: 'Request id',
  tryAgain: 'Try again',
  whatHappened: 'What happened',
  notChanged: 'Not changed',
  nextStep: 'Next step',
  columns: 'Columns',
  columnsWithoutRoom: (columns: number) => (columns === 1 ? '1 column does not fit' : `${columns} columns do not fit`),
  showAllColumns: 'Show all columns',
  fitColumns: 'Fit columns',
  exportRows: 'Export rows',
  exportAs: { csv: 'As CSV', json: 'As JSON' },
  exportHint: (rows: number) => `${rows === 1 ? '1 row' : `${rows} rows`}, the columns that are shown`,
  exportedId: 'id',
  /** Of a share in a file. */
  exportedShare: { used: 'held', total: 'total' },
  exportUnits: { seconds: 'seconds', bytes: 'bytes', bytesPerS: 'bytes/s', mib: 'MiB', gib: 'GiB', percent: '%' },
  exporting: (done: number, total: number) => `${done} of ${total} rows read`,
  exportStop: 'Stop the export',
  exportFailed: 'The rows could not all be read',
  exportFailedMore: 'No file was written. Try again, or narrow the filter.',
  sortPlace: (place: number, dir: 'asc' | 'desc') =>
    `place ${place} of the order, ${dir === 'asc' ? 'ascending' : 'descending'}`,
  sortedBy: (column: string, direction: 'asc' | 'desc') =>
    `sorted by ${column}, ${direction === 'asc' ? 'ascending' : 'descending'}`,
  rows: (total: number) => (total === 1 ? '1 row' : `${count(total)} rows`),
  arrived: (arrived: number, gone: number) =>
    [arrived > 0 ? `${arrived} new` : null, gone > 0 ? `${gone} gone` : null, 'show'].filter(Boolean).join(', '),
  selected: (count: number) => `${count} selected`,
  look: (name: string) => `Look at ${name}`,
  staleRows: 'These rows are not current: they could not be read again.',
  stalePart: 'This is not current: it could not be read again.',
  selectRow: (name: string, whyNot: string | null) => (whyNot ? `Select ${name}: ${whyNot}` : `Select ${name}`),
  selectAll: 'Select all rows shown',
  clearSelection: 'Clear selection',
  typeToConfirm: (name: string) => `Type ${name} to confirm`,
  reason: 'Reason',
  reasonHelp: 'Kept in the audit log with your name.',
  labelled: (what: string, value: string) => `${what}: ${value}`,
  both: (one: string, other: string) => `${one}, ${other}`,
  named: (what: string, name: string) => `${what} ${name}`,
  of: (used: string, total: string) => `${used} of ${total}`,
  share: (used: string, total: string) => `${used} / ${total}`,
  /** What is there of these, one after another. */
  list: (parts: readonly (string | number | null | undefined)[]) =>
    parts.filter((part) => part !== null && part !== undefined && part !== '').join(', '),
  ago: (duration: string) => `${duration} ago`,
  ahead: (duration: string) => `in ${duration}`,
  diff: { '-': 'removed', '+': 'added', '~': 'changed', marked: 'not as shown before' },
  filter: 'Filter',
  filterAdd: 'Add a filter',
  filterNext: 'What could come next',
  filterTerms: 'Filters that apply',
  filterKey: (key: string) => `${key}:`,
  filterRemove: (term: string, ignored: boolean) =>
    ignored ? `Remove filter ${term}, which is not applied` : `Remove filter ${term}`,
  filterClear: 'Clear all',
  filterProblem: (problem: Problem) => `${problemText(problem)} It is not applied.`,
  clear: 'Clear',
  noMatch: 'No match',
  messages: 'Messages',
  table: 'Table',
  picture: 'Picture',
  shownAs: 'shown as',
  theme: { system: 'System theme', light: 'Light theme', dark: 'Dark theme' },
  now: 'now',
  utc: 'UTC',
  local: 'local time',
  inZone: (time: string, zone: string) => `${time} ${zone}`,
  clockZone: { utc: 'Times in UTC', local: 'Times in local time' },
} as const
