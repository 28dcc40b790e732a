import { consoleWords } from './words'

const CONDUCTOR = /^conductor (\S+) \d+ [0-9a-f]{8}$/

/** The author of a write, for display: for a conductor its machine, without process and session. */
export function actorText(who: string): string {
  const [, machine] = CONDUCTOR.exec(who) ?? []
  return machine === undefined ? who : consoleWords.conductorOn(machine)
}
