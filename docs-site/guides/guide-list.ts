export interface GuideEntry {
  /** The name of its file in `docs/`, and of its page. */
  slug: string;
  label: string;
}

export interface GuideGroup {
  title: string;
  guides: readonly GuideEntry[];
}

/** The guides of the site in the order in which they are read. What is for operators and builders stays in the repository. */
export const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    title: 'Start here',
    guides: [
      { slug: 'quickstart', label: 'Quickstart' },
      { slug: 'sandbox', label: 'Sandbox' },
      { slug: 'keys-and-scopes', label: 'Keys and scopes' },
    ],
  },
  {
    title: 'Appointments',
    guides: [
      { slug: 'appointments', label: 'Booking and states' },
      { slug: 'availability', label: 'Availability' },
      { slug: 'holds', label: 'Holds' },
      { slug: 'lists-and-sync', label: 'Lists and sync' },
      { slug: 'import', label: 'Import' },
      { slug: 'two-way-sync', label: 'Two-way sync' },
      { slug: 'concurrency', label: 'Concurrent changes' },
      { slug: 'clinic-settings', label: 'Clinic settings' },
      { slug: 'professionals', label: 'Professionals and services' },
      { slug: 'self-service', label: 'Booking by patients' },
      { slug: 'recall', label: 'Recall' },
    ],
  },
  {
    title: 'Telephone',
    guides: [
      { slug: 'calls', label: 'Calls' },
      { slug: 'mcp', label: 'Agents (MCP)' },
    ],
  },
  {
    title: 'Webhooks',
    guides: [
      { slug: 'webhooks', label: 'Receiving webhooks' },
      { slug: 'webhook-signatures', label: 'Verifying signatures' },
      { slug: 'events', label: 'Events' },
    ],
  },
  {
    title: 'Answers',
    guides: [
      { slug: 'errors', label: 'Errors' },
      { slug: 'idempotency', label: 'Idempotency' },
      { slug: 'limits', label: 'Limits' },
    ],
  },
  {
    title: 'More',
    guides: [
      { slug: 'clients', label: 'Generated clients' },
      { slug: 'glossary', label: 'Glossary' },
      { slug: 'changelog', label: 'Changelog' },
    ],
  },
];
