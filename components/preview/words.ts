// Texts of the preview drawer over a list.

export const previewWords = {
  work: 'Open page',
  of: { host: 'Host', instance: 'Instance', migration: 'Migration' },
} as const
