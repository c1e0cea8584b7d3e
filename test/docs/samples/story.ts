import type { RequestExample } from '../../../docs-site/reference/operation.ts';
import { until } from '../../support/until.ts';
import { referenceOperations } from './site-samples.ts';

/** An example of the reference, at the place of the story where the service can do what it asks. */
export interface Chapter {
  /** `changeAppointment checkIn`, or only the operation where it has one example. */
  name: string;
  example: RequestExample;
  /** What has to have happened that only a running worker brings about. */
  awaits?: (reader: Reader) => Promise<void>;
}

/** Someone who reads the reference and sends its examples, with the ids of earlier answers. */
export interface Reader {
  /** By the resource that they belong to, `appointments` or `webhook-events`. */
  ids: Map<string, string>;
  /** Of the receiver that their webhooks go to. */
  receiverUrl: string;
  /** Address and query of the last recording’s link. */
  recordingTarget: string;
  read(path: string): Promise<Record<string, unknown>>;
}

type Item = Record<string, string>;

/** A delivery of the endpoint waits for its second attempt. */
async function aRetryingDelivery(reader: Reader): Promise<void> {
  await keepDelivery(reader, `endpointId=${reader.ids.get('webhook-endpoints')}&status=retrying`);
}

/** Six attempts of it have failed. */
async function aFailedDelivery(reader: Reader): Promise<void> {
  await keepDelivery(
    reader,
    `endpointId=${reader.ids.get('webhook-endpoints')}&status=failed&eventType=appointment.created`,
  );
}

async function keepDelivery({ ids, read }: Reader, query: string): Promise<void> {
  const id = await until(`a delivery with ${query}`, async () => {
    const { items } = (await read(`/v1/webhook-deliveries?${query}`)) as { items: Item[] };
    return items[0]?.['id'];
  });
  ids.set('webhook-deliveries', id);
}

async function aNotification({ ids, read }: Reader): Promise<void> {
  const id = await until('a notice about the endpoint', async () => {
    const { items } = (await read('/v1/notifications')) as { items: Item[] };
    return items.find(({ endpointId }) => endpointId === ids.get('webhook-endpoints'))?.['id'];
  });
  ids.set('notifications', id);
}

/**
 * A new operation’s examples are added here, where what they need is there and nothing later misses what they take away. Its
 * ids are those of dev/first-clinic/example-ids.ts, or of what an example before has made: the sandbox answers each as it stands.
 * A receiver that refuses everything is set up before the first booking, so that something is there to be retried.
 */
