/**
 * Results in the order of the items. Runs one group at a time; the next starts when the group is complete, which leaves
 * connections to other callers.
 */
export async function mapInBatches<Item, Answer>(
  items: readonly Item[],
  most: number,
  ask: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (let from = 0; from < items.length; from += most)
    answers.push(...(await Promise.all(items.slice(from, from + most).map(ask))))
  return answers
}
