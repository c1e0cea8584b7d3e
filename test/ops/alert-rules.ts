import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';

export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

export const ALERT_RULES_FILE = join(PROJECT_ROOT, 'ops/alerts.yml');

const file = parse(readFileSync(ALERT_RULES_FILE, 'utf8')) as { groups: { rules: AlertRule[] }[] };

/** The rules of ops/alerts.yml. */
export const alerts: readonly AlertRule[] = file.groups.flatMap(({ rules }) => rules);

export function expressionOf(name: string): string {
  const rule = alerts.find(({ alert }) => alert === name);
  if (!rule) throw new Error(`there is no alert ${name}`);
  return rule.expr;
}
