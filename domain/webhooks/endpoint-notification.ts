export const NOTIFICATION_KINDS = ['endpoint_failing', 'endpoint_deactivated'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/**
 * What became of a notification's mail. `sent_recently`: the clinic was mailed about this endpoint less than a day before;
 * `refused`: the mail server will not take it; `no_server`: this deployment sends no mail.
 */
export type MailState = 'due' | 'sent' | 'no_address' | 'sent_recently' | 'refused' | 'no_server';

export interface EndpointNotification {
  kind: NotificationKind;
  endpointId: string;
  /** Without its query. */
  endpointUrl: string;
  deactivateAt: Date;
  mail: MailState;
}

/** The notification as the API shows it. */
export function notificationMessage(notification: EndpointNotification): string {
  const why = MAIL_REMARKS[notification.mail];
  return [whatHappened(notification), ...(why ? [why] : [])].join(' ');
}

const MAIL_REMARKS: Record<MailState, string | null> = {
  due: null,
  sent: null,
  no_address: 'No e-mail was sent: the clinic has no e-mail address.',
  sent_recently: 'No e-mail was sent: there was one about this endpoint less than 24 hours before.',
  refused: "No e-mail was sent: the mail server refused the clinic's address.",
  no_server: 'No e-mail was sent: this service has no mail server.',
};

function whatHappened({ kind, endpointUrl, deactivateAt }: EndpointNotification): string {
  return kind === 'endpoint_failing'
    ? `An event could not be delivered to ${endpointUrl} in six attempts. The endpoint will be deactivated at ` +
        `${deactivateAt.toISOString()} unless it answers with a 2xx, its URL is changed or it is enabled before.`
    : `The endpoint ${endpointUrl} was deactivated, because it kept failing. Its events are kept: enable it and replay ` +
        'them once the receiver works.';
}

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** The mail to the clinic. It names the endpoint and times, never an event or a patient. */
export function endpointMail(
  notification: EndpointNotification,
  clinic: { name: string; timezone: string },
): MailContent {
  const paragraphs = [`To ${clinic.name}:`, ...mailParagraphs(notification, clinic.timezone)];
  const html = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n');
  return {
    subject: MAIL_SUBJECTS[notification.kind],
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en">\n<body>\n${html}\n</body>\n</html>\n`,
  };
}

const MAIL_SUBJECTS: Record<NotificationKind, string> = {
  endpoint_failing: 'Your webhook endpoint is failing',
  endpoint_deactivated: 'Your webhook endpoint was deactivated',
};

function mailParagraphs(
  { kind, endpointId, endpointUrl, deactivateAt }: EndpointNotification,
  zone: string,
): string[] {
  const endpoint = `Endpoint: ${endpointUrl} (${endpointId})`;
  if (kind === 'endpoint_deactivated') {
    return [
      'Your webhook endpoint kept failing for the whole time of grace and was deactivated. No events are sent to it now.',
      endpoint,
      'Nothing is lost: events are stored as skipped. Once the receiver works, enable the endpoint and replay what it missed.',
    ];
  }
  return [
    'An event could not be delivered to your webhook endpoint in six attempts.',
    endpoint,
    `New events are still sent to it. Unless it answers one with a 2xx, its URL is changed or it is enabled again, it will be deactivated on ${readableTime(deactivateAt, zone)}.`,
    "The attempts in the delivery log, with your receiver's answers, say what to repair.",
  ];
}

function readableTime(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone });
  return `${format.format(at)} (${timeZone})`;
}

const HTML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => HTML_ENTITIES[character] ?? character);
}
