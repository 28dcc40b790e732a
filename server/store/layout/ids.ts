import { createHash } from 'node:crypto'
import type { ChildId } from '../../engine/layout'
import type { ProviderId } from '../../engine/words/ids'

const UUID_SHAPE = /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/

/**
 * Derived from the child's name, which is unique in the fleet, so that a plan names the same rows when it is shown,
 * retried or undone.
 */
export const childId: ChildId = (name) =>
  createHash('sha1').update(`provider ${name}`).digest('hex').replace(UUID_SHAPE, '$1-$2-5$3-a$4-$5') as ProviderId
