import { consoleWords } from './words'

const CONDUCTOR = /^conductor (\S+) \d+ [0-9a-f]{8}$/

/** The writer's name for display: for a conductor its machine, not its process and session. */
export function actorText(who: string): string {
  const [, machine] = CONDUCTOR.exec(who) ?? []
  return machine === undefined ? who : consoleWords.conductorOn(machine)
}
