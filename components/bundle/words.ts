export const bundleWords = {
  button: 'Support bundle',
  making: 'Collecting',
  done: 'Support bundle saved',
  doneMore: (name: string) => `${name}: everything about it, without secrets.`,
} as const
