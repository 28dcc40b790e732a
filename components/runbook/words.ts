export const runbookWords = {
  title: 'Runbook',
  of: (kind: string) => `Runbook: ${kind}`,
  parts: {
    means: 'What it means',
    comes: 'How it comes about',
    risk: 'What is at risk',
    berth: 'What Berth does about it',
    you: 'What you do',
    verified: 'How one knows that it is over',
  },
  openNow: 'Findings of this kind now',
  others: 'Other kinds',
} as const
