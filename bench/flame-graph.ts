import path from 'node:path'

// A flame graph of a V8 CPU profile as one SVG: width is time, callers are below callees. Omits frames that are too
// narrow to see, so that the file stays small enough for a repository.

/** Written by `node --cpu-prof`; times in µs on the monotonic clock. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: readonly number[]
}

interface Frame {
  readonly name: string
  /** The file, or the kind of code if it is not JavaScript. */
  readonly place: string
  us: number
  readonly above: Map<string, Frame>
}

const WIDTH = 1200
const ROW = 16
const MIN_VISIBLE_SHARE = 0.004 // of the whole width
const LETTER = 6.2 // px per character of the font below
const NOT_WORK = new Set(['(idle)', '(program)', '(root)'])

export interface FlameOptions {
  readonly title: string
  /** Samples before this moment belong to the start and are ignored. µs, monotonic. */
  readonly from: number
  /** The checkout: paths are relative to it. */
  readonly root: string
}

export function flameGraph(profile: CpuProfile, options: FlameOptions): string {
  const root = folded(profile, options)
  const rows = depthOf(root, root.us * MIN_VISIBLE_SHARE)
  const height = (rows + 3) * ROW
  const body = drawn(root, { x: 0, level: 0, scale: WIDTH / root.us, height })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10">`,
    `<title>${escaped(options.title)}</title><rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="4" y="14" font-size="12">${escaped(options.title)}</text>`,
    ...body,
    '</svg>',
    '',
  ].join('\n')
}

/** Samples as a tree of frames, each with its time including its callees. */
function folded(profile: CpuProfile, { from, root: checkout }: FlameOptions): Frame {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  )
  const root: Frame = { name: 'all', place: '', us: 0, above: new Map() }
  let at = profile.startTime
  for (const [index, id] of profile.samples.entries()) {
    const us = profile.timeDeltas[index] ?? 0
    at += us
    if (at < from || NOT_WORK.has(nodes.get(id)?.callFrame.functionName ?? '')) continue
    let frame = root
    root.us += us
    for (const { callFrame } of stackOf(id, nodes, parents)) {
      frame = above(frame, callFrame.functionName || '(anonymous)', placeOf(callFrame.url, checkout))
      frame.us += us
    }
  }
  return root
}

/** Frames from the outermost caller to the sampled function. */
function stackOf(id: number, nodes: ReadonlyMap<number, ProfileNode>, parents: ReadonlyMap<number, number>) {
  const stack: ProfileNode[] = []
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const node = nodes.get(at)
    if (node && node.callFrame.functionName !== '(root)') stack.push(node)
  }
  return stack.reverse()
}

function above(frame: Frame, name: string, place: string): Frame {
  const key = `${name} ${place}`
  const next = frame.above.get(key) ?? { name, place, us: 0, above: new Map() }
  frame.above.set(key, next)
  return next
}

function placeOf(url: string, checkout: string): string {
  if (url.startsWith('node:')) return url
  const file = url.replace(/^file:\/\//, '').replace(/\?.*$/, '')
  return file === '' ? 'native' : path.relative(checkout, file)
}

function depthOf(frame: Frame, seenUs: number): number {
  if (frame.us < seenUs) return 0
  return 1 + Math.max(0, ...[...frame.above.values()].map((each) => depthOf(each, seenUs)))
}

interface FramePosition {
  readonly x: number
  readonly level: number
  readonly scale: number
  readonly height: number
}

function drawn(frame: Frame, { x, level, scale, height }: FramePosition): string[] {
  const width = frame.us * scale
  if (width < WIDTH * MIN_VISIBLE_SHARE) return []
  const y = height - (level + 1) * ROW
  const part = ((width / WIDTH) * 100).toFixed(1)
  const room = Math.floor((width - 4) / LETTER)
  const label =
    room < 3 ? '' : `<text x="${(x + 2).toFixed(1)}" y="${y + 11}">${escaped(frame.name.slice(0, room))}</text>`
  const title = escaped(`${frame.name} ${frame.place} ${part} %`)
  const box = `<rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(0.5, width - 0.5).toFixed(1)}" height="${ROW - 1}" fill="${colourOf(frame)}"/>`
  const lines = [`<g><title>${title}</title>${box}${label}</g>`]
  let left = x
  for (const called of [...frame.above.values()].sort((a, b) => b.us - a.us)) {
    lines.push(...drawn(called, { x: left, level: level + 1, scale, height }))
    left += called.us * scale
  }
  return lines
}

/** Colour by origin: server, pg, other packages, Node.js. */
function colourOf({ place }: Frame): string {
  if (place.startsWith('server/')) return '#f0a35e'
  if (place.startsWith('node_modules/pg')) return '#8fb7e8'
  if (place.startsWith('node_modules/')) return '#b9d3a8'
  return place.startsWith('node:') ? '#e8d98f' : '#d8d8d8'
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (each) => ESCAPES[each] ?? each)
