import { expect, test } from 'vitest'
import { exposureWarning } from './exposure'

test.each<[env: Record<string, string>, says: RegExp | null]>([
  [{}, null],
  [{ HOST: '127.0.0.1' }, null],
  [{ HOST: '::1' }, null],
  [{ HOST: '0.0.0.0' }, /listens on 0\.0\.0\.0 without TLS.*Put a proxy/],
  [{ HOST: '::' }, /listens on :: without TLS/],
  [{ HOST: '0.0.0.0', BERTH_URL: 'http://berth.test' }, /without TLS/],
  [{ HOST: '0.0.0.0', BERTH_TRUSTED_PROXIES: '10.0.0.1' }, /Set BERTH_URL to the https address/],
  [{ HOST: '0.0.0.0', BERTH_URL: 'https://berth.test' }, null],
])('with %j startup warns %s', (env, says) => {
  if (says === null) expect(exposureWarning(env)).toBeNull()
  else expect(exposureWarning(env)).toMatch(says)
})
