// The meaning of a colour. Screens choose a tone, never a colour, and every tone comes with a shape and a word.

/** idle: nothing to do. ok: as it should be. flow: under way. warn: needs attention. bad: broken. twice: held twice. */
export const TONES = ['idle', 'ok', 'flow', 'warn', 'bad', 'twice'] as const
export type Tone = (typeof TONES)[number]

export const toneText: Readonly<Record<Tone, string>> = {
  idle: 'text-soft',
  ok: 'text-ok',
  flow: 'text-flow',
  warn: 'text-warn',
  bad: 'text-bad',
  twice: 'text-twice',
}

export const toneWash: Readonly<Record<Tone, string>> = {
  idle: 'bg-sunken',
  ok: 'bg-ok-wash',
  flow: 'bg-flow-wash',
  warn: 'bg-warn-wash',
  bad: 'bg-bad-wash',
  twice: 'bg-twice-wash',
}
