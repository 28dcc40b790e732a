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
  const streams: { after: string | undefined; callbacks: StreamCallbacks; open: boolean }[] = []
  const received: string[] = []
  const polled: (string | undefined)[] = []
  const channel = openChannel(
    {
      stream: (after, callbacks) => {
        const stream = { after, callbacks, open: true }
        streams.push(stream)
        return { close: () => void Object.assign(stream, { open: false }) }
      },
      since: (after) => {
        polled.push(after)
        return since(after)
      },
    },
    begin,
    { onItem: ({ seq }, way) => received.push(`${way} ${seq}`), onLost: () => received.push('lost') },
  )
  const stream = () => streams.at(-1)!
  return { received, polled, streams, stream, channel }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

it('the channel starts at the position of its page, by stream or by poll', async () => {
  const { polled, streams, stream } = opened(async () => [beat('4')], '4')
  stream().callbacks.onCut()
  await pass(500)
  expect(streams.map(({ after }) => after)).toEqual(['4'])
  expect(polled).toEqual(['4'])
})

it('the channel does not poll while the stream delivers', async () => {
  const { received, polled, stream } = opened()
  stream().callbacks.onItem(beat('4'))
  stream().callbacks.onItem(event('5'))
  await pass(60_000)
  expect(received).toEqual(['stream 4', 'stream 5'])
  expect(polled).toEqual([])
})

it('the channel polls every two seconds while the stream is cut, and stops once it is back', async () => {
  let seq = 5
  const { received, polled, stream } = opened(async () => [event(String(++seq)), beat(String(seq))])
  stream().callbacks.onItem(event('5'))
  stream().callbacks.onCut()
  stream().callbacks.onCut()
  await pass(2_500)
  expect(polled).toEqual(['5', '6'])
  stream().callbacks.onItem(beat('9'))
  await pass(10_000)
  // Items between the last poll and the stream are requested once.
  expect(polled).toEqual(['5', '6', '7'])
  const polls = ['polling 6', 'polling 6', 'polling 7', 'polling 7']
  expect(received).toEqual(['stream 5', ...polls, 'stream 9', 'stream 8', 'stream 8'])
})

it('the channel reports lost when polls fail as well, and keeps polling', async () => {
  const { received, polled, stream } = opened(() => Promise.reject(new Error('offline')))
  stream().callbacks.onCut()
  await pass(4_500)
  expect(received).toEqual(['lost', 'lost', 'lost'])
  expect(polled).toHaveLength(3)
})

it('a poll that hangs is not reported as lost and does not delay the next one', async () => {
  const { received, polled, stream } = opened(() => new Promise(() => {}))
  stream().callbacks.onCut()
  await pass(12_500)
  expect(received).toEqual([])
  expect(polled).toHaveLength(2)
})

it('the channel reopens a stream that ended for good, after the last item received', async () => {
  const { streams, stream } = opened(async () => [beat('9')])
  stream().callbacks.onItem(event('5'))
  stream().callbacks.onEnd()
  await pass(5_500)
  expect(streams.map(({ after }) => after)).toEqual([undefined, '9'])
})

it('the channel polls when a stream stays silent', async () => {
  const { received } = opened(async () => [beat('3')])
  await pass(5_500)
  expect(received).toEqual(['polling 3'])
})

it('the channel does nothing after it is closed', async () => {
  const { received, polled, stream, channel } = opened(async () => [beat('3')])
  stream().callbacks.onCut()
  channel.close()
  await pass(20_000)
  expect(received).toEqual([])
  expect(polled).toHaveLength(1)
  expect(stream().open).toBe(false)
})

it('the channel pauses while the page is hidden, and resumes after the last item', async () => {
  const { received, polled, streams, stream, channel } = opened(async () => [beat('9')])
  stream().callbacks.onItem(event('5'))
  channel.pause()
  expect(stream().open).toBe(false)
  stream().callbacks.onItem(event('6')) // was in flight
  stream().callbacks.onCut()
  stream().callbacks.onEnd()
  await pass(60_000)
  expect(polled).toEqual([])

  channel.resume()
  channel.resume()
  expect(streams.map(({ after }) => after)).toEqual([undefined, '5'])
  stream().callbacks.onItem(event('6'))
  expect(received).toEqual(['stream 5', 'stream 6'])
})

it('a paused channel does not poll a cut stream, and polls again when it resumes to a silent one', async () => {
  const { polled, stream, channel } = opened(async () => [beat('4')], '4')
  stream().callbacks.onCut()
  await pass(100)
  channel.pause()
  await pass(60_000)
  expect(polled).toEqual(['4'])
  channel.resume()
  await pass(5_500)
  expect(polled).toEqual(['4', '4'])
})

it('the channel delivers a poll that was sent before the pause, because the stream resumes after it', async () => {
  const answers: ((items: readonly StreamItem[]) => void)[] = []
  const { received, stream, channel } = opened(() => new Promise((resolve) => answers.push(resolve)), '4')
  stream().callbacks.onCut()
  stream().callbacks.onItem(event('7'))
  channel.pause()
  for (const answer of answers) answer([event('5'), event('6')])
  await pass(0)
  expect(received).toEqual(['stream 7', 'stream 5', 'stream 6'])
})
