import MiniSearch from 'minisearch';
import { anchorOf } from '../anchor.ts';
import { SEARCH_OPTIONS } from '../browser/search-options.js';
import { plain } from '../guides/markdown.ts';
import type { DocsPage } from '../page.ts';

/** A search result: a page or section. */
interface SearchEntry {
  /** The entry's address below `/docs/`. */
  id: string;
  page: string;
  heading: string;
  keywords: string;
  text: string;
  /** The text below a result's title. */
  about: string;
}

const ABOUT_LENGTH = 110;

/** The search index of all pages, loaded when a reader starts to search. */
export function searchIndex(pages: readonly DocsPage[]): MiniSearch {
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(pages.flatMap(entriesOf));
  return index;
}

function entriesOf(page: DocsPage): SearchEntry[] {
  const { slug, title, label, summary, keywords = '' } = page;
  const whole = entry({ id: slug, page: title, heading: '', keywords: `${label} ${keywords}`, text: '' });
  if (page.isWide) return [{ ...whole, text: searchable(page.markdown()), about: shortened(plain(summary)) }];
  const [intro = '', ...sections] = page.markdown().split(/^(?=#{2,3} )/m);
  return [
    { ...whole, text: searchable(intro), about: shortened(plain(summary)) },
    ...sections.map((section) => sectionEntry(section, slug, title)),
  ];
}

function sectionEntry(section: string, slug: string, title: string): SearchEntry {
  const [line = '', ...rest] = section.split('\n');
  const heading = plain(line.replace(/^#+ /, ''));
  return entry({
    id: `${slug}#${anchorOf(heading)}`,
    page: title,
    heading,
    keywords: '',
    text: rest.join('\n'),
  });
}

function entry({ text, keywords, ...rest }: Omit<SearchEntry, 'about'>): SearchEntry {
  return {
    ...rest,
    keywords: `${keywords} ${ALSO_CALLED[rest.id] ?? ''}`,
    text: searchable(text),
    about: shortened(plain(text.replaceAll(/^[#|`-].*$/gm, ' '))),
  };
}

/** Splits words at dashes, so that “check in” finds check-in. */
function searchable(markdown: string): string {
  return plain(markdown).replaceAll(/check(?:ed|s)?[- ](?:the patient )?in\b/gi, 'checkin');
}

function shortened(text: string): string {
  return text.length <= ABOUT_LENGTH ? text : `${text.slice(0, text.lastIndexOf(' ', ABOUT_LENGTH))} …`;
}

/** Other words that readers use for a page or section, by its address below `/docs/`. */
export const ALSO_CALLED: Readonly<Record<string, string>> = {
  appointments: 'booking book slot states status',
  'appointments#booking':
    'create appointment outside business hours backdate past walk-in emergency squeeze years ahead advance far future',
  'appointments#cancelling': 'delete undo cancellation who cancelled reopen revive calling off',
  'appointments#check-in': 'patient arrived attended showed up came present',
  'appointments#external-id': 'own id store map reference foreign key link system pms import',
  'appointments#fields': 'duration length end date format iso 8601 timezone utc object schema',
  'appointments#hours': 'book outside business hours closed respect hours overtime emergency',
  'appointments#late-check-in': 'patient came arrived late after no-show',
  'appointments#no-show': 'patient did not come missed 30 minutes',
  'appointments#patient-data':
    'gdpr privacy personal delete erase anonymise export subject request right forgotten stored',
  'appointments#phone-numbers':
    'phone format e164 hash number back call patient required optional missing no phone patientPhoneHash match patient database identify same person',
  'appointments#reschedule':
    'move change time postpone another day doctor professional dentist swap keep same id new id replacement moved',
  'appointments#slots-and-buffers':
    'double booking allowed overlap parallel share two patients 409 conflict gap pause between same time',
  'appointments#timeline': 'history audit who changed cancelled actor',
  'alerts#queueunpolled': 'no workers pollers polling task queue not picking up tasks',
  'audit-log#activity-log': 'who changed did created key endpoint settings audit trail history',
  availability: 'free times open slots calendar',
  'availability#busy-blocks':
    'lunch break meeting leave vacation sick absent unavailable block time off afternoon recurring closed',
  'availability#in-words': 'language locale speak read aloud voice localStart spoken translate time',
  'availability#opening-hours': 'business hours closed holiday daylight saving clocks change lunch break dst',
  'availability#search-for-times':
    'find a time afternoon morning weekday soonest next free appointment several services preference',
  calls: 'transcript transcription what was said telephone voice ai receptionist bot',
  'calls#how-long-they-are-kept': 'retention recordings transcript deleted kept stored days',
  'calls#how-numbers-are-kept': 'encrypted encryption at rest data security',
  'calls#recordings': 'download recording audio file listen',
  'changelog#the-promise-of-v1': 'versioning deprecation breaking changes compatible backward new fields',
  clients: 'sdk library client package npm pip generate openapi swagger postman typescript',
  'clinic-settings#business-hours': 'opening hours change set lunch break closed weekend holiday',
  'clinic-settings#special-hours': 'holiday bank holidays closed day christmas shortened day exception date',
  'clinic-settings#time-zone': 'timezone offset utc local time daylight saving dst midnight',
  'clinic-settings#working-hours':
    'doctor part time days off shifts roster rota schedule of a professional own hours vacation',
  concurrency: 'two people edit same appointment at once lost update optimistic lock overwrite etag 412',
  'create-webhook-endpoint': 'subscribe register add webhook url',
  'delete-webhook-endpoint': 'stop unsubscribe remove',
  'errors#400-or-422': 'bad request validation difference unprocessable',
  'errors#internal_error': '500 server error bug support',
  'errors#outside_hours': '409 closed not working',
  'errors#rate_limited': '429 too many requests backoff',
  'errors#slot_conflict': '409 conflict booked taken double booking',
  'errors#temporarily_unavailable': '503 unavailable outage retry',
  'errors#version_mismatch': '412 precondition failed',
  'event-types': 'list of all events which types there are',
  'events#subscription': 'receive only some types filter wildcard cancellations choose',
  'get-health': 'health check uptime monitoring ping status alive up',
  'headers#of-requests': 'authorization bearer content-type accept what to send',
  idempotency:
    'same booking request twice retry safe repeat duplicate timeout timed out lost answer go through',
  'keys-and-scopes': 'authentication bearer token login authorization header',
  'keys-and-scopes#keys':
    'get obtain an api key where authorization header bearer cors browser frontend javascript lost',
  'keys-and-scopes#modes': 'live test environment production staging',
  'keys-and-scopes#scopes': 'permission rights 403 forbidden',
  'keys-and-scopes#request-log': 'log of requests request id debug support trace',
  'limits#answers': 'maximum page size',
  'limits#body-sizes': 'maximum request size upload 413',
  'limits#rate-limits': 'how many requests per minute second quota throttle 429',
  'lists-and-sync#cursors': 'pagination paging next page list limit offset page size maximum',
  'lists-and-sync#keep-a-copy-in-step':
    'sync synchronise incremental all changes since yesterday polling import delta mirror',
  'lists-and-sync#search-by-patient': 'find patient by name phone lookup',
  'list-professionals': 'dentists doctors staff list',
  'list-requests': 'log of requests request id debug support trace',
  'patient-data': 'gdpr subject access request right to be forgotten delete',
  'restore-a-backup': 'recover point in time pitr disaster',
  'roll-out-a-version': 'upgrade deploy release rollback nondeterminism',
  'rotate-a-key#encryption-key': 'change exchange replace leaked lost',
  'run-in-containers': 'self host selfhost docker compose install deploy production',
  sandbox: 'test environment staging production playground try development real patients fake data',
  'sandbox#keys': 'get obtain api key test',
  'find-stuck-deliveries': 'pending retrying not sent not delivered waiting why hangs',
  import:
    'migrate migration history old past visits move over from another system bulk batch many at once upload initial load',
  'import#a-repeat': 'upsert again rerun broke off resume idempotent',
  'import#how-fast': 'speed 100000 throughput rate limit bulk minutes',
  variables: 'env environment configuration settings proxy self host',
  professionals: 'dentists doctors staff hygienists treatments list add new service price duration',
  'professionals#keep-them-in-step': 'sync upsert import staff by external id own id nightly',
  'professionals#professionals-who-left':
    'left delete remove deactivate inactive archived former employee retired',
  webhooks: 'push notification callback',
  'webhooks#addresses-and-tls': 'ip allowlist firewall certificate https',
  'webhooks#change-or-remove-an-endpoint':
    'stop sending pause unsubscribe remove delete disable url turn off for a while',
  'webhooks#change-the-secret': 'lost secret rotate leaked',
  'webhooks#replay-missed-events':
    'replay resend missed lost events after downtime outage server down endpoint returned 500 for hours',
  'webhooks#duplicates': 'same event twice two webhooks exactly once at least once',
  'webhooks#leave-out-your-own-changes':
    'loop echo own events ignore my changes endless back and forth two way sync',
  'webhooks#order': 'out of order sequence stale',
  'webhooks#retries':
    'how often retried attempts schedule backoff server down outage endpoint returned 500 error for an hour',
  'webhooks#when-deliveries-fail':
    'failing endpoint disabled deactivated switched off why log failed deliveries',
  'webhooks#try-it-on-your-own-machine': 'localhost tunnel ngrok local development test',
  'webhook-signatures': 'verify signature code hmac raw body express flask laravel',
  'webhook-signatures#c': 'csharp dotnet .net asp.net example',
  'webhook-signatures#get-the-raw-body': 'signature wrong does not match invalid mismatch fails always 401',
  'webhooks#answer-fast': 'acknowledge ack respond status code timeout',
  'limits#field-lengths': 'how long notes name text maximum characters newline',
  'appointments#patch':
    'which fields can update edit partial update put modify correct wrong name phone changed new number',
  'limits#counts': 'limit of webhook endpoints per clinic maximum number',
  'keys-and-scopes#change-a-key': 'rotate roll api key downtime leaked',
  'idempotency#what-is-kept': 'idempotency key how long valid expire',
  events: 'payload body fields of each type',
  'lists-and-sync#how-long-answers-may-be-kept': 'gzip compression compressed cache caching',
};
