/**
 * Answers in the order of the items. So many are asked for at a time; the next group starts when all of one are answered,
 * which leaves connections to other callers.
 */
export async function inGroups<Item, Answer>(
  items: readonly Item[],
  most: number,
  ask: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (let from = 0; from < items.length; from += most)
    answers.push(...(await Promise.all(items.slice(from, from + most).map(ask))))
  return answers
}
