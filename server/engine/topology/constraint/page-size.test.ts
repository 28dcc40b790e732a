import { expect, it } from 'vitest'
import { PAGE_ANY, PAGE_LARGE, PAGE_SMALL } from '../../words/units'
import { parsePageSize } from './page-size'

const check = (text: string, kib: number | null) =>
  it(`parsePageSize reads ${JSON.stringify(text)}`, () => expect(parsePageSize(text)).toBe(kib))

check('small', PAGE_SMALL)
check('large', PAGE_LARGE)
check('any', PAGE_ANY)
check('2048', 2048)
check('2048KB', 2048)
check('2MB', 2048)
check('2MiB', 2048)
check('1GB', 1_048_576)
check('2.5MB', 2560)
check('2Mb', 256)
check('2M', null)
check('1G', null)
check('2kB', null)
check('huge', null)
check('', null)
check('constructor', null)
