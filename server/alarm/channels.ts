import { createHmac } from 'node:crypto'
import { createTransport, type Transporter } from 'nodemailer'
import type { Channel, DueDelivery } from '../store/alarm/delivery'

// Where alarms are sent: a webhook, with CloudEvents signed by Standard Webhooks, and mail. Both carry the id of the
// delivery, which is the same at each attempt, so that receivers can detect duplicates.

export interface ChannelSettings {
  readonly webhook: { readonly url: string; readonly key: Buffer } | null
  readonly mail: { readonly smtp: string; readonly from: string; readonly to: readonly string[] } | null
}

type Env = Readonly<Record<string, string | undefined>>

/** Throws for invalid values; the message never contains a secret. */
export function channelSettings(env: Env): ChannelSettings {
  return { webhook: webhookOf(env), mail: mailOf(env) }
}

const KEY_BYTES_LEAST = 24

function webhookOf(env: Env): ChannelSettings['webhook'] {
  const { BERTH_ALARM_WEBHOOK_URL: url, BERTH_ALARM_WEBHOOK_SECRET: secret } = env
  if (!url) return null
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    throw new Error('BERTH_ALARM_WEBHOOK_URL must be an http or https address.')
  }
  const key = Buffer.from((secret ?? '').replace(/^whsec_/, ''), 'base64')
  if (key.length < KEY_BYTES_LEAST) {
    throw new Error(
      `BERTH_ALARM_WEBHOOK_SECRET must have ${KEY_BYTES_LEAST} bytes or more in base64, as from \`openssl rand -base64 32\`.`,
    )
  }
  return { url, key }
}

function mailOf(env: Env): ChannelSettings['mail'] {
  const { BERTH_ALARM_SMTP_URL: smtp, BERTH_ALARM_MAIL_FROM: from, BERTH_ALARM_MAIL_TO: to } = env
  if (!smtp) return null
  if (!/^smtps?:\/\/./.test(smtp) || !URL.canParse(smtp)) {
    throw new Error('BERTH_ALARM_SMTP_URL must be an address such as smtp://user:password@mail.example:587.')
  }
  const all = (to ?? '').split(',').map((each) => each.trim())
  if (!isAddress(from ?? '') || !all.every(isAddress)) {
    throw new Error(
      'BERTH_ALARM_MAIL_FROM must be a mail address, and BERTH_ALARM_MAIL_TO one or more, separated by commas.',
    )
  }
  return { smtp, from: from ?? '', to: all }
}

const isAddress = (text: string) => /^[^\s@,<>]+@[^\s@,<>]+$/.test(text)

export interface Channels {
  readonly open: readonly Channel[]
  /** Throws with the reason if it was not delivered. */
  send(delivery: DueDelivery, at: number): Promise<void>
  close(): void
}

const PATIENCE_MS = 15_000

export function openChannels({ webhook, mail }: ChannelSettings): Channels {
  const transport =
    mail &&
    createTransport(mail.smtp, {
      connectionTimeout: PATIENCE_MS,
      greetingTimeout: PATIENCE_MS,
      socketTimeout: PATIENCE_MS,
    } as object)
  return {
    open: [...(webhook ? (['webhook'] as const) : []), ...(mail ? (['mail'] as const) : [])],
    send: async (delivery, at) => {
      if (delivery.channel === 'webhook' && webhook) return sendWebhook(webhook, delivery, at)
      if (delivery.channel === 'mail' && mail && transport) return sendMail(transport, mail, delivery)
      throw new Error(`This server has no ${delivery.channel} to send it by.`)
    },
    close: () => transport?.close(),
  }
}

async function sendWebhook(
  { url, key }: NonNullable<ChannelSettings['webhook']>,
  { id, body }: DueDelivery,
  at: number,
): Promise<void> {
  const text = JSON.stringify(body)
  const timestamp = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/cloudevents+json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body: text,
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`The webhook answered ${answer.status}.`)
}

async function sendMail(
  transport: Transporter,
  { from, to }: NonNullable<ChannelSettings['mail']>,
  { id, body }: DueDelivery,
): Promise<void> {
  const { data } = body as { readonly data: AlarmData }
  const lines = [
    data.says,
    '',
    `Severity: ${data.severity}`,
    `Runbook: ${data.runbook}`,
    ...(data.link ? [data.link] : []),
  ]
  await transport.sendMail({
    ...{ from, to: [...to], messageId: `<${id}@berth>` },
    subject: `[${data.event}] ${data.title}: ${data.name}`,
    text: lines.join('\n'),
  })
}

/** `data` of the CloudEvent. */
export interface AlarmData {
  readonly event: string
  readonly kind: string
  readonly severity: string
  readonly title: string
  readonly name: string
  readonly says: string
  readonly raisedAt: string | null
  readonly runbook: string
  readonly link: string | null
}
