import type { LauncherConfig } from './config.ts';
import type { FirstClinic } from './first-clinic/first-clinic.ts';
import type { Announcement } from './data-directory/running-file.ts';

const HALF_HOUR_MS = 1_800_000;

/** What the person at the terminal needs next: addresses, a key, and a first booking to paste. */
export function welcome(
  running: Announcement,
  clinic: FirstClinic,
  { directory, mode, allowedCidrs, environment }: LauncherConfig,
  now: Date,
): string {
  const lines = [
    '',
    `  API           ${running.apiUrl}`,
    `  API docs      ${running.apiUrl}/docs`,
    `  Dashboard     ${dashboardLine(running.dashboardUrl, environment)}`,
    `  Temporal UI   ${running.temporalUiUrl ?? '(of your own server)'}`,
    `  Demo key      ${clinic.pmsKey} (what a PMS needs)`,
    `                ${clinic.key} (everything: settings and further keys too)`,
    `  Metrics       ${metricsLine(running)}`,
    `  Data and logs ${directory.root}`,
    ...(mode === 'test'
      ? [`  Local CA      ${directory.caCertificate}`, `  Its key       ${directory.caKey}`]
      : []),
    ...(allowedCidrs.length > 0
      ? ['', `Webhooks may also reach ${allowedCidrs.join(', ')} (WEBHOOK_ALLOWED_CIDRS).`]
      : []),
    '',
    'Book an appointment:',
    '',
    firstBooking(running.apiUrl, clinic, now),
    '',
    'Ctrl-C stops everything; the data stays.',
    '',
  ];
  return lines.join('\n');
}

function dashboardLine(url: string | null, { OIDC_ISSUER: issuer }: LauncherConfig['environment']): string {
  if (url === null) return '(none: a live service needs OIDC_ISSUER for it)';
  return issuer === undefined ? `${url} (sign in as anybody of the demo, without a password)` : url;
}

function metricsLine({ metricsUrl, apiMetricsUrl, dashboardMetricsUrl: ofDashboard }: Announcement): string {
  const dashboard = ofDashboard === null ? '' : `, ${ofDashboard} (dashboard)`;
  return `${metricsUrl} (worker), ${apiMetricsUrl} (API)${dashboard}`;
}

/** A command for the shell; nothing in it needs escaping inside single quotes. */
function firstBooking(apiUrl: string, clinic: FirstClinic, now: Date): string {
  const body = JSON.stringify({
    professionalId: clinic.professionals[0]?.id,
    serviceTypeId: clinic.services[0]?.id,
    patientName: 'Maria Silva',
    patientPhone: '+351910000000',
    startsAt: sameTimeTomorrow(now).toISOString(),
  });
  return [
    `curl -sS -X POST ${apiUrl}/v1/appointments \\`,
    `  -H 'Authorization: Bearer ${clinic.pmsKey}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}

/** On the half hour, so that the time reads well; later each start, so that it is still free. */
function sameTimeTomorrow(now: Date): Date {
  return new Date(Math.ceil(now.getTime() / HALF_HOUR_MS) * HALF_HOUR_MS + 48 * HALF_HOUR_MS);
}
