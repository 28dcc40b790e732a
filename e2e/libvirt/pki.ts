import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

// Certificates for the rig, with the file names that libvirt expects. One authority signs the certificates of the
// daemons and of Berth, and one that no daemon accepts.

const EXPIRES = 'expiration_days = 2'
const KEY_USE = ['signing_key', 'encryption_key']

/** Returns the folders: `trusted` for Berth and the daemons, `unauthorized` with a client certificate for another name. */
export function makePki(
  folder: string,
  ips: readonly string[],
): { readonly trusted: string; readonly unauthorized: string } {
  const trusted = path.join(folder, 'trusted')
  const unauthorized = path.join(folder, 'unauthorized')
  for (const place of [trusted, unauthorized]) fs.mkdirSync(place, { recursive: true, mode: 0o700 })
  const at = (name: string) => path.join(trusted, name)
  certtool('--generate-privkey', '--key-type=rsa', '--bits=2048', '--outfile', at('cakey.pem'))
  const authority = template(folder, ['cn = "rig"', 'ca', 'cert_signing_key', EXPIRES])
  certtool(
    '--generate-self-signed',
    '--load-privkey',
    at('cakey.pem'),
    '--template',
    authority,
    '--outfile',
    at('cacert.pem'),
  )
  const addresses = ips.map((ip) => `ip_address = "${ip}"`)
  sign(trusted, 'server', template(folder, ['cn = "rig daemon"', ...addresses, 'tls_www_server', ...KEY_USE, EXPIRES]))
  sign(trusted, 'client', template(folder, ['cn = "berth"', 'tls_www_client', ...KEY_USE, EXPIRES]))
  // QEMU, which encrypts migration traffic, expects other names for the same files.
  for (const who of ['ca', 'server', 'client'])
    for (const part of who === 'ca' ? ['cert'] : ['cert', 'key'])
      fs.copyFileSync(at(`${who}${part}.pem`), at(`${who}-${part}.pem`))
  for (const name of ['cacert.pem', 'cakey.pem']) fs.copyFileSync(at(name), path.join(unauthorized, name))
  sign(unauthorized, 'client', template(folder, ['cn = "somebody"', 'tls_www_client', ...KEY_USE, EXPIRES]))
  return { trusted, unauthorized }
}

function sign(folder: string, who: string, templateFile: string): void {
  const at = (name: string) => path.join(folder, name)
  certtool('--generate-privkey', '--key-type=rsa', '--bits=2048', '--outfile', at(`${who}key.pem`))
  const authority = ['--load-ca-certificate', at('cacert.pem'), '--load-ca-privkey', at('cakey.pem')]
  const request = ['--load-privkey', at(`${who}key.pem`), '--template', templateFile, '--outfile', at(`${who}cert.pem`)]
  certtool('--generate-certificate', ...authority, ...request)
}

function template(folder: string, lines: readonly string[]): string {
  const file = path.join(folder, 'template')
  fs.writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

const certtool = (...words: string[]) => execFileSync('certtool', words, { stdio: ['ignore', 'ignore', 'pipe'] })
