import { ALARM_KINDS, ALARMS, type AlarmRule, OUTSIDE } from './alarms'

type Rule = Omit<AlarmRule, 'subjects'>

/** Rules for Prometheus and Alertmanager: deploy/prometheus/berth.rules.yml is this text. */
export function prometheusRules(): string {
  const inside = ALARM_KINDS.map((kind): readonly [string, Rule] => [kind, ALARMS[kind]])
  const rules = [...Object.entries<Rule>(OUTSIDE), ...inside].map(([kind, rule]) => ruleText(kind, rule))
  return `# Made from server/engine/alarm/alarms.ts, and held equal to it by a test.
groups:
  - name: berth
    rules:
${rules.join('\n')}
`
}

const ruleText = (kind: string, { severity, title, expr, for: after }: Rule) => `      - alert: ${nameOf(kind)}
        expr: ${JSON.stringify(expr)}
        for: ${after}
        labels:
          severity: ${severity}
        annotations:
          summary: ${title}
          runbook_url: docs/runbooks/${kind}.md`

/** `BerthHostSilent` for `host-silent`, as alerts are named. */
const nameOf = (kind: string) =>
  `Berth${kind
    .replace(/^berth-/, '')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`
