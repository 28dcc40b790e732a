import type { APIRequestContext, Page } from '@playwright/test'

// Users of the console, and how they sign in.

export interface Person {
  readonly username: string
  readonly password: string
}

/** Created at the first start, from BERTH_ADMIN_PASSWORD. */
export const ADMIN: Person = { username: 'admin', password: 'opens-the-e2e-fleet' }

/** Signs in without a page, for specs about something else. */
export async function signIn(request: APIRequestContext, { username, password }: Person): Promise<void> {
  const answer = await request.post('/api/auth/sign-in/username', { data: { username, password } })
  if (!answer.ok()) throw new Error(`${username} could not sign in: ${answer.status()} ${await answer.text()}`)
}

/** Fills in the form as a user does. */
export async function fillSignIn(page: Page, { username, password }: Person): Promise<void> {
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Uses the API, for specs about something else; an existing user stays unchanged. */
export async function makePerson(request: APIRequestContext, role: string, person: Person): Promise<void> {
  const { username, password } = person
  const data = { username, password, role, name: username, email: `${username}@example.org` }
  const answer = await request.post('/api/trpc/user.create', { data })
  const responseText = await answer.text()
  if (answer.ok() || responseText.includes('a user with this name')) return
  throw new Error(`${username} was not made: ${answer.status()} ${responseText}`)
}
