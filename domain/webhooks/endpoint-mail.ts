import type { EndpointNotification, NotificationKind } from './endpoint-notification.ts';

/** The mail to the clinic. It names the endpoint and times, never an event or a patient. */
export function endpointMail(notification: EndpointNotification, clinic: { name: string; timezone: string }) {
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

function mailParagraphs({ kind, endpointId, endpointUrl, deactivateAt }: EndpointNotification, zone: string) {
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
