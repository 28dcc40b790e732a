import { TRPCError } from '@trpc/server'
import { yieldToEventLoop } from '../../audit/event-loop'

// Limits the concurrent calls and streams of one user across tabs, batches and programs, so that one user cannot take
// all connections to the database. Excess calls queue.

export interface SlotLimits {
  /** Calls under way. The pool has more connections than that, and migrations need some. */
  readonly running: number
  /** Queue length; further calls are refused. */
  readonly waiting: number
}

const LIMITS: SlotLimits = { running: 10, waiting: 1_000 }

export interface CallSlots {
  /** Waits for a slot, runs, releases the slot. Throws 429 when the queue is full. */
  withSlot<T>(person: string, run: () => Promise<T>): Promise<T>
}

interface Queue {
  running: number
  readonly waiting: (() => void)[]
}

export function makeCallSlots(limits: SlotLimits = LIMITS): CallSlots {
  const queues = new Map<string, Queue>()
  const take = async (person: string): Promise<Queue> => {
    const queue = queues.get(person) ?? { running: 0, waiting: [] }
    queues.set(person, queue)
    if (queue.running < limits.running) {
      queue.running++
      return queue
    }
    if (queue.waiting.length >= limits.waiting)
      throw tooMany('You have too many requests in progress. Wait until some finish.')
    await new Promise<void>((resolve) => queue.waiting.push(resolve))
    await yieldToEventLoop() // yields to other users between two calls of one user
    return queue
  }
  const giveOn = (person: string, queue: Queue) => {
    const next = queue.waiting.shift()
    if (next) next()
    else if (--queue.running === 0) queues.delete(person)
  }
  return {
    withSlot: async (person, run) => {
      const queue = await take(person)
      try {
        return await run()
      } finally {
        giveOn(person, queue)
      }
    },
  }
}

export interface StreamLimits {
  readonly perPerson: number
  readonly perAddress: number
}

/** Enough for a control room with one account on many screens, not for a program that opens streams without end. */
const STREAM_LIMITS: StreamLimits = { perPerson: 250, perAddress: 1_000 }

export interface StreamCounts {
  /** Returns the function that releases the slot. Throws 429 when the user or the address has too many. */
  take(person: string, address: string): () => void
  /** How many are open on this server. */
  open(): number
}

export function makeStreamCounts({ perPerson, perAddress }: StreamLimits = STREAM_LIMITS): StreamCounts {
  const counts = new Map<string, number>()
  let open = 0
  const change = (key: string, by: 1 | -1) => {
    const count = (counts.get(key) ?? 0) + by
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }
  return {
    take: (person, address) => {
      const keys = [`person ${person}`, `address ${address}`] as const
      const isFull = (counts.get(keys[0]) ?? 0) >= perPerson || (counts.get(keys[1]) ?? 0) >= perAddress
      if (isFull) throw tooMany('Too many event streams are open. Close some, or ask for events every two seconds.')
      for (const key of keys) change(key, 1)
      open++
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        open--
        for (const key of keys) change(key, -1)
      }
    },
    open: () => open,
  }
}

const tooMany = (message: string) => new TRPCError({ code: 'TOO_MANY_REQUESTS', message })
