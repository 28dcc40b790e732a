import type { Capability, Role } from '@/server/api/permit/roles'
import type { TokenView } from '@/server/api/token/router'
import type { ScopesView } from '@/server/api/user/grants'
import type { RightScope } from '@/server/api/user/rights'
import type { BadgeContent } from '../ui/Badge'

interface RoleWords {
  readonly label: string
  readonly detail: string
}

export const roleWords: Readonly<Record<Role, RoleWords>> = {
  viewer: { label: 'Viewer', detail: 'Reads every page.' },
  support: { label: 'Support', detail: 'Reads every page and the audit log, and requests approval for actions.' },
  operator: { label: 'Operator', detail: 'Starts and controls migrations, and repairs records.' },
  admin: { label: 'Admin', detail: 'Also manages settings, the catalog and users.' },
}

/** The capabilities of a role, in the order of the table. */
export const capabilityWords: Readonly<Record<Capability, string>> = {
  read: 'Read hosts, instances, migrations and tasks',
  self: 'Save views and end sessions of their own',
  share: 'Share a saved view with everybody',
  investigate: 'Explain, events, audit log and support bundles',
  propose: 'Run an audit, plan a repair, request an approval',
  operate: 'Migrations, host actions, builds, deletions and repairs',
  approve: 'Approve what somebody else requested',
  automate: 'Switch automatic repair on and off',
  configure: 'Change settings and the catalog',
  administer: 'Users, sessions and API tokens',
}

export const accessWords = {
  title: 'Users and tokens',
  facts: 'Who may sign in, which programs may call, and what each role may do.',
} as const

export const rightWords = {
  title: 'Roles',
  about:
    'The server enforces this table for every request. A role can apply to a zone, a host or a cloud only; everybody who is signed in still reads the whole fleet. Users cannot approve their own requests.',
  what: 'the roles',
  may: 'May',
  from: 'Minimum role',
  yes: 'yes',
  no: 'no',
  scope: 'Role must hold',
} as const

export const rightScopeWords: Readonly<Record<RightScope, string>> = {
  parts: 'where the object is',
  some: 'where it is, or everywhere',
  everywhere: 'everywhere',
  any: 'in any part of the fleet',
}

export const grantWords = {
  title: 'Scoped roles',
  about: (name: string) =>
    `${name} reads the whole fleet whatever is granted here. A migration needs the role on both hosts; settings, flavors, users and tokens need it everywhere.`,
  none: 'None.',
  role: 'Role',
  scope: 'Zone, cloud or host',
  add: 'Add',
  remove: (grant: string) => `Remove ${grant}`,
  chooseScope: 'Choose a zone, a cloud or a host.',
  unchanged: 'Add or remove a role first.',
  in: {
    zone: (name: string) => `zone ${name}`,
    cloud: (name: string) => `cloud ${name}`,
    host: (name: string) => `host ${name}`,
  } satisfies Record<keyof ScopesView, (name: string) => string>,
  label: (role: string, where: string) => `${role} in ${where}`,
  change: 'Change scoped roles',
  changeOf: (name: string) => `Scoped roles of ${name}`,
  done: (name: string) => `Scoped roles of ${name} changed`,
} as const

/** `Operator in zone az1`. */
export function grantLabel(grant: string): string {
  const [role = '', rest = ''] = split(grant, '@')
  const [kind = '', name = ''] = split(rest, ':')
  const at = grantWords.in[kind as keyof ScopesView]?.(name) ?? rest
  return grantWords.label(roleWords[role as Role]?.label ?? role, at)
}

/** Null if empty. */
export const grantsLabel = (grants: readonly string[]): string | null => grants.map(grantLabel).join(', ') || null

export const rolesLabel = (role: string, grants: readonly string[]): string =>
  [role, ...grants.map(grantLabel)].join(', ')

function split(text: string, by: string): readonly [string, string] {
  const at = text.indexOf(by)
  return [text.slice(0, at), text.slice(at + 1)]
}