const ORDER: readonly (string | [name: string, awaits: Chapter['awaits']])[] = [
  'getHealth',
  'getReadiness',
  'getOpenApiDocument',
  'getTenant',
  'holdSlot',
  'getSlotHold',
  'releaseSlotHold',
  'updateTenant',
  'getOwnApiKey',
  'createApiKey preset',
  'createApiKey scopes',
  'listApiKeys',
  'rollApiKey',
  'revokeApiKey',
  'createWebhookEndpoint everything',
  'createWebhookEndpoint some',
  'listWebhookEndpoints',
  'getWebhookEndpoint',
  'listProfessionals',
  'getProfessional',
  'createProfessional',
  'updateProfessional hours',
  'updateProfessional leave',
  'putProfessional',
  'listServices',
  'getService',
  'createService',
  'updateService',
  'putService',
  'putBusyBlock lunch',
  'putBusyBlock clinicClosed',
  'listBusyBlocks',
  'getBusyBlock',
  'deleteBusyBlock',
  'findAvailability',
  'searchAvailability soonest',
  'searchAvailability wish',
  'bookAppointment',
  'importAppointments',
  'listAppointments',
  'searchAppointments patient',
  'searchAppointments patientOfYours',
  'getAppointment',
  'acknowledgeAppointment refused',
  'acknowledgeAppointment written',
  'exportPatient byPhone',
  'exportPatient byExternalId',
  ['retryWebhookDeliveryNow', aRetryingDelivery],
  'changeAppointment edit',
  'changeAppointment correct',
  'changeAppointment checkIn',
  'submitNpsResponse',
  'submitTriageForm',
  'getAppointmentTimeline',
  'changeAppointment cancel',
  'cancelAppointment',
  'reinstateAppointment',
  'changeAppointment reschedule',
  'startCall',
  'appendCallEvents',
  'completeCall',
  'uploadCallRecording',
  'listCalls',
  'getCall',
  'getCallBriefing',
  'getCallRecording',
  'getRecording',
  'eraseCallRecording',
  ['resendWebhookDelivery', aFailedDelivery],
  ['readNotification', aNotification],
  'listNotifications',
  'getWebhookSources',
  'pauseWebhookEndpoint',
  'resumeWebhookEndpoint',
  'updateWebhookEndpoint disable',
  'enableWebhookEndpoint',
  'updateWebhookEndpoint move',
  'rotateWebhookSecret',
  'createPortalLink',
  'sendWebhookTestEvent plain',
  'sendWebhookTestEvent example',
  'listWebhookEvents',
  'getWebhookEvent',
  'listWebhookDeliveries',
  'getWebhookDelivery',
  'getWebhookEndpointStatistics',
  'previewWebhookReplay',
  'replayWebhookDeliveries missed',
  'replayWebhookDeliveries day',
  'retryWebhookEndpointNow',
  'deleteWebhookEndpoint',
  'createWebhookEndpoint queue',
  'readWebhookQueue',
  'speakMcp',
  'erasePatient',
  'listRequests',
];

/** Every example of the reference, in an order in which each is answered 2xx. */
export function story(): Chapter[] {
  const examples = new Map(
    referenceOperations().flatMap(({ id, examples: own }) =>
      own.map((example) => [`${id} ${example.name}`.trimEnd(), example] as const),
    ),
  );
  const chapters = ORDER.map((entry) => (typeof entry === 'string' ? ([entry] as const) : entry)).map(
    ([name, awaits]) => {
      const example = examples.get(name);
      if (!example) throw new Error(`the reference has no ${name}`);
      examples.delete(name);
      return { name, example, ...(awaits && { awaits }) };
    },
  );
  if (examples.size > 0) throw new Error(`the story leaves out ${[...examples.keys()].join(', ')}`);
  return chapters;
}

const ID = /^(\/v1\/([\w-]+)\/)((?:evt_)?[0-9a-f][0-9a-f-]{31,})/;

/** The example as the reader sends it: an id stands for one of theirs, an address for theirs. */
export function asSentBy(
  { ids, receiverUrl, recordingTarget }: Reader,
  example: RequestExample,
): RequestExample {
  const body = { ...(example.body as Record<string, unknown> | undefined) };
  if ('appointmentId' in body) body['appointmentId'] = ids.get('appointments');
  if ('url' in body) body['url'] = new URL(new URL(String(body['url'])).pathname, receiverUrl).href;
  const target = example.target.startsWith('/recordings/')
    ? recordingTarget
    : example.target.replace(
        ID,
        (_, before: string, resource: string, id: string) => before + (ids.get(resource) ?? id),
      );
  return { ...example, target, ...(example.body !== undefined && { body }) };
}

/** Remembers what an answer has made. */
export function takeNote(reader: Reader, target: string, answer: Record<string, unknown>): void {
  const { replacement, eventId, deliveryId, url } = answer as Record<string, string> & {
    replacement?: Item;
  };
  const { id } = (replacement ?? answer) as { id?: string };
  const resource = target.split(/[/?]/)[2] ?? '';
  if (id) reader.ids.set(resource, id);
  if (eventId) reader.ids.set('webhook-events', eventId);
  if (deliveryId) reader.ids.set('webhook-deliveries', deliveryId);
  if (target.endsWith('/recording') && url) reader.recordingTarget = url.replace(/^https?:\/\/[^/]+/, '');
}
