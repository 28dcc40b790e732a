import type { CloudRow } from '../../store/cloud/cloud'
import type { Ms } from '../plain'
import type { CloudReach, CloudStatusView, Clouds, WatchedCloud } from './clouds'
import { notRead } from './view'

/** A cloud as the list and its own page show it. */
export interface CloudView {
  readonly id: string
  readonly name: string
  /** Null: its settings cannot be read. */
  readonly reach: CloudReach | null
  readonly enabled: boolean
  readonly mayAct: boolean
  readonly addedAt: Ms | null
  readonly status: CloudStatusView | null
  /** The cloud's clock when the newest part of it was read. */
  readonly readAt: Ms | null
  /** What of it was not read, each with the reason. */
  readonly notRead: readonly string[]
}

/** A cloud whose rows nobody let be read has a line for each of its providers. */
const MOST_LINES = 20

export function cloudView(clouds: Clouds, row: CloudRow, watched: WatchedCloud | undefined): CloudView {
  const { id, name, enabled, mayAct, addedAt } = row
  const state = watched?.state ?? null
  return {
    ...{ id, name, enabled, mayAct, addedAt, reach: clouds.reach(row.settings), status: watched?.status ?? null },
    readAt: state?.snapshot.now ?? null,
    notRead: state === null ? [] : notRead(state).slice(0, MOST_LINES),
  }
}
