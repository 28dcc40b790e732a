// The Accept header as far as this API needs it: whether JSON will do, and in which form a problem is told.

interface Range {
  readonly type: string
  readonly quality: number
}

function rangesOf(accept: string): Range[] {
  return accept.split(',').flatMap((part) => {
    const [type, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (!type) return []
    const quality = parameters.find((each) => each.startsWith('q='))?.slice(2)
    return [{ type, quality: quality === undefined ? 1 : Number(quality) || 0 }]
  })
}

function qualityOf(ranges: readonly Range[], type: string): number {
  const wanted = [type, `${type.split('/')[0]}/*`, '*/*']
  for (const each of wanted) {
    const range = ranges.find((candidate) => candidate.type === each)
    if (range) return range.quality
  }
  return 0
}

/** True too without a header, and for one that nobody can read. */
export function takesJson(accept: string | null): boolean {
  if (!accept?.includes('/')) return true
  return qualityOf(rangesOf(accept), 'application/json') > 0
}

export type ProblemForm = 'application/json' | 'text/html' | 'text/plain'

/** JSON wherever it is taken as gladly as HTML, and for who says nothing; plain text for who takes neither; HTML for what nobody can read. */
export function problemForm(accept: string | null): ProblemForm {
  if (!accept) return 'application/json'
  if (!accept.includes('/')) return 'text/html'
  const ranges = rangesOf(accept)
  const html = qualityOf(ranges, 'text/html')
  const json = qualityOf(ranges, 'application/json')
  if (json > 0 && json >= html) return 'application/json'
  return html > 0 ? 'text/html' : 'text/plain'
}
