export const NOTIFICATION_KINDS = [
  'endpoint_failing',
  'endpoint_deactivated',
  'appointment_unacknowledged',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/**
 * The state of a notification's mail. `queued`: it is counted in the clinic's next mail; `sent_recently`: the clinic got
 * one about this endpoint less than a day before; `refused`: the mail server rejected it; `no_server`: this deployment
 * sends no mail.
 */
export type MailState = 'due' | 'queued' | 'sent' | 'no_address' | 'sent_recently' | 'refused' | 'no_server';

export interface Notification {
  kind: NotificationKind;
  endpointId: string | null;
  /** Without its query; null also for a pull endpoint, whose queue is not read. */
  endpointUrl: string | null;
  deactivateAt: Date | null;
  appointmentId: string | null;
  appointmentVersion: number | null;
  mail: MailState;
}

export type EndpointNotificationKind = Exclude<NotificationKind, 'appointment_unacknowledged'>;

export interface EndpointNotification extends Pick<Notification, 'mail'> {
  kind: EndpointNotificationKind;
  endpointId: string;
  /** Null for a pull endpoint, and so is the time. */
  endpointUrl: string | null;
  deactivateAt: Date | null;
}

/** Otherwise it is about an appointment that the clinic's other system has not written. */
export function isAboutEndpoint<Any extends Notification>(
  notification: Any,
): notification is Any & EndpointNotification {
  return notification.kind !== 'appointment_unacknowledged';
}

/** The notification as the API shows it. */
export function notificationMessage(notification: Notification): string {
  const why = MAIL_REMARKS[notification.mail];
  return [whatHappened(notification), ...(why ? [why] : [])].join(' ');
}

const MAIL_REMARKS: Record<MailState, string | null> = {
  due: null,
  queued: null,
  sent: null,
  no_address: 'No email was sent: the clinic has no email address.',
  sent_recently: 'No email was sent: we sent one about this endpoint in the last 24 hours.',
  refused: 'No email was sent: the mail server rejected the clinic’s address.',
  no_server: 'No email was sent: this service has no mail server.',
};

function whatHappened(notification: Notification): string {
  if (!isAboutEndpoint(notification)) {
    const { appointmentId, appointmentVersion } = notification;
    return (
      `Your system refused version ${appointmentVersion} of the appointment ${appointmentId}, or did not acknowledge it in ` +
      'time. Read the appointment to see the reason, then correct the cause or write the appointment by hand.'
    );
  }
  const { kind, endpointId, endpointUrl, deactivateAt } = notification;
  if (endpointUrl === null || deactivateAt === null)
    return (
      `The queue of the pull endpoint ${endpointId} has not been read for 24 hours while deliveries wait. Start the system that ` +
      'reads it: the next read makes the endpoint active. Deliveries wait for 30 days.'
    );
  return kind === 'endpoint_failing'
    ? `An event could not be delivered to ${endpointUrl} in six attempts. The endpoint will be deactivated at ` +
        `${deactivateAt.toISOString()} unless it responds with 2xx, its URL changes or it is enabled first.`
    : `The endpoint ${endpointUrl} was deactivated, because it kept failing. Events are kept, so nothing is lost: fix the endpoint, enable it, then ` +
        'replay the missed events.';
}
