import { PAGE_ANY, PAGE_LARGE, PAGE_SMALL } from '../../words/units'

// Page sizes as flavors and images write them. Source: Nova `hw:mem_page_size`, oslo.utils `string_to_bytes` (IEC).

const WORDS: Readonly<Record<string, number>> = { small: PAGE_SMALL, large: PAGE_LARGE, any: PAGE_ANY }

// A byte unit is required (2MB, 2MiB); `b` and `bit` are bits. Case matters, as in Nova.
const AMOUNT = /^([-+]?\d*\.?\d+)(?:([KMGTPEZYRQ])i?)?(b|bit|B)$/
const POWERS = 'KMGTPEZYRQ'

/** KiB (may be fractional below one KiB), PAGE_SMALL, PAGE_LARGE or PAGE_ANY; null when it does not parse. */
export function parsePageSize(text: string): number | null {
  const word = Object.hasOwn(WORDS, text) ? WORDS[text] : undefined
  if (word !== undefined) return word
  if (/^\d+$/.test(text)) return Number(text)
  const match = AMOUNT.exec(text)
  if (match === null) return null
  const [, magnitude, prefix, unit] = match
  const exponent = prefix === undefined ? 0 : POWERS.indexOf(prefix) + 1
  const bytes = (Number(magnitude) / (unit === 'B' ? 1 : 8)) * 1024 ** exponent
  return Math.ceil(bytes) / 1024
}
