/**
 * How a live transfer is forced to complete. pause: the instance is paused until the rest is copied. post-copy: it runs
 * on the target before all of its memory is there.
 */
export type ForceMethod = 'pause' | 'post-copy'

/** An instance whose image forbids post-copy, because of its hardware, is paused. */
export const forceMethod = (properties: Readonly<Record<string, unknown>>): ForceMethod =>
  properties.berth_post_copy === 'no' ? 'pause' : 'post-copy'
