import { Command } from 'commander'
import type { OutputOf } from '../client'
import { ExitCode, Failure, failed } from '../failure'
import { noteUnlisted, openSession, type Session, type Table, timeText } from '../session'
import { wholeNumber } from '../wait'

const SEVERITIES = ['critical', 'warning', 'info'] as const
const MAX_FINDINGS = 2_000

export function auditCommand(): Command {
  return new Command('audit')
    .description('audit now, and list the findings')
    .option('--host <host>', 'only this host')
    .option('--no-run', 'list the findings of the last audit')
    .option(
      '--fail-on <severity>',
      `exit with 7 if a finding has this severity or a higher one: ${SEVERITIES.join(', ')}`,
    )
    .action(audit)
}

interface AuditOptions {
  readonly host?: string
  readonly run: boolean
  readonly failOn?: string
}

async function audit({ host, run, failOn }: AuditOptions, self: Command): Promise<void> {
  const session = openSession(self)
  const lowest = SEVERITIES.find((severity) => severity === failOn)
  if (failOn !== undefined && lowest === undefined)
    throw failed(ExitCode.usage, { what: `Unknown severity ${failOn}.`, next: `Use ${SEVERITIES.join(', ')}.` })
  const where = host === undefined ? {} : { host: await session.hostId(host) }
  if (run) await session.call('finding.audit', where)
  const page = await session.call('finding.list', { ...where, limit: MAX_FINDINGS })
  session.show(page, () => findingTable(page.rows))
  noteUnlisted(session, page)
  if (lowest === undefined) return
  // Counted by Berth, because the list may lack some.
  const severity = SEVERITIES.slice(0, SEVERITIES.indexOf(lowest) + 1)
  const { total } = await session.call('finding.list', { ...where, severity, limit: 0 })
  if (total > 0) throw new Failure(ExitCode.ended, `Findings with severity ${failOn} or higher: ${total}.`)
}

const findingTable = (rows: OutputOf<'finding.list'>['rows']): Table => ({
  head: ['id', 'severity', 'kind', 'host', 'instance', 'expected', 'found', 'repair'],
  rows: rows.map((row) => [
    ...[row.id, row.severity, row.kind, row.host?.name, row.instance?.name, row.expected, row.found],
    row.heal.ok ? 'yes' : row.heal.why,
  ]),
  none: 'No discrepancies.',
})

export function repairCommand(): Command {
  const command = new Command('repair').description('plan, show, apply and undo repairs of findings')
  command.command('list').description('list repairs').action(list)
  command
    .command('plan <findings...>')
    .description('plan a repair; writes only the plan')
    .action(async (findings: string[], _options: object, self: Command) => {
      const session = openSession(self)
      const { plan } = await session.call('heal.plan', { findings })
      await show(session, plan)
    })
  command
    .command('show <plan>')
    .description('show a repair as a diff')
    .action((plan: string, _options: object, self: Command) => show(openSession(self), plan))
  command
    .command('apply <plan>')
    .description('apply a repair exactly as shown, or only some parts')
    .option('--parts <numbers>', 'such as 1,3; default: all open parts', wholeNumbers)
    .requiredOption('--reason <text>', 'for the audit log')
    .action(apply)
  command
    .command('undo <plan>')
    .description('plan the undo of a repair')
    .action(async (plan: string, _options: object, self: Command) => {
      const session = openSession(self)
      const made = await session.call('heal.undo', { id: plan })
      await show(session, made.plan)
    })
  return command
}

async function list(_options: object, self: Command): Promise<void> {
  const session = openSession(self)
  const plans = await session.call('heal.list')
  session.show(plans, () => ({
    head: ['plan', 'state', 'parts', 'applied', 'planned by', 'planned', 'reason'],
    rows: plans.map((each) => [
      ...[each.id, each.state, each.parts, each.applied, each.madeBy, timeText(each.madeAt), each.reason],
    ]),
    none: 'No repairs.',
  }))
}

async function show(session: Session, id: string): Promise<void> {
  const plan = await session.call('heal.byId', { id })
  session.show(plan, () => ({
    head: ['part', 'state', '', 'what', 'before', 'after'],
    rows: plan.part.flatMap(({ n, state, title, locked, lines }) => [
      [n, locked ?? state, '', title, '', ''],
      ...lines.map(({ sign, what, before, after }) => [n, '', sign, what, before, after]),
    ]),
  }))
  session.note(`Plan ${plan.id}`)
}

const wholeNumbers = (text: string): readonly number[] => text.split(',').map(wholeNumber)

interface ApplyOptions {
  readonly parts?: readonly number[]
  readonly reason: string
}

async function apply(id: string, { parts, reason }: ApplyOptions, self: Command): Promise<void> {
  const session = openSession(self)
  const numbers = parts ?? (await openParts(session, id))
  const answer = await session.call('heal.applyParts', { id, parts: [...numbers], reason })
  session.show(answer, () => ({
    head: ['state', 'applied', 'replaced by', 'awaiting approval'],
    rows: [[answer.state, answer.applied, answer.replacedBy, answer.proposal]],
  }))
  if (answer.proposal !== null) return session.note('A second person must approve it in the console.')
  if (answer.applied < numbers.length) {
    const next = answer.replacedBy === null ? (answer.whyNotReplaced ?? '') : `Review plan ${answer.replacedBy}.`
    throw new Failure(ExitCode.refused, `${answer.applied} of ${numbers.length} parts were applied. ${next}`)
  }
}

async function openParts(session: Session, id: string): Promise<readonly number[]> {
  const { part } = await session.call('heal.byId', { id })
  const open = part.filter(({ state, locked }) => state === 'open' && locked === null).map(({ n }) => n)
  if (open.length === 0)
    throw failed(ExitCode.refused, {
      what: 'No part of this repair is open.',
      next: `Plan a repair of the findings that are left.`,
    })
  return open
}
