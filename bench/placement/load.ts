import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { performance } from 'node:perf_hooks'

// Load on a Placement API, Berth's or a real one: creates a small cloud, then sends each kind of request from
// concurrent clients. All names and ids are new, so existing objects stay untouched.

export interface Load {
  readonly requests: number
  /** In ms, each request including its retries. */
  readonly latencies: readonly number[]
  readonly elapsedMs: number
}

export interface Phase {
  readonly name: string
  /** Prepares what the phase needs, then measures the requests. Throws on an unexpected response. */
  run(requests: number, measure: Measure): Promise<void>
}

/** Sends a number of concurrent requests; returns the measurement. */
export type Measure = (clients: number, requests: number, send: (at: number) => Promise<void>) => Promise<void>

interface Answer {
  readonly status: number
  readonly text: string
}

const UNIT = { VCPU: 1, MEMORY_MB: 256, DISK_GB: 10 }
const ROOMY = {
  VCPU: { total: 64, allocation_ratio: 4, max_unit: 64 },
  MEMORY_MB: { total: 262_144, reserved: 512, max_unit: 262_144 },
  DISK_GB: { total: 4_000, max_unit: 4_000 },
}
const MAKERS = 8 // clients that prepare what a phase needs
const SHOWN = 200 // characters of an unexpected response

/** One service under load. */
export class PlacementLoad {
  readonly #base: URL
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  readonly #owner = randomUUID()
  #providers: readonly string[] = []

  constructor(base: string) {
    this.#base = new URL(base)
  }

