import { expect, SIGNED_OUT, test } from './console'
import { expectDisabled } from './disabled'
import { openInstance } from './operator-actions'
import { rowNamed } from './table'
import { ADMIN, fillSignIn, makePerson, signIn } from './users'

const VIEWER = { username: 'vera', password: 'vera-only-looks' }
const TO_OPERATOR = 'Your role is viewer; this needs operator.'

test.describe('an anonymous user', () => {
  test.use({ storageState: SIGNED_OUT })

  test('is asked to sign in and then gets the requested page', async ({ page }) => {
    await page.goto('/hosts?q=std')
    await expect(page).toHaveURL('/sign-in?next=%2Fhosts%3Fq%3Dstd')

    await fillSignIn(page, { ...ADMIN, password: 'not-my-password' })
    await expect(page.getByRole('alert').filter({ hasText: 'Wrong username' })).toHaveText(
      'Wrong username or password.',
    )
    await expect(page).toHaveURL(/\/sign-in/)

    await fillSignIn(page, ADMIN)
    await expect(page).toHaveURL('/hosts?q=std')
    await expect(rowNamed(page.getByRole('table', { name: 'Hosts' }), 'std-01')).toBeVisible()
  })

  test('can type before the script of the page has loaded', async ({ page }) => {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route(/\.js(\?|$)/, async (route) => {
      await arrived
      await route.continue()
    })
    await page.goto('/sign-in', { waitUntil: 'commit' })
    await expect(page.getByLabel('Username')).toBeFocused()
    await page.keyboard.type(ADMIN.username)
    await page.keyboard.press('Tab')
    await page.keyboard.type(ADMIN.password)
    arrive()
    await page.waitForLoadState('networkidle')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  })

  test('cannot learn which names exist', async ({ page }) => {
    await page.goto('/sign-in')
    await fillSignIn(page, { username: 'nobody', password: 'not-my-password' })
    await expect(page.getByText('Wrong username or password.')).toBeVisible()
  })

  test('sees no page after signing out, whatever the address', async ({ page }) => {
    await page.goto('/sign-in')
    await fillSignIn(page, ADMIN)
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()

    await page.getByRole('button', { name: 'Administrator, Admin' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL('/sign-in')
    await page.goto('/migrations?view=waiting')
    await expect(page).toHaveURL('/sign-in?next=%2Fmigrations%3Fview%3Dwaiting')
  })
})

test('a viewer sees every action in its place, disabled with the reason', async ({ request, browser }) => {
  await makePerson(request, 'viewer', VIEWER)
  const context = await browser.newContext({ storageState: SIGNED_OUT })
  const viewer = await context.newPage()
  await signIn(context.request, VIEWER)

  await openInstance(viewer, 'web-01')
  await expectDisabled(viewer.getByRole('button', { name: 'Live-migrate' }), TO_OPERATOR)
  await viewer.getByRole('button', { name: 'More actions' }).click()
  const actions = viewer.getByRole('menu', { name: 'More actions' })
  for (const action of ['Cold-migrate', 'Resize', 'Evacuate', 'Rebuild', 'Unshelve', 'Delete web-01']) {
    await expect(actions.getByRole('menuitem', { name: action })).toContainText(`Unavailable: ${TO_OPERATOR}`)
  }
  const remove = actions.getByRole('menuitem', { name: 'Delete web-01' })
  await expect(remove).toHaveAttribute('aria-disabled', 'true')
  // Pressed all the same, it does nothing, and its reason stays legible.
  await remove.click({ force: true })
  await expect(viewer.getByRole('alertdialog')).toHaveCount(0)
  await expect(remove).toBeVisible()

  await viewer.goto('/instances')
  await expectDisabled(viewer.getByRole('button', { name: 'Build instance' }), TO_OPERATOR)
  await viewer.goto('/hosts?q=std-01')
  await viewer.getByRole('link', { name: 'std-01', exact: true }).click()
  await viewer.getByRole('button', { name: 'Host actions' }).click()
  await expect(viewer.getByRole('menuitem', { name: 'Disable scheduling' })).toContainText(
    `Unavailable: ${TO_OPERATOR}`,
  )
  await viewer.keyboard.press('Escape')
  await viewer.getByRole('tab', { name: 'Facts' }).click()
  await expectDisabled(viewer.getByRole('button', { name: 'Go silent' }), TO_OPERATOR)
  await context.close()
})
