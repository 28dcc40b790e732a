export const bundleWords = {
  button: 'Support bundle',
  making: 'Collecting',
  done: 'Support bundle saved',
  doneMore: (name: string) => `${name} has all of its data, without secrets.`,
} as const
