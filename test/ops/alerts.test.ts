import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { alerts } from './alert-rules.ts';
import { baseName, exportedMetrics } from './exported-metrics.ts';
import { GROUND_METRICS } from './ground-metrics.ts';

const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), 'utf8');

/** What Prometheus itself makes. */
const OF_PROMETHEUS = ['up', 'ALERTS'];

const WORDS = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring']);

const ours = await exportedMetrics();
const known = new Set([...ours.keys(), ...OF_PROMETHEUS, ...GROUND_METRICS]);

/** The metrics that a PromQL expression asks for. */
function metricsOf(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(by|without|on|ignoring) \([^)]*\)/g, '');
  const names = bare.match(/[A-Za-z_][A-Za-z0-9_]*(?![A-Za-z0-9_]|\s*\()/g) ?? [];
  return names.filter((name) => !WORDS.has(name)).map(baseName);
}

test.each(alerts)('$alert asks for metrics that the processes tell', ({ expr }) => {
  const asked = metricsOf(expr);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
});

test.each(alerts)('$alert says how grave it is, what is wrong and where it is explained', (alert) => {
  expect(['critical', 'warning']).toContain(alert.labels.severity);
  expect(alert.annotations.summary).toMatch(/^[A-Z].{10,80}[^.]$/);
  expect(alert.annotations.runbook_url).toBe(`docs/operations/alerts.md#${alert.alert.toLowerCase()}`);
});

test('the guide explains each alert, and no other', () => {
  const explained = [...read('docs/operations/alerts.md').matchAll(/^### (\w+)\n\n\S.{20,}/gm)].map(
    ([, name = '']) => name,
  );
  expect(explained.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
});

test('each alert is made to fire by its rule test', () => {
  const { tests } = parse(read('ops/alerts.test.yml')) as {
    tests: { promql_expr_test: { exp_samples: { labels: string }[] }[] }[];
  };
  const samples = tests.flatMap(({ promql_expr_test: asked }) => asked.flatMap((one) => one.exp_samples));
  const fired = samples.map(({ labels }) => /alertname="(\w+)"/.exec(labels)?.[1] ?? '');
  expect(fired.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
});

test('the dashboard shows metrics that the processes tell', () => {
  const dashboard = JSON.parse(read('ops/grafana/clinic.json')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  const asked = dashboard.panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => metricsOf(expr)),
  );
  expect(asked.length).toBeGreaterThan(40);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
  const shown = new Set(asked);
  const told = [...ours.keys()].filter((name) => !/^(process_|nodejs_)/.test(name));
  expect(told.filter((name) => !shown.has(name))).toEqual([]);
});