export const userWords = {
  title: 'Users',
  about: 'Who may sign in, and with which role.',
  what: 'users',
  onlyAdmins: 'Only an admin sees and manages users.',
  columns: {
    username: 'Username',
    role: 'Role',
    grants: 'Scoped roles',
    by: 'Signs in with',
    name: 'Name',
    email: 'Email',
    since: 'Added',
    actions: 'Actions',
  },
  by: { password: 'password', oidc: 'OpenID Connect', keystone: 'Keystone' },
  passwordAndCode: 'password + code',
  orPasskey: (by: string) => `${by}, or passkey`,
  roleByGroups: (by: string) => `The role comes from the groups at the provider (${by}), at each sign-in.`,
  resetCode: 'Reset two-factor',
  resetCodeOf: (name: string) => `Reset the two-factor sign-in of ${name}`,
  resetsCode: (name: string) =>
    `The authenticator app and every passkey of ${name} stop working, and the password alone is enough until ${name} sets one up again. First make sure that it is ${name} who asks.`,
  codeReset: (name: string) => `Two-factor sign-in of ${name} reset`,
  roleOf: (name: string) => `Role of ${name}`,
  add: 'Add user',
  password: 'Set password',
  passwordOf: (name: string) => `Set the password of ${name}`,
  newPassword: 'New password',
  passwordHelp: 'At least 12 characters. It ends every session of this user.',
  firstPassword: 'First password',
  firstHelp: 'At least 12 characters. Hand it over in person and have the user change it.',
  usernameHelp: '3 to 30 lower-case letters, digits, dots or underscores.',
  changeRole: 'Change role',
  changesRole: (name: string, from: string, to: string) => `${name} is ${from} and becomes ${to}.`,
  roleDone: (name: string, role: string) => `${name} has the role ${role} now`,
  added: (name: string) => `${name} added`,
  passwordDone: (name: string) => `The password of ${name} is set`,
  fill: 'Fill in every field.',
  chooseRole: 'Choose another role.',
  enterPassword: 'Enter a password.',
  none: 'No users',
  remove: 'Remove user',
  removeOf: (name: string) => `Remove ${name}`,
  removes: (name: string) =>
    `${name} is signed out everywhere and cannot sign in again. Saved views of ${name} are removed. The audit log keeps every entry.`,
  revokesTokens: (name: string, tokens: readonly string[]) =>
    `Tokens that act for ${name} are revoked${tokens.length > 0 ? `: ${tokens.join(', ')}. Programs that use them are refused` : ''}.`,
  removed: (name: string) => `${name} removed`,
  menu: (name: string) => `Actions for ${name}`,
} as const

export const sessionListWords = {
  open: 'Sessions',
  title: (name: string) => `Sessions of ${name}`,
  what: 'sessions',
  none: 'Not signed in anywhere',
  columns: {
    browser: 'Browser',
    address: 'From',
    since: 'Signed in',
    expires: 'Expires',
    actions: 'Actions',
  },
  unknown: 'unknown',
  isThis: 'this session',
  end: 'End session',
  endAll: 'End all sessions',
  ends: (from: string) => `The browser at ${from} is signed out within a second. Running tasks continue.`,
  endsAll: (name: string) =>
    `${name} is signed out everywhere, except in the session that you use now. Running tasks continue.`,
  ended: (n: number) => (n === 1 ? '1 session ended' : `${n} sessions ended`),
} as const

export const tokenWords = {
  title: 'API tokens',
  about: 'Programs send a token as X-Auth-Token. It is shown once; the database keeps only its hash.',
  what: 'API tokens',
  onlyAdmins: 'Only an admin sees and manages API tokens.',
  none: 'No API tokens',
  add: 'Create token',
  columns: {
    name: 'Name',
    role: 'Role',
    grants: 'Scoped roles',
    project: 'Project',
    account: 'Acts for',
    state: 'State',
    created: 'Created',
    expires: 'Expires',
    actions: 'Actions',
  },
  never: 'never',
  nameHelp: '2 to 60 lower-case letters, digits, dots, dashes or underscores. Names are unique.',
  projectHelp: 'Optional: a token of role viewer may read the usages of this project.',
  accountHelp:
    'Username; yours if empty. That user cannot approve what the token requests. The token is revoked when the user is removed.',
  days: 'Expires after (days)',
  noExpiry: 'Never expires',
  createdTitle: 'Token created',
  once: 'Copy it now: it is not shown again.',
  tokenOf: (name: string) => `Token ${name}`,
  close: 'Close',
  fill: 'Enter a name and a reason.',
  revoke: 'Revoke token',
  revokeOf: (name: string) => `Revoke ${name}`,
  revokes: (name: string) =>
    `Programs that use ${name} are refused within five seconds. A revoked token never works again.`,
  revoked: (name: string) => `${name} revoked`,
} as const

export const tokenBadges: Readonly<Record<TokenView['state'], BadgeContent>> = {
  'in-force': { shape: 'tick', tone: 'ok', label: 'valid' },
  expired: { shape: 'cross', tone: 'idle', label: 'expired' },
  revoked: { shape: 'cross', tone: 'idle', label: 'revoked' },
}
