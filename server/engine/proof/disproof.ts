// Proofs before anything is destroyed, released or exchanged. A row can be edited without Berth, so an instance's host
// and a claim's owner must follow from several rows that agree.

/**
 * The law that did not hold. instance: the instance, or what it is said to be part of, does not exist or is another
 * one. home: the records place the instance elsewhere. claims: the claims do not match the step. step: no migration can
 * be in such a state. hosts: the sides do not fit the operation. resident: the instance's host is the one to be cleaned
 * up. only-copy: hypervisors report the instance nowhere else.
 */
export const PROOF_LAWS = ['instance', 'home', 'claims', 'step', 'hosts', 'resident', 'only-copy'] as const
export type ProofLaw = (typeof PROOF_LAWS)[number]

/** Why nothing is done. */
export interface Disproof {
  readonly law: ProofLaw
  /** Ready to print. */
  readonly why: string
}

export const disproof = (law: ProofLaw, why: string): Disproof => ({ law, why })
