export interface GuideEntry {
  /** The name of the guide's file and page. */
  slug: string;
  label: string;
  /** The folder of the file within `docs/`. */
  folder?: 'operations';
}

export interface GuideGroup {
  title: string;
  guides: readonly GuideEntry[];
}

/** The guides by purpose: tutorials, how-to guides, reference, explanation. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: 'Tutorials',
    guides: [
      { slug: 'quickstart', label: 'Quickstart' },
      { slug: 'sandbox', label: 'Sandbox' },
      { slug: 'dashboard-walk', label: 'Connect an endpoint' },
    ],
  },
  {
    title: 'How to integrate',
    guides: [
      { slug: 'webhooks', label: 'Receive webhooks' },
      { slug: 'webhook-signatures', label: 'Verify signatures' },
      { slug: 'lists-and-sync', label: 'Keep a copy in sync' },
      { slug: 'two-way-sync', label: 'Sync a PMS both ways' },
      { slug: 'acknowledgements', label: 'Acknowledge appointments' },
      { slug: 'import', label: 'Import appointments' },
      { slug: 'clinic-settings', label: 'Clinic settings' },
      { slug: 'professionals', label: 'Professionals and services' },
      { slug: 'self-service', label: 'Online booking' },
      { slug: 'reminders', label: 'Remind patients' },
      { slug: 'recall', label: 'Recall' },
      { slug: 'mcp', label: 'Agents (MCP)' },
      { slug: 'voice-agents', label: 'Voice agents' },
      { slug: 'clients', label: 'Generated clients' },
    ],
  },
  {
    title: 'How to operate',
    guides: [
      ...operations([
        ['diagnose', 'Diagnose the service'],
        ['find-stuck-deliveries', 'Find stuck deliveries'],
        ['alerts', 'Alerts'],
        ['send-alerts', 'Send alerts'],
        ['outages', 'When a component fails'],
        ['fail-over', 'Fail over the database'],
        ['reconcile', 'Repair missing workflows'],
        ['run-in-containers', 'Run in containers'],
        ['connections', 'Database connections'],
        ['roll-out-a-version', 'Roll out a version'],
        ['release-a-version', 'Release a version'],
        ['rotate-a-key', 'Rotate a key'],
        ['back-up', 'Back up'],
        ['restore-a-backup', 'Restore a backup'],
        ['block-a-person', 'Block a person'],
        ['patient-data', 'Export or erase a patient'],
        ['incidents', 'After a leak'],
        ['clinic-data', 'Export or erase a clinic'],
        ['traces', 'Send traces'],
      ]),
      { slug: 'kubernetes', label: 'Run in Kubernetes' },
    ],
  },
  {
    title: 'Reference',
    guides: [
      { slug: 'appointments', label: 'Appointments' },
      { slug: 'availability', label: 'Availability' },
      { slug: 'holds', label: 'Holds' },
      { slug: 'calls', label: 'Calls' },
      { slug: 'events', label: 'Events' },
      { slug: 'keys-and-scopes', label: 'Keys and scopes' },
      { slug: 'errors', label: 'Errors' },
      { slug: 'limits', label: 'Limits' },
      { slug: 'idempotency', label: 'Idempotency' },
      { slug: 'concurrency', label: 'Concurrent changes' },
      { slug: 'dashboard', label: 'Dashboard' },
      { slug: 'commands', label: 'Commands' },
      ...operations([
        ['variables', 'Environment variables'],
        ['metrics', 'Metrics'],
        ['retention', 'Data retention'],
        ['audit-log', 'Activity and access log'],
        ['database-roles', 'Database roles'],
        ['database-mode', 'Database mode'],
      ]),
      { slug: 'temporal', label: 'Names in Temporal' },
      { slug: 'glossary', label: 'Glossary' },
      { slug: 'changelog', label: 'Changelog' },
    ],
  },
  {
    title: 'Explanation',
    guides: [
      { slug: 'architecture', label: 'Architecture' },
      { slug: 'scale', label: 'Scale' },
      { slug: 'compliance', label: 'Data protection' },
    ],
  },
];

function operations(entries: readonly (readonly [slug: string, label: string])[]): GuideEntry[] {
  return entries.map(([slug, label]) => ({ slug, label, folder: 'operations' }));
}
