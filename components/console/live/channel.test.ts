import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { StreamItem } from '@/server/api/event/router'
import { type ChannelSources, openChannel, type StreamCallbacks } from './channel'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const beat = (seq: string): StreamItem => ({ is: 'beat', at: 0, seq })
const event = (seq: string): StreamItem => ({
  ...{ is: 'events', seq, events: [{ seq, at: 0, kind: 'host.status', hosts: [], instance: null, migration: null }] },
})

function opened(since: ChannelSources['since'] = async () => [], begin?: string) {
  const streams: { after: string | undefined; told: StreamCallbacks; open: boolean }[] = []
  const heard: string[] = []
  const polled: (string | undefined)[] = []
  const channel = openChannel(
    {
      stream: (after, told) => {
        const stream = { after, told, open: true }
        streams.push(stream)
        return { close: () => void Object.assign(stream, { open: false }) }
      },
      since: (after) => {
        polled.push(after)
        return since(after)
      },
    },
    begin,
    { onItem: ({ seq }, way) => heard.push(`${way} ${seq}`), onLost: () => heard.push('lost') },
  )
  const stream = () => streams.at(-1)!
  return { heard, polled, streams, stream, channel }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

it('begins where its page was made, whichever way is open', async () => {
  const { polled, streams, stream } = opened(async () => [beat('4')], '4')
  stream().told.onCut()
  await pass(500)
  expect(streams.map(({ after }) => after)).toEqual(['4'])
  expect(polled).toEqual(['4'])
})

it('asks nothing while the stream speaks', async () => {
  const { heard, polled, stream } = opened()
  stream().told.onItem(beat('4'))
  stream().told.onItem(event('5'))
  await pass(60_000)
  expect(heard).toEqual(['stream 4', 'stream 5'])
  expect(polled).toEqual([])
})

it('asks every two seconds from where it was while the stream is cut, and no more once it is back', async () => {
  let seq = 5
  const { heard, polled, stream } = opened(async () => [event(String(++seq)), beat(String(seq))])
  stream().told.onItem(event('5'))
  stream().told.onCut()
  stream().told.onCut()
  await pass(2_500)
  expect(polled).toEqual(['5', '6'])
  stream().told.onItem(beat('9'))
  await pass(10_000)
  // Items between the last poll and the stream are requested once.
  expect(polled).toEqual(['5', '6', '7'])
  const polls = ['polling 6', 'polling 6', 'polling 7', 'polling 7']
  expect(heard).toEqual(['stream 5', ...polls, 'stream 9', 'stream 8', 'stream 8'])
})

it('says that it is lost when nobody answers a poll either, and goes on asking', async () => {
  const { heard, polled, stream } = opened(() => Promise.reject(new Error('offline')))
  stream().told.onCut()
  await pass(4_500)
  expect(heard).toEqual(['lost', 'lost', 'lost'])
  expect(polled).toHaveLength(3)
})

it('a poll that hangs is nobody’s failure and does not hold up the next', async () => {
  const { heard, polled, stream } = opened(() => new Promise(() => {}))
  stream().told.onCut()
  await pass(12_500)
  expect(heard).toEqual([])
  expect(polled).toHaveLength(2)
})

it('opens a stream that has ended for good again, after the last item of either way', async () => {
  const { streams, stream } = opened(async () => [beat('9')])
  stream().told.onItem(event('5'))
  stream().told.onEnd()
  await pass(5_500)
  expect(streams.map(({ after }) => after)).toEqual([undefined, '9'])
})

it('polls when a stream says nothing at all', async () => {
  const { heard } = opened(async () => [beat('3')])
  await pass(5_500)
  expect(heard).toEqual(['polling 3'])
})

it('does nothing more once it is closed', async () => {
  const { heard, polled, stream, channel } = opened(async () => [beat('3')])
  stream().told.onCut()
  channel.close()
  await pass(20_000)
  expect(heard).toEqual([])
  expect(polled).toHaveLength(1)
  expect(stream().open).toBe(false)
})

it('rests while nobody looks, and goes on after the last item', async () => {
  const { heard, polled, streams, stream, channel } = opened(async () => [beat('9')])
  stream().told.onItem(event('5'))
  channel.pause()
  expect(stream().open).toBe(false)
  stream().told.onItem(event('6')) // was in flight
  stream().told.onCut()
  stream().told.onEnd()
  await pass(60_000)
  expect(polled).toEqual([])

  channel.resume()
  channel.resume()
  expect(streams.map(({ after }) => after)).toEqual([undefined, '5'])
  stream().told.onItem(event('6'))
  expect(heard).toEqual(['stream 5', 'stream 6'])
})

it('asks no more while it rests though the stream was cut, and asks again when it wakes to a stream that is silent', async () => {
  const { polled, stream, channel } = opened(async () => [beat('4')], '4')
  stream().told.onCut()
  await pass(100)
  channel.pause()
  await pass(60_000)
  expect(polled).toEqual(['4'])
  channel.resume()
  await pass(5_500)
  expect(polled).toEqual(['4', '4'])
})

it('tells what it asked for once more though it rests before the answer, for the stream goes on after it', async () => {
  const answers: ((items: readonly StreamItem[]) => void)[] = []
  const { heard, stream, channel } = opened(() => new Promise((resolve) => answers.push(resolve)), '4')
  stream().told.onCut()
  stream().told.onItem(event('7'))
  channel.pause()
  for (const answer of answers) answer([event('5'), event('6')])
  await pass(0)
  expect(heard).toEqual(['stream 7', 'stream 5', 'stream 6'])
})
