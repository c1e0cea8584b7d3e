import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { anyPort } from '../../dev/processes/free-port.ts';
import { until } from '../support/until.ts';
import { ALERT_RULES_FILE, alerts, expressionOf } from './alert-rules.ts';

/** Of Debian's package `prometheus`; PROMTOOL is the path of its `promtool` when that is not on PATH. */
function program(name: 'promtool' | 'prometheus'): string {
  const { PROMTOOL } = process.env;
  return PROMTOOL ? join(dirname(PROMTOOL), name) : name;
}

/** Runs promtool and returns what it says; rejects when it finds something wrong. */
export async function promtool(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program('promtool'), words).catch(explain);
  return stdout;
}

function explain(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error;
  throw new Error('Install the Debian package "prometheus", or set PROMTOOL to the path of promtool.');
}

export interface Prometheus {
  /** The alerts whose expression holds now, by name, sorted. How long it has to hold is for the rule tests. */
  firing(): Promise<string[]>;
  /** The same of one alert. */
  isFiring(alert: string): Promise<boolean>;
  /** Whether a question of PromQL is answered with anything. */
  holds(query: string): Promise<boolean>;
  /** The alerts of which Prometheus has found, since it runs, that their expression held, whether or not for long enough. */
  everPending(): Promise<string[]>;
  stop(): Promise<void>;
}

/** A Prometheus that scrapes the processes every second. @param ports of their metrics */
export async function startPrometheus(ports: { api: number; worker: number }): Promise<Prometheus> {
  const directory = await mkdtemp(join(tmpdir(), 'prometheus-'));
  const listen = `127.0.0.1:${await anyPort('127.0.0.1')}`;
  await writeFile(join(directory, 'prometheus.json'), JSON.stringify(scraping(ports)));
  const child = spawn(
    program('prometheus'),
    [
      `--config.file=${join(directory, 'prometheus.json')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=${listen}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await once(child, 'spawn').catch(explain);
  const exited = once(child, 'exit');
  await until('Prometheus to be ready', () =>
    fetch(`http://${listen}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    firing: () => firingAt(listen),
    isFiring: (alert) => holdsAt(listen, expressionOf(alert)),
    holds: (query) => holdsAt(listen, query),
    everPending: () => everPendingAt(listen),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(directory, { recursive: true });
    },
  };
}

function scraping({ api, worker }: { api: number; worker: number }) {
  const job = (name: string, port: number) => ({
    job_name: name,
    static_configs: [{ targets: [`127.0.0.1:${port}`] }],
  });
  return {
    global: { scrape_interval: '1s', scrape_timeout: '1s' },
    rule_files: [ALERT_RULES_FILE],
    scrape_configs: [job('clinic-api', api), job('clinic-worker', worker)],
  };
}

async function firingAt(listen: string): Promise<string[]> {
  const names: string[] = [];
  for (const { alert, expr } of alerts) if (await holdsAt(listen, expr)) names.push(alert);
  return names.sort();
}

async function holdsAt(listen: string, query: string): Promise<boolean> {
  return (await resultOf(listen, query)).length > 0;
}

async function everPendingAt(listen: string): Promise<string[]> {
  const held = await resultOf(listen, 'count by (alertname) (count_over_time(ALERTS[1d]))');
  return held.map(({ metric }) => String(metric['alertname'])).sort();
}

async function resultOf(listen: string, query: string): Promise<{ metric: Record<string, string> }[]> {
  const answer = await fetch(`http://${listen}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { data } = (await answer.json()) as { data: { result: { metric: Record<string, string> }[] } };
  return data.result;
}
