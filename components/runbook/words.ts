export const runbookWords = {
  title: 'Runbook',
  of: (kind: string) => `Runbook: ${kind}`,
  parts: {
    means: 'What it means',
    comes: 'Causes',
    risk: 'Risk',
    berth: 'What Berth does',
    you: 'What to do',
    verified: 'How to tell that it is resolved',
  },
  openNow: 'Open findings of this kind',
  others: 'Other kinds',
} as const
