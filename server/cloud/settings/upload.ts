import { X509Certificate } from 'node:crypto'
import { type CloudSettings, type Interface, readCloud, regionNames } from './cloud-settings'
import { type Clouds, problemAt, type ReadResult, readClouds, type SettingsProblem, wrong } from './clouds-file'

// Uploaded clouds.yaml and secure.yaml as texts. The files that they name are on another machine, so none is read.

export interface Upload {
  readonly clouds: string
  readonly secure: string | null
  /** PEM; replaces a file that `cacert` names. */
  readonly ca: string | null
  /** Null: the only cloud of the file. */
  readonly cloud: string | null
  readonly region: string | null
  readonly interface: Interface | null
}

const FILE = 'clouds.yaml'

const readTexts = ({ clouds, secure }: Upload): ReadResult<Clouds> =>
  readClouds({
    clouds: { path: FILE, text: clouds },
    secure: secure === null ? null : { path: 'secure.yaml', text: secure },
    profiles: null,
  })

export function readUpload(upload: Upload): ReadResult<CloudSettings> {
  const read = readTexts(upload)
  return read.ok ? settingsIn(read.value, upload) : read
}

function settingsIn(clouds: Clouds, { cloud: name, region, ca, interface: chosen }: Upload): ReadResult<CloudSettings> {
  const read = readCloud(clouds, { name, region, file: FILE })
  if (!read.ok) return read
  const { tls } = read.value
  const problems = [...namedFiles(read.value, ca), ...(ca === null ? [] : notCertificates(ca))]
  if (problems.length > 0) return wrong(...problems)
  return {
    ok: true,
    value: { ...read.value, interface: chosen ?? read.value.interface, tls: { ...tls, caPath: null, caPem: ca } },
  }
}

function namedFiles({ name, tls }: CloudSettings, ca: string | null): readonly SettingsProblem[] {
  const files = { cacert: ca === null ? tls.caPath : null, cert: tls.certPath, key: tls.keyPath }
  return Object.entries(files).flatMap(([key, path]) => {
    const fix = key === 'cacert' ? 'paste the CA itself' : 'remove it: client certificates are not supported here'
    const what = 'it names a file of the machine that this text comes from'
    return path === null ? [] : [problemAt({ file: FILE, path: `clouds.${name}` }, key, [what, fix])]
  })
}

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

function notCertificates(ca: string): readonly SettingsProblem[] {
  const problem: SettingsProblem = {
    file: 'CA',
    key: '',
    what: 'it is no certificate in PEM',
    fix: 'paste the CA of the cloud',
  }
  const certificates = ca.match(PEM) ?? []
  try {
    for (const each of certificates) new X509Certificate(each)
    return certificates.length > 0 ? [] : [problem]
  } catch {
    return [problem]
  }
}

export interface UploadedCloud {
  readonly name: string
  readonly regions: readonly string[]
  readonly problems: readonly SettingsProblem[]
}

/** Every cloud of the files, with its mistakes. */
export function uploadedClouds(upload: Upload): ReadResult<readonly UploadedCloud[]> {
  const read = readTexts(upload)
  if (!read.ok) return read
  const names = Object.keys(read.value.clouds)
  if (names.length === 0)
    return wrong({ file: FILE, key: 'clouds', what: 'it defines no cloud', fix: 'add one under `clouds`' })
  return {
    ok: true,
    value: names.map((name) => {
      const settings = settingsIn(read.value, { ...upload, cloud: name, region: null })
      return { name, regions: regionNames(read.value, name), problems: settings.ok ? [] : settings.problems }
    }),
  }
}
