import { createClinics } from '../../bench/service/clinics.ts';
import { startService, type Service } from '../../bench/service/start-service.ts';
import { markdown } from '../../bench/report/tables.ts';
import { PROJECT_ROOT } from '../../dev/processes/run-script.ts';
import { ATTACKS } from './attacks.ts';
import { startControl } from './control.ts';
import { measure, type Measured } from './measure.ts';
import type { ClinicKeys, Target } from './target.ts';

/** `npm run attack -- [part of a name …]`: attacks the service as `npm start` runs it, and exits with 1 when a bound is broken. Linux only. */
const SECONDS = 10;
const PER_SECOND = 40;

/** The others are what `npm start` brings along. */
const OURS = new Set(['api', 'worker', 'dashboard']);

const resources = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void resources.disposeAsync().finally(() => process.exit(1)));
try {
  const wanted = process.argv.slice(2);
  const attacks = ATTACKS.filter(
    ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
  );
  const environment = { RATE_LIMITS_DISABLED: 'false' };
  const service = await startService(
    { label: 'this', root: process.env['BENCH_SERVICE_ROOT'] ?? PROJECT_ROOT },
    resources,
    environment,
  );
  const target = await targetOf(service, attacks.length + 1);
  const control = resources.use(await startControl(target));
  // A cold process would flatter the attackers.
  await control.ask(SECONDS, PER_SECOND);
  const rows: Measured[] = [];
  for (const attack of attacks) {
    const measured = await measure(target, control, attack, { seconds: SECONDS, perSecond: PER_SECOND });
    process.stderr.write(`${attack.name}: ${measured.broken.join('; ') || 'held'} (${measured.seen})\n`);
    rows.push(measured);
  }
  process.stdout.write(`${tableOf(rows)}\n`);
  process.exitCode = rows.some(({ broken }) => broken.length > 0) ? 1 : 0;
} finally {
  await resources.disposeAsync();
}

async function targetOf(service: Service, clinics: number): Promise<Target> {
  const { apiUrl, dashboardUrl = null, pids } = await service.running();
  const ready = (await createClinics(service, clinics, 1)).map(
    ({ key, professionals: [professionalId = ''], service: serviceTypeId }): ClinicKeys => ({
      key,
      professionalId,
      serviceTypeId,
    }),
  );
  const ours = Object.entries(pids).filter(([name]) => OURS.has(name));
  return {
    apiUrl,
    dashboardUrl,
    pids: Object.fromEntries(ours.flatMap(([name, pid]) => (pid === null ? [] : [[name, pid] as const]))),
    async newClinic() {
      const clinic = ready.pop();
      if (!clinic) throw new Error('each attack needs one clinic of its own at most');
      return clinic;
    },
  };
}

function tableOf(rows: readonly Measured[]): string {
  const head = [
    'attack',
    'p50 / p99 alone, ms',
    'p50 / p99 under attack, ms',
    'ratio',
    'peak RSS, MB',
    'refused of others',
    'seen',
    'verdict',
  ];
  const pair = ({ p50, p99 }: { p50: number; p99: number }) => `${Math.round(p50)} / ${Math.round(p99)}`;
  const lines = rows.map(({ attack, alone, under, peaks, refusals, seen, broken }) => [
    attack,
    pair(alone),
    pair(under),
    (under.p99 / alone.p99).toFixed(1),
    Object.entries(peaks)
      .map(([name, peak]) => `${name} ${peak}`)
      .join(', '),
    String(refusals.length),
    seen,
    broken.length === 0 ? 'held' : `BROKEN: ${broken.join('; ')}`,
  ]);
  return markdown(head, lines);
}
