export const NOTIFICATION_KINDS = ['endpoint_failing', 'endpoint_deactivated'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/**
 * The state of a notification's mail. `sent_recently`: the clinic got one about this endpoint less than a day before;
 * `refused`: the mail server rejected it; `no_server`: this deployment sends no mail.
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
  no_address: 'No email was sent: the clinic has no email address.',
  sent_recently: 'No email was sent: we sent one about this endpoint in the last 24 hours.',
  refused: 'No email was sent: the mail server rejected the clinic’s address.',
  no_server: 'No email was sent: this service has no mail server.',
};

function whatHappened({ kind, endpointUrl, deactivateAt }: EndpointNotification): string {
  return kind === 'endpoint_failing'
    ? `An event could not be delivered to ${endpointUrl} in six attempts. The endpoint will be deactivated at ` +
        `${deactivateAt.toISOString()} unless it responds with 2xx, its URL changes or it is enabled first.`
    : `The endpoint ${endpointUrl} was deactivated, because it kept failing. Events are kept, so nothing is lost: fix the endpoint, enable it, then ` +
        'replay the missed events.';
}
