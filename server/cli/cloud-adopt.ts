import { type PlacementContents, readContents } from '../cloud/adopt/contents'
import { copyContents } from '../cloud/adopt/copy'
import { type Difference, differencesBetween } from '../cloud/adopt/differences'
import { type CloudClient, openCloud } from '../cloud/client'
import { openTransport } from '../cloud/http/transport'
import { jsonOf } from './cloud-texts'

// Copies the contents of a cloud's Placement into another one, and compares the two.

export interface CopyOrder {
  /** The original; null: the Placement in the catalog. */
  readonly from: string | null
  readonly to: string
  readonly rate: number
  readonly isJson: boolean
}

const MAX_LISTED_DIFFERENCES = 50

async function openBoth({ settings }: CloudClient, { from, to, rate }: CopyOrder) {
  const at = (placement: string | null) =>
    openCloud({ ...settings, endpoints: { ...settings.endpoints, placement } }, { requestsPerSecond: rate })
  const [original, copy] = [await at(from), await at(to)]
  return { original, copy, close: () => Promise.all([original.close(), copy.close()]) }
}

export async function compareCopy(client: CloudClient, order: CopyOrder): Promise<boolean> {
  const { original, copy, close } = await openBoth(client, order)
  try {
    return await tellDifferences(order, original, copy)
  } finally {
    await close()
  }
}

async function tellDifferences({ isJson }: CopyOrder, original: CloudClient, copy: CloudClient): Promise<boolean> {
  const [from, to] = await Promise.all([readContents(original), readContents(copy)])
  const differences = differencesBetween(from, to)
  console.log(isJson ? jsonOf({ differences, ...countsOf(from) }) : linesOf(from, differences).join('\n'))
  return differences.every(({ about }) => about === 'extra')
}

/** False: they differ afterwards, as when clients write to the cloud meanwhile. Null: the target must not be written. */
export async function copyPlacement(client: CloudClient, order: CopyOrder): Promise<boolean | null> {
  // Nova uses the Placement in the catalog; a copy would overwrite its latest writes.
  if (stripped(await client.endpoint('placement')) === stripped(order.to)) return null
  const { original, copy, close } = await openBoth(client, order)
  const transport = await openTransport(client.settings.tls)
  try {
    const writes = await copyContents({ client: copy, transport }, await readContents(original))
    if (!order.isJson) console.log(`Sent ${writes} writes.`)
    return await tellDifferences(order, original, copy)
  } finally {
    await Promise.all([close(), transport.close()])
  }
}

const stripped = (url: string) => url.replace(/\/+$/, '')

const countsOf = ({ providers, consumers }: PlacementContents) => ({
  ...{ providers: providers.size, consumers: consumers.size },
})

function linesOf(from: PlacementContents, differences: readonly Difference[]): readonly string[] {
  const { providers, consumers } = countsOf(from)
  const count = (about: Difference['about']) => differences.filter((each) => each.about === about).length
  const kinds = (['class', 'trait', 'provider', 'allocation', 'extra'] as const).filter((about) => count(about) > 0)
  return [
    `The original has ${providers} providers and ${consumers} consumers.`,
    ...differences.slice(0, MAX_LISTED_DIFFERENCES).map(({ about, text }) => `  ${about}: ${text}`),
    ...(differences.length > MAX_LISTED_DIFFERENCES
      ? [`  … and ${differences.length - MAX_LISTED_DIFFERENCES} more`]
      : []),
    kinds.length === 0
      ? 'Equal: 0 allocations differ.'
      : `Different: ${kinds.map((about) => `${about} ${count(about)}`).join(', ')}; ${count('allocation')} allocations differ.`,
  ]
}
