import { z } from 'zod'
import { countViews, listViews, readView, removeView, type SavedViewRow, saveView } from '../../store/view/saved-view'
import type { Ref } from '../names/names'
import type { Permits } from '../permit/permits'
import { type Permit, permitFor, permitSomewhere } from '../permit/rights'
import { line, object, recordId } from '../procedure/inputs'
import { attributionOf, type Caller, router, selfService, viewer } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'

// Saved lists. They change nothing in the fleet, so every user may have their own; sharing one with everybody needs the
// right to share.

/** A saved list. `query` is what follows the `?` of its URL. */
export interface SavedViewItem extends Ref {
  readonly path: string
  readonly query: string
  readonly shared: boolean
  readonly owner: string
  readonly mine: boolean
  readonly permitted: Permits<'replace' | 'remove'>
}

export interface SavedViewList {
  readonly views: readonly SavedViewItem[]
  readonly permitted: Permits<'save' | 'share'>
}

const MAX_VIEWS = 200
const MAX_QUERY_LENGTH = 2_000

const path = z
  .string({ error: 'expected the path of a page' })
  .regex(/^\/[a-z][a-z/-]{0,60}$/, 'expected the path of a page, such as /hosts')
const query = z
  .string({ error: 'expected a query' })
  .max(MAX_QUERY_LENGTH, `expected a query of at most ${MAX_QUERY_LENGTH} characters`)
  .refine((text) => !/[\p{Cc}\s]/u.test(text), 'expected a query as an address has it')
const shared = z.boolean({ error: 'expected true or false' })

export const viewRouter = router({
  list: viewer.input(object({ path })).query(async ({ ctx, input }): Promise<SavedViewList> => {
    const { caller, services } = ctx
    const rows = await listViews(services.database, { owner: caller.id, path: input.path })
    return {
      views: rows.map((row) => item(row, caller)),
      permitted: { save: permitSomewhere(caller, 'self'), share: permitFor(caller, 'share') },
    }
  }),

  /** Replaces the user's own view with the same name on the same page. */
  save: selfService
    .input(object({ name: line('a name', 80), path, query, shared }))
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      const { caller, services } = ctx
      const about = { what: `Save the view ${input.name}`, where: input.name }
      const share = permitFor(caller, 'share')
      if (input.shared && !share.ok) {
        refuse('not-permitted', { ...about, need: 'share a view', have: share.why })
      }
      if ((await countViews(services.database, caller.id)) >= MAX_VIEWS) {
        const next = 'Remove one that you no longer need.'
        const need = `below the limit of ${MAX_VIEWS} views`
        refuse('wrong-state', { ...about, need, have: 'at the limit', next })
      }
      const view = { id: services.newId(), owner: caller.id, ...input }
      return { id: await saveView(services.database, view, attributionOf(ctx)) }
    }),

  remove: selfService
    .input(object({ id: recordId('a view') }))
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      const { caller, services } = ctx
      const view = (await readView(services.database, input.id)) ?? refuseUnknown('view', input.id)
      // Other users' private views are not disclosed, not even that they exist.
      if (view.owner !== caller.id && !view.shared) refuseUnknown('view', input.id)
      const permit = removal(view, caller)
      if (!permit.ok) {
        const about = { what: `Remove the view ${view.name}`, where: view.name }
        refuse('not-permitted', { ...about, need: 'remove it', have: permit.why })
      }
      await removeView(services.database, view.id, attributionOf(ctx))
      return { id: view.id }
    }),
})

/** The user's own, and for an admin any shared one. */
function removal(view: SavedViewRow, caller: Caller): Permit {
  return view.owner === caller.id ? { ok: true } : permitFor(caller, 'administer')
}

function item(row: SavedViewRow, caller: Caller): SavedViewItem {
  const mine = row.owner === caller.id
  return {
    ...{ id: row.id, name: row.name, path: row.path, query: row.query, shared: row.shared, owner: row.ownerName, mine },
    permitted: {
      replace: mine ? { ok: true } : { ok: false, why: `This view belongs to ${row.ownerName}; save your own.` },
      remove: removal(row, caller),
    },
  }
}