  async makeProviders(many: number): Promise<void> {
    const made: string[] = []
    await inTurns(MAKERS, many, async () => {
      made.push(await this.#provider(ROOMY))
    })
    this.#providers = made
  }

  phases(): readonly Phase[] {
    return [
      ...[1, 8, 32].map((clients) => this.#claims(clients)),
      this.#hot(32),
      this.#refused(),
      ...[1, 8].map((clients) => this.#migrations(clients)),
      ...[1, 8].map((clients) => this.#usages(clients)),
    ]
  }

  close(): void {
    this.#agent.destroy()
  }

  #claims(clients: number): Phase {
    const name = `PUT allocations, ${clients} ${clients === 1 ? 'client' : 'clients'}`
    const run = (requests: number, measure: Measure) =>
      measure(clients, requests, (at) => this.#claim(randomUUID(), this.#providerAt(at)))
    return { name, run }
  }

  /** All claims on one provider with exactly enough capacity; conflicts are retried. */
  #hot(clients: number): Phase {
    const run = async (requests: number, measure: Measure) => {
      const provider = await this.#provider(
        Object.fromEntries(Object.entries(UNIT).map(([of, amount]) => [of, { total: amount * requests }])),
      )
      await measure(clients, requests, async () => {
        const consumer = randomUUID()
        const tries = () => this.#send('PUT', `/allocations/${consumer}`, this.#holding(provider, null))
        let answer = await tries()
        while (answer.status === 409) answer = await tries()
        expectStatus(answer, 204)
      })
      const usages = JSON.parse((await this.#send('GET', `/resource_providers/${provider}/usages`)).text).usages
      if (usages.VCPU !== requests) throw new Error(`${requests} claims were acknowledged, usages show ${usages.VCPU}`)
      const more = await this.#send('PUT', `/allocations/${randomUUID()}`, this.#holding(provider, null))
      if (more.status !== 409) throw new Error('a full provider accepted one more claim')
    }
    return { name: `${clients} writers on one provider`, run }
  }

  /** The database refuses each, because the generation is outdated. */
  #refused(): Phase {
    const run = async (requests: number, measure: Measure) => {
      const path = `/resource_providers/${await this.#provider(ROOMY)}/inventories`
      const body = { resource_provider_generation: 0, inventories: ROOMY }
      await measure(1, requests, async () => expectStatus(await this.#send('PUT', path, body), 409))
    }
    return { name: 'PUT inventories, refused, 1 client', run }
  }

  /** In one request the migration takes over the instance's allocations and the instance gets new ones elsewhere. */
  #migrations(clients: number): Phase {
    const run = async (requests: number, measure: Measure) => {
      const instances = Array.from({ length: requests }, () => randomUUID())
      await inTurns(MAKERS, requests, (at) => this.#claim(instances[at] as string, this.#providerAt(at)))
      const generation = JSON.parse((await this.#send('GET', `/allocations/${instances[0]}`)).text).consumer_generation
      await measure(clients, requests, async (at) => {
        const body = {
          [randomUUID()]: this.#holding(this.#providerAt(at), null),
          [instances[at] as string]: this.#holding(
            this.#providerAt(at + 1 + (this.#providers.length >> 1)),
            generation,
          ),
        }
        expectStatus(await this.#send('POST', '/allocations', body), 204)
      })
    }
    return { name: `POST allocations, a migration, ${clients} ${clients === 1 ? 'client' : 'clients'}`, run }
  }

  #usages(clients: number): Phase {
    const run = (requests: number, measure: Measure) =>
      measure(clients, requests, async (at) => {
        expectStatus(await this.#send('GET', `/resource_providers/${this.#providerAt(at * 7)}/usages`), 200)
      })
    return { name: `GET usages, ${clients} ${clients === 1 ? 'client' : 'clients'}`, run }
  }

  #providerAt = (at: number) => this.#providers[at % this.#providers.length] as string

  async #provider(inventories: Readonly<Record<string, object>>): Promise<string> {
    const uuid = randomUUID()
    const path = `/resource_providers/${uuid}`
    const name = `bench-${uuid}`
    expectStatus(await this.#send('POST', '/resource_providers', { uuid, name }), 200)
    const shape = { resource_provider_generation: 0, inventories }
    expectStatus(await this.#send('PUT', `${path}/inventories`, shape), 200)
    return uuid
  }

  async #claim(consumer: string, provider: string): Promise<void> {
    expectStatus(await this.#send('PUT', `/allocations/${consumer}`, this.#holding(provider, null)), 204)
  }

  #holding = (provider: string, generation: number | null) => ({
    ...{ allocations: { [provider]: { resources: UNIT } }, consumer_generation: generation },
    ...{ project_id: this.#owner, user_id: this.#owner },
  })

  async #send(method: string, path: string, body?: unknown): Promise<Answer> {
    const payload = body === undefined ? null : JSON.stringify(body)
    for (let tries = 1; ; tries++) {
      try {
        return await this.#once(method, path, payload)
      } catch (error) {
        // The service has just closed a keep-alive connection, so it never received the request.
        if (!(error as { reused?: boolean }).reused || tries === 3) throw error
      }
    }
  }

  #once(method: string, path: string, payload: string | null): Promise<Answer> {
    const headers = {
      ...{ 'x-auth-token': 'admin', accept: 'application/json', 'openstack-api-version': 'placement 1.28' },
      ...(payload !== null && {
        ...{ 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(payload)) },
      }),
    }
    const { hostname, port, pathname } = this.#base
    const where = { hostname, port, method, path: pathname.replace(/\/$/, '') + path }
    return new Promise((resolve, reject) => {
      const request = http.request({ ...where, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        )
        response.on('error', reject)
      })
      request.on('error', (error) => reject(Object.assign(error, { reused: request.reusedSocket })))
      request.end(payload ?? undefined)
    })
  }
}

function expectStatus({ status, text }: Answer, expected: number): void {
  if (status !== expected) throw new Error(`answered ${status}, not ${expected}: ${text.slice(0, SHOWN)}`)
}

/** Runs the work `count` times, `many` at a time. */
async function inTurns(many: number, count: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: Math.min(many, count) }, async () => {
      while (next < count) await work(next++)
    }),
  )
}

export async function loadOf(clients: number, requests: number, send: (at: number) => Promise<void>): Promise<Load> {
  const latencies: number[] = []
  const begun = performance.now()
  await inTurns(clients, requests, async (at) => {
    const sent = performance.now()
    await send(at)
    latencies.push(performance.now() - sent)
  })
  return { requests, latencies: latencies.sort((a, b) => a - b), elapsedMs: performance.now() - begun }
}
