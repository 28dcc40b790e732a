import { cleanup, configure, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { HostMapView } from '@/server/api/host/map'
import { HostMap } from './HostMap'

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
// The table loads on demand; preloaded here so that no test waits for the disk.
beforeAll(async () => void (await import('./MapTable')))

const web = { id: 'i-web', name: 'web-1' }
const view: HostMapView = {
  host: { id: 'h', name: 'h-07' },
  seq: '1',
  floatingVcpus: 0,
  devices: [],
  holders: [
    {
      claim: 'c',
      holder: { kind: 'instance', ...web },
      instance: web,
      migration: { id: 'm', operation: 'resize', step: 'verify', direction: 'target' },
      mark: 'incoming',
    },
  ],
  cells: [
    {
      id: 0,
      socket: 0,
      memoryMib: 2048,
      memoryUsedMib: 1024,
      ordinaryMib: 0,
      ordinaryUsedMib: 0,
      memoryBy: [{ holder: 0, amount: 1024 }],
      cores: [
        {
          threads: [
            { id: 0, pool: 'dedicated', holders: [{ holder: 0, use: 'pin', vcpu: 3 }] },
            { id: 8, pool: 'dedicated', holders: [] },
          ],
        },
      ],
      sharedUsed: 0,
      sharedBy: [],
      pages: [
        { sizeKib: 4, total: 0, used: 0, reserved: 0, by: [] },
        { sizeKib: 1_048_576, total: 2, used: 1, reserved: 0, by: [{ holder: 0, amount: 1 }] },
      ],
      devices: [],
      distances: null,
      physnets: [],
    },
  ],
}

afterEach(cleanup)
afterEach(() => void vi.restoreAllMocks())

it('every unit has a full name for screen readers', () => {
  render(<HostMap view={view} as="picture" selectedUnit={null} onSelectUnit={() => {}} />)
  expect(
    screen.getByRole('button', { name: /CPU 0, CPU, NUMA node 0, incoming, web-1, incoming, pinned/ }),
  ).toBeTruthy()
  expect(screen.getByRole('button', { name: /CPU 8, CPU, NUMA node 0, free/ })).toBeTruthy()
  expect(screen.getByRole('meter', { name: '1 GiB pages' }).getAttribute('aria-valuetext')).toBe('1 / 2')
})

it('the map counts vCPUs that are not pinned, and names how many hold a CPU that is held twice', () => {
  const [cell] = view.cells
  if (cell === undefined) throw new Error('the view has a node')
  const twice = [0, 0].map((holder) => ({ holder, use: 'pin', vcpu: 3 }) as const)
  const cores = [{ threads: [{ id: 3, pool: 'dedicated', holders: twice } as const] }]
  const map = { ...view, floatingVcpus: 12, cells: [{ ...cell, cores }] }
  render(<HostMap view={map} as="picture" selectedUnit={null} onSelectUnit={() => {}} />)
  const place = screen.getByRole('button', { name: /^CPU 3, held by 2, CPU, NUMA node 0, held twice/ })
  expect([place.textContent, place.getAttribute('title')]).toEqual(['3', 'CPU 3, held by 2'])
  const counts = within(screen.getByRole('complementary', { name: 'CPU or device' })).getAllByRole('listitem')
  expect(counts.map(({ textContent }) => textContent)).toContain('vCPUs not pinned12')
})

it('arrow keys walk the map as one tab stop; Space pins a unit, and Enter opens its holder', async () => {
  const onKeep = vi.fn()
  render(<HostMap view={view} as="picture" selectedUnit={null} onSelectUnit={onKeep} />)
  await userEvent.tab()
  expect(document.activeElement?.getAttribute('data-place')).toBe('cpu:0')
  expect(screen.getByRole('link', { name: 'web-1' }).getAttribute('href')).toBe('/instances/i-web')
  const opened = vi.fn((event: Event) => event.preventDefault())
  screen.getByRole('link', { name: 'web-1, incoming' }).addEventListener('click', opened)
  await userEvent.keyboard('{Enter}')
  expect(opened).toHaveBeenCalledTimes(1)
  expect(onKeep).not.toHaveBeenCalled()
  await userEvent.keyboard(' ')
  expect(onKeep).toHaveBeenCalledWith('cpu:0')
  await userEvent.keyboard('{End}')
  expect(document.activeElement?.getAttribute('data-place')).toBe('cpu:8')
  await userEvent.keyboard('{Enter}')
  expect(onKeep).toHaveBeenLastCalledWith('cpu:8')
  await userEvent.keyboard('{Home}')
  expect(document.activeElement?.getAttribute('data-place')).toBe('cpu:0')
})

it('the map highlights everything that an instance holds, from either end', async () => {
  // jsdom has no layout, and lines are drawn only to visible instances.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(20 * [...document.querySelectorAll('*')].indexOf(this), 0, 10, 10)
  })
  const { container } = render(<HostMap view={view} as="picture" selectedUnit={null} onSelectUnit={() => {}} />)
  const hot = () => [...container.querySelectorAll('[data-hot]')].map((element) => element.tagName)
  await userEvent.hover(screen.getByRole('button', { name: /CPU 0/ }))
  const fromPlace = hot()
  expect(fromPlace.sort()).toEqual(['BUTTON', 'LI', 'SPAN', 'SPAN'])
  await userEvent.hover(screen.getByRole('link', { name: 'web-1, incoming' }))
  expect(hot().sort()).toEqual(fromPlace)
  expect(container.querySelectorAll('circle[stroke="none"]')).toHaveLength(3)
})

it('the table view has the same content as the map', async () => {
  render(<HostMap view={view} as="table" selectedUnit={null} onSelectUnit={() => {}} />)
  expect(await screen.findByRole('row', { name: /cpu:0.*incoming.*web-1.*pinned, vCPU 3.*resize/ })).toBeTruthy()
  expect(screen.getByRole('row', { name: /cpu:8.*free/ })).toBeTruthy()
})
