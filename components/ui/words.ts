// Texts of the generic widgets. The texts of a noun are beside the noun.

import type { Problem } from './filter/check-terms'
import { count } from './format'

function problemText(problem: Problem): string {
  switch (problem.kind) {
    case 'unknown-key':
      return `Unknown filter ${problem.key}; known are ${problem.keys.join(', ')}. Quote text that contains a colon.`
    case 'no-value':
      return `The filter ${problem.key} needs a value${problem.values ? `: ${problem.values.join(', ')}` : ''}.`
    case 'bad-value':
      return `${problem.key} cannot be ${problem.value}; use one of ${problem.values.join(', ')}.`
  }
}

export const uiWords = {
  liveness: {
    live: { label: 'Live', tip: 'Changes are shown within two seconds.' },
    polling: {
      label: 'Polling',
      tip: 'The event stream is unavailable, or other tabs use all of them. This page polls every two seconds.',
    },
    connecting: { label: 'Connecting', tip: 'Waiting for the first message.' },
    stale: { label: 'Stale', tip: 'No message for a while. This page may be out of date.' },
    offline: { label: 'Offline', tip: 'The connection is lost. Reconnecting automatically.' },
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
  notNow: 'Unavailable',
  requestId: 'Request id',
  tryAgain: 'Try again',
  renderFailure: {
    page: 'This page failed to load',
    part: 'This part failed to load',
    next: 'Try again. If it fails again, tell support which page it was.',
    code: 'A part of this page could not be loaded: the server did not answer, or Berth was upgraded meanwhile.',
    codeNext: 'Reload the page once the server answers.',
    reload: 'Reload page',
    internal: 'Berth hit an internal error. The log has it under the request id.',
    nothing: 'Nothing was changed.',
  },
  whatHappened: 'What happened',
  notChanged: 'Not changed',
  nextStep: 'Next step',
  columns: 'Columns',
  columnsWithoutRoom: (columns: number) => (columns === 1 ? '1 column does not fit' : `${columns} columns do not fit`),
  showAllColumns: 'Show all columns',
  fitColumns: 'Fit columns',
  exportRows: 'Export rows',
  exportAs: { csv: 'As CSV', json: 'As JSON' },
  exportHint: (rows: number) => `${rows === 1 ? '1 row' : `${rows} rows`} with the visible columns`,
  exportedId: 'id',
  /** Suffixes of the two columns of a share in an exported file. */
  exportedShare: { used: 'used', total: 'total' },
  exportUnits: { seconds: 'seconds', bytes: 'bytes', bytesPerS: 'bytes/s', mib: 'MiB', gib: 'GiB', percent: '%' },
  exporting: (done: number, total: number) => `${done} of ${total} rows exported`,
  exportStop: 'Stop export',
  exportFailed: 'Could not read every row',
  exportFailedMore: 'No file was written. Try again, or narrow the filter.',
  sortPlace: (place: number, dir: 'asc' | 'desc') => `sort key ${place}, ${dir === 'asc' ? 'ascending' : 'descending'}`,
  sortedBy: (column: string, direction: 'asc' | 'desc') =>
    `sorted by ${column}, ${direction === 'asc' ? 'ascending' : 'descending'}`,
  rows: (total: number) => (total === 1 ? '1 row' : `${count(total)} rows`),
  arrived: (arrived: number, gone: number) =>
    [arrived > 0 ? `${arrived} new` : null, gone > 0 ? `${gone} gone` : null, 'show'].filter(Boolean).join(', '),
  selected: (count: number) => `${count} selected`,
  preview: (name: string) => `Preview ${name}`,
  staleRows: 'These rows may be out of date: refreshing them failed.',
  stalePart: 'This may be out of date: refreshing it failed.',
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
  /** The parts that are present, separated by commas. */
  list: (parts: readonly (string | number | null | undefined)[]) =>
    parts.filter((part) => part !== null && part !== undefined && part !== '').join(', '),
  ago: (duration: string) => `${duration} ago`,
  ahead: (duration: string) => `in ${duration}`,
  diff: { '-': 'removed', '+': 'added', '~': 'changed', marked: 'differs from the previous plan' },
  filter: 'Filter',
  filterAdd: 'Add a filter',
  filterNext: 'Suggestions',
  filterTerms: 'Active filters',
  filterKey: (key: string) => `${key}:`,
  filterRemove: (term: string, ignored: boolean) =>
    ignored ? `Remove filter ${term}, which is not applied` : `Remove filter ${term}`,
  filterClear: 'Clear all',
  filterProblem: (problem: Problem) => `${problemText(problem)} It is not applied.`,
  clear: 'Clear',
  noMatch: 'No match',
  moreMatches: (n: number) => `${count(n)} more: type part of the name.`,
  messages: 'Messages',
  table: 'Table',
  picture: 'Picture',
  shownAs: 'shown as',
  theme: { system: 'System theme', light: 'Light theme', dark: 'Dark theme' },
  now: 'now',
  utc: 'UTC',
  local: 'local time',
  inZone: (time: string, zone: string) => `${time} ${zone}`,
  headInZone: (head: string, zone: 'utc' | 'local') => `${head}, ${zone === 'utc' ? 'UTC' : 'local'}`,
  clockZone: { utc: 'Times in UTC', local: 'Times in local time' },
} as const
