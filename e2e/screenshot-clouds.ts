import type { Browser, BrowserContextOptions } from '@playwright/test'
import { mutateApi, queryApi } from './api'
import { CapturedHost } from './captured-host'
import { addHost, type CloudFiles } from './cloud-console'
import { ReplayedCloud } from './replayed-cloud'

// Two clouds for the screenshots. In one of them actions are allowed: instances have lost their allocations, one host
// is down, and libvirt is read on another.

/** One finding is repaired per folder of screenshots. */
const INSTANCES = 45
const HOSTS = 3
const LOST = 12
const READ_HOST = 'cmp1'
const PINNED = [
  [1, 3],
  [3, 4],
]
const FOREIGN_UUID = '6f7c8f1e-6b1f-4c3e-9a51-0000000000ff'
/** Two observations at least 30 s apart must agree. */
const FINDINGS_WITHIN_MS = 150_000
const WAIT_MS = 3_000

export class ShownCloud {
  readonly machine = new CapturedHost()
  private readonly cloud = new ReplayedCloud()
  files: CloudFiles = { clouds: '', secure: '' }

  async start(): Promise<void> {
    const [files] = await Promise.all([this.cloud.start(HOSTS, INSTANCES), this.machine.start()])
    this.files = files
  }

  /** Adds the clouds as an admin does, and returns the id of the first one once it has findings. */
  async watchedBy(browser: Browser, signedIn: BrowserContextOptions): Promise<string> {
    const context = await browser.newContext(signedIn)
    const { request } = context
    const upload = { ...this.files, ca: null, cloud: null, region: null, interface: null }
    const add = (name: string) =>
      mutateApi<{ cloud: string }>(request, 'cloud.add', { name, upload, reason: 'pictures' })
    const { cloud: id } = await add('prod-eu-1')
    await add('staging')
    await mutateApi(request, 'cloud.change', { id, mayAct: true, reason: 'repairs of the night' })
    const instances = await someOf(() => queryApi<Rows>(request, 'cloud.instances', { id }))
    const here = instances.filter(({ host }) => host === READ_HOST).toReversed()
    // One instance has no domain, one domain has no instance, and one CPU is pinned twice.
    const domains = here.slice(1).map(({ id: uuid, name }, nth) => ({ uuid, name, cpus: PINNED[nth] ?? [] }))
    await this.machine.become(READ_HOST, [...domains, { uuid: FOREIGN_UUID, name: 'instance-000000ff', cpus: [6] }])
    await addHost(await context.newPage(), READ_HOST)
    for (let at = 0; at < LOST; at++) this.cloud.change('lose')
    this.cloud.change('migrate')
    this.cloud.change('die')
    await someOf(() => queryApi<Rows>(request, 'cloud.findings', { id }))
    await context.close()
    return id
  }

  async stop(): Promise<void> {
    await Promise.all([this.cloud.stop(), this.machine.stop()])
  }
}

interface Rows {
  readonly rows: readonly { readonly id: string; readonly name: string; readonly host: string }[]
}

/** Waits until there are rows. */
async function someOf(rowsOf: () => Promise<Rows>): Promise<Rows['rows']> {
  for (const end = Date.now() + FINDINGS_WITHIN_MS; Date.now() < end; ) {
    const { rows } = await rowsOf()
    if (rows.length > 0) return rows
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
  throw new Error('the cloud of the pictures shows nothing')
}
