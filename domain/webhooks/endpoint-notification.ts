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
