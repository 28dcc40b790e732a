import { expect, test } from './console'
import { expectRow } from './table'

// Free capacity, and how many more of each flavor fit.

test('capacity shows how many more of each flavor fit, and links to what limits them', async ({ page }) => {
  await page.goto('/capacity')
  await expectRow(page.getByRole('table', { name: 'By resource class' }), { Class: 'PCPU', Free: /\d/ })
  const flavors = page.getByRole('table', { name: 'Fragmentation' })
  await expectRow(flavors, { Flavor: 's1.small', Fleet: /\d/ })
  await flavors.getByRole('link', { name: 's1.small' }).click()
  await expect(page.getByRole('region', { name: 'Funnel' })).toBeVisible()
})
