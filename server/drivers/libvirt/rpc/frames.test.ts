import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeFrame, type Frame, frameReader } from './frames'
import { EVENTS, PROCEDURES, remoteError } from './protocol'

const RUNS = Number(process.env.BERTH_FUZZ ?? 500)

const frame = (over: Partial<Frame> = {}): Frame => ({
  ...{ program: 0x20008086, version: 1, procedure: 59, type: 1, serial: 7, status: 0 },
  payload: new Uint8Array(),
  ...over,
})

const anyFrame = fc
  .record({ procedure: fc.integer({ min: 1, max: 500 }), serial: fc.nat(), payload: fc.uint8Array({ maxLength: 64 }) })
  .map(frame)

const readAll = (bytes: Uint8Array, cuts: readonly number[]): readonly Frame[] => {
  const read = frameReader()
  const frames: Frame[] = []
  let from = 0
  for (const to of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    frames.push(...read(bytes.subarray(from, to)))
    from = to
  }
  return frames
}

const plain = ({ payload, ...head }: Frame) => ({ ...head, payload: [...payload] })

describe('frames on the wire', () => {
  it('have length, header and payload as the protocol defines them', () => {
    const bytes = encodeFrame(frame({ payload: Uint8Array.of(0, 0, 0, 9) }))
    expect(bytes.toString('hex')).toBe('0000002020008086000000010000003b000000010000000700000000' + '00000009')
  })

  it('decode to what was encoded, however the stream is split', () => {
    const property = fc.property(fc.array(anyFrame, { maxLength: 5 }), fc.array(fc.nat()), (frames, cuts) => {
      const bytes = Buffer.concat(frames.map(encodeFrame))
      expect(readAll(bytes, cuts).map(plain)).toEqual(frames.map(plain))
    })
    fc.assert(property, { numRuns: Math.min(RUNS, 2_000) })
  })

  it.each([0, 4, 27, 33_554_437, 0xffff_ffff])('with a length of %d bytes are refused at once', (length) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(length)
    expect(() => frameReader()(bytes)).toThrow("not libvirt's")
  })
})

const domain = { name: 'one', uuid: Uint8Array.from({ length: 16 }, (_, at) => at), id: 3 }
const error = {
  ...{ code: 42, domain: 10, message: 'Domain not found', level: 2, dom: domain, str1: 'x', str2: null, str3: null },
  ...{ int1: -1, int2: 0, net: null },
}
const SAMPLES = [
  [remoteError, remoteError.encode(error)],
  [
    PROCEDURES.connectListAllDomains.reply,
    PROCEDURES.connectListAllDomains.reply.encode({ domains: [domain, domain], ret: 2 }),
  ],
  [PROCEDURES.nodeGetFreePages.reply, PROCEDURES.nodeGetFreePages.reply.encode({ counts: [1n, 2n] })],
  [
    PROCEDURES.domainGetJobStats.reply,
    PROCEDURES.domainGetJobStats.reply.encode({
      type: 2,
      params: [
        { field: 'operation', value: { type: 1, value: 5 } },
        { field: 'memory_total', value: { type: 4, value: 33_554_432n } },
        { field: 'errmsg', value: { type: 7, value: 'none' } },
      ],
    }),
  ],
  [EVENTS.lifecycle.message, EVENTS.lifecycle.message.encode({ callbackId: 1, dom: domain, event: 2, detail: 0 })],
] as const

/** Changes, inserts and removes bytes, as a broken or hostile daemon might. */
const mutation = fc.record({
  sample: fc.nat({ max: SAMPLES.length - 1 }),
  at: fc.nat(),
  remove: fc.nat({ max: 8 }),
  insert: fc.uint8Array({ maxLength: 8 }),
})

describe('payloads', () => {
  it('with mutations decode to a value that round-trips, or fail with a clear error', () => {
    let refused = 0
    const property = fc.property(mutation, ({ sample, at, remove, insert }) => {
      const [type, bytes] = SAMPLES[sample] as (typeof SAMPLES)[number]
      const from = at % bytes.length
      const mutated = Uint8Array.from([...bytes.subarray(0, from), ...insert, ...bytes.subarray(from + remove)])
      try {
        const value = type.decode(mutated)
        expect(type.decode(type.encode(value as never))).toEqual(value)
      } catch (why) {
        refused += 1
        expect((why as Error).message).not.toBe('')
        expect(why).toMatchObject({ name: 'XdrError' })
      }
    })
    fc.assert(property, { numRuns: RUNS, examples: [[{ sample: 0, at: 0, remove: 1, insert: new Uint8Array() }]] })
    expect(refused).toBeGreaterThan(0)
  })

  it('in mutated streams are split without a hang and never exceed their length', () => {
    const whole = encodeFrame(frame({ payload: SAMPLES[1][1] }))
    const property = fc.property(mutation, fc.array(fc.nat()), ({ at, remove, insert }, cuts) => {
      const from = at % whole.length
      const mutated = Buffer.concat([whole.subarray(0, from), insert, whole.subarray(from + remove), whole])
      try {
        const frames = readAll(mutated, cuts)
        expect(frames.reduce((bytes, { payload }) => bytes + payload.length + 28, 0)).toBeLessThanOrEqual(
          mutated.length,
        )
      } catch (why) {
        expect((why as Error).message).toMatch(/not libvirt's/)
      }
    })
    fc.assert(property, { numRuns: RUNS })
  })
})
