import { describe, expect, it } from 'vitest'
import { federationFrom } from './settings'

const OIDC = { BERTH_OIDC_ISSUER: 'https://login.test', BERTH_OIDC_CLIENT_ID: 'berth', BERTH_OIDC_ROLES: 'a=admin' }

describe('settings of identity providers', () => {
  it('are absent by default', () => {
    expect(federationFrom({})).toEqual({ oidc: null, keystone: null })
  })

  it('accept groups with any character but a comma', () => {
    const { oidc } = federationFrom({
      ...OIDC,
      BERTH_OIDC_ROLES: 'cn=ops,/team/on-call = operator , x=viewer'.replace(',', ';'),
    })
    expect([...(oidc?.roles ?? [])]).toEqual([
      ['cn=ops;/team/on-call', 'operator'],
      ['x', 'viewer'],
    ])
  })

  it.each([
    [{ BERTH_OIDC_CLIENT_ID: '' }, 'BERTH_OIDC_CLIENT_ID'],
    [{ BERTH_OIDC_ISSUER: 'http://login.test' }, 'BERTH_OIDC_ISSUER'],
    [{ BERTH_OIDC_ISSUER: 'login.test' }, 'BERTH_OIDC_ISSUER'],
    [{ BERTH_OIDC_ROLES: '' }, 'BERTH_OIDC_ROLES is not set'],
    [{ BERTH_OIDC_ROLES: 'a=root' }, 'a=root'],
    [{ BERTH_OIDC_ROLES: 'a=admin,b' }, 'BERTH_OIDC_ROLES'],
    [{ BERTH_KEYSTONE_SIGN_IN_URL: 'ftp://cloud' }, 'BERTH_KEYSTONE_SIGN_IN_URL'],
  ])('refuse %o and name the variable', (wrong, named) => {
    expect(() => federationFrom({ ...OIDC, ...wrong })).toThrow(named)
  })
})
