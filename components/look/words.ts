// The words of a look: a thing in a drawer over the list it stands in.

export const lookWords = {
  work: 'Open the page',
  of: { host: 'Host', instance: 'Instance', migration: 'Migration' },
} as const
