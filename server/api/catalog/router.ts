import { demandOf, type Flavor, type GroupPolicy, type PciAlias } from '../../engine/demand'
import { changeEntry, type EntryAnswer, readEntries } from '../../store/catalog/write'
import { isAlias, isFlavor, isGroup } from '../../store/decode/catalog'
import { type Permit, permitFor } from '../permit/rights'
import { actorOf, admin, type CallerContext, router, viewer } from '../procedure/procedure'
import { type RefusalContext, RefusalError, refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import { aliasEntry, changeOf, flavorEntry, groupEntry } from './input'

// Flavors, server groups and PCI aliases, maintained by admins. An entry in use changes only if nothing that exists
// becomes invalid.

export interface GroupEntry {
  readonly name: string
  readonly policy: GroupPolicy
  /** For anti-affinity: how many members may share a host. */
  readonly maxPerHost: number
}

/** Entries of the catalog, by kind. */
export interface CatalogValues {
  readonly flavor: Flavor
  readonly group: GroupEntry
  readonly alias: PciAlias
}

export type CatalogKind = keyof CatalogValues

export interface CatalogEntry<Value> {
  readonly value: Value
  /** Instances that were built with it or belong to it; for an alias, also flavors that name it. */
  readonly uses: number
}

export interface CatalogView {
  readonly flavors: readonly CatalogEntry<Flavor>[]
  readonly groups: readonly CatalogEntry<GroupEntry>[]
  readonly aliases: readonly CatalogEntry<PciAlias>[]
  readonly permit: Permit
}

export const catalogRouter = router({
  list: viewer.query(async ({ ctx }): Promise<CatalogView> => {
    const { database } = ctx.services
    const [flavors, groups, aliases] = await Promise.all([
      readEntries(database, 'flavor'),
      readEntries(database, 'group'),
      readEntries(database, 'alias'),
    ])
    return {
      flavors: readable(flavors, isFlavor),
      groups: readable(groups, isGroup),
      aliases: readable(aliases, isAlias),
      permit: permitFor(ctx.caller, 'administer'),
    }
  }),

  /** Instances keep the flavor they were built with. */
  setFlavor: admin.everywhere.input(changeOf(flavorEntry)).mutation(async ({ ctx, input }) => {
    if (input.after !== null) await refuseUnusable(ctx.services, input.after)
    return set(ctx, 'flavor', { ...input, forbids: (uses) => (input.after === null ? inUse(uses, 'instance') : null) })
  }),

  setGroup: admin.everywhere
    .input(changeOf(groupEntry))
    .mutation(({ ctx, input }) => set(ctx, 'group', { ...input, forbids: (uses) => whyNotGroup(input, uses) })),

  setAlias: admin.everywhere
    .input(changeOf(aliasEntry))
    .mutation(({ ctx, input }) => set(ctx, 'alias', { ...input, forbids: (uses) => whyNotAlias(input, uses) })),
})

/** Unreadable values are omitted, as in every selection list. */
function readable<Value>(
  entries: readonly { readonly value: unknown; readonly uses: number }[],
  is: (value: unknown) => value is Value,
): readonly CatalogEntry<Value>[] {
  return entries.flatMap(({ value, uses }) => (is(value) ? [{ value, uses }] : []))
}

/** A flavor that contradicts itself, or names something unknown, is refused with every invalid key. */
async function refuseUnusable(services: ApiServices, flavor: Flavor): Promise<void> {
  // The rules are reread every few seconds, but a new alias counts at once.
  const [{ demand }, entries] = await Promise.all([services.rules(), readEntries(services.database, 'alias')])
  const aliases = readable(entries, isAlias).map(({ value }) => value)
  const answer = demandOf(flavor, { name: '', properties: {} }, { ...demand, aliases })
  if (!answer.ok) throw new RefusalError(answer.refusals, aboutOf('flavor', 'Save', flavor.name))
}

interface CatalogChange<Value> {
  readonly before: unknown
  readonly after: Value | null
  readonly reason: string
  readonly forbids: (uses: number) => string | null
}

const NOUNS: Readonly<Record<CatalogKind, string>> = { flavor: 'flavor', group: 'server group', alias: 'PCI alias' }

const aboutOf = (kind: CatalogKind, verb: string, name: string): RefusalContext => ({
  what: `${verb} the ${NOUNS[kind]} ${name}`,
  where: name,
  notChanged: 'Nothing was changed.',
})

async function set<Kind extends CatalogKind>(
  ctx: CallerContext,
  kind: Kind,
  { before, after, reason, forbids }: CatalogChange<CatalogValues[Kind]>,
): Promise<{ name: string }> {
  const { services } = ctx
  const name = after?.name ?? nameOf(before)
  if (before === null && after === null) return refuseUnknown(NOUNS[kind], 'without a name')
  const about = aboutOf(kind, after === null ? 'Delete' : before === null ? 'Create' : 'Change', name)
  if (before !== null && name !== nameOf(before)) {
    refuse('bad-input', { ...about, need: `the name ${nameOf(before)}`, have: 'another name' })
  }
  const actor = actorOf(ctx, reason)
  const answer = await changeEntry(services.database, {
    ...{ kind, name, before, after, forbids, actor, at: services.now() },
  })
  return answered(answer, { name, isNew: before === null, about })
}

const nameOf = (entry: unknown): string => {
  const name = entry !== null && typeof entry === 'object' && 'name' in entry ? entry.name : ''
  return typeof name === 'string' ? name : ''
}

function answered(
  answer: EntryAnswer,
  { name, isNew, about }: { readonly name: string; readonly isNew: boolean; readonly about: RefusalContext },
): { name: string } {
  if (answer.did === 'done') return { name }
  if (answer.did === 'forbidden') {
    refuse('not-permitted', { ...about, need: 'an entry that is not in use', have: answer.why })
  }
  const [need, have] = isNew ? ['a free name', 'an entry of that name'] : ['the entry as it was read', 'another one']
  const next = isNew ? 'Choose another name.' : 'Check the current entry, then change it again.'
  return refuse('changed-meanwhile', { ...about, need, have, next })
}

const inUse = (uses: number, noun: string): string | null =>
  uses === 0 ? null : `${uses} ${noun}${uses === 1 ? ' uses' : 's use'} it`

// Members were placed by the previous rule. A rule that forbids less invalidates none of them.
function whyNotGroup(
  { before, after }: Pick<CatalogChange<GroupEntry>, 'before' | 'after'>,
  uses: number,
): string | null {
  if (after === null) return inUse(uses, 'instance')
  if (uses === 0 || !isGroup(before)) return null
  if (before.policy !== after.policy) return `its policy is fixed while ${inUse(uses, 'instance')}`
  if (after.maxPerHost >= before.maxPerHost) return null
  return `it can allow more members per host but not fewer while ${inUse(uses, 'instance')}`
}

// Instances hold devices that the alias chose; another spec would send their next migration to other devices.
function whyNotAlias(
  { before, after }: Pick<CatalogChange<PciAlias>, 'before' | 'after'>,
  uses: number,
): string | null {
  if (uses === 0) return null
  const used = `${uses} ${uses === 1 ? 'instance or flavor names' : 'instances and flavors name'} it`
  if (after === null) return used
  if (!isAlias(before) || sorted(before.spec) === sorted(after.spec)) return null
  return `only its NUMA policy can be changed while ${used}`
}

const sorted = (spec: PciAlias['spec']): string =>
  JSON.stringify(spec.map((keys) => Object.entries(keys).sort(([a], [b]) => (a < b ? -1 : 1))))
