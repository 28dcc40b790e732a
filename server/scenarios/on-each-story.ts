import { beforeEach, expect } from 'vitest'
import { newStory, type Story, type StoryOptions } from './story'

/**
 * A new story for each test of a file, which must end without findings unless `mayEndWrong`. It is empty until the
 * first test, so use and destructure it only inside tests and hooks.
 */
export function onEachStory(options: StoryOptions, { mayEndWrong = false } = {}): Story {
  const story = {} as Story
  beforeEach(async () => {
    Object.assign(story, await newStory(options))
    return async () => {
      if (!mayEndWrong) expect(await story.findings()).toEqual([])
      await story.close()
    }
  })
  return story
}
