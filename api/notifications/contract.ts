import { z } from 'zod';
import { notificationKind } from '../../domain/named-enums.schema.ts';
import { cursorById } from '../../domain/cursor.schema.ts';
import { component, oneAnswer, pageAnswer } from '../contract/answers.ts';
import { defineContracts } from '../contract/define-contracts.ts';
import { creationTime, id, instantText, limitParameter } from '../contract/fields.ts';

export const notificationSchema = component(
  'Notification',
  'Something that the clinic should know about an endpoint.',
  {
    id: id().describe('Made by the service.'),
    kind: notificationKind,
    endpointId: id().describe('The endpoint that it is about.'),
    createdAt: instantText().describe('When it happened.'),
    emailedAt: instantText().nullable().meta({
      description:
        'When the mail to the clinic’s address was handed over; null when it was not, and the message says why.',
    }),
    readAt: instantText().nullable().describe('When the clinic marked it as read; null until then.'),
    message: z.string().describe('What happened and what to do, in English.'),
  },
);

export const notificationCursor = cursorById('notifications');

const example = {
  id: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a70',
  kind: 'endpoint_failing',
  endpointId: '0195571c-5a60-7a3e-9f00-2f5d1c9b7a42',
  createdAt: '2026-03-03T00:05:30.250Z',
  emailedAt: '2026-03-03T00:05:31.100Z',
  readAt: null,
  message:
    'An event could not be delivered to https://pms.sorriso.example/webhooks in six attempts. The endpoint will ' +
    'be deactivated at 2026-03-04T00:05:30.250Z unless it answers with 2xx, its URL changes or it is ' +
    'enabled first.',
};

export const notificationContracts = defineContracts('Notifications', 'notification', {
  listNotifications: {
    operation: 'GET /v1/notifications',
    summary: 'What the clinic should know, newest first',
    description: 'Each is also mailed to the clinic’s address, unless its message says why it was not.',
    access: ['webhooks:read'],
    query: z.strictObject({
      ...creationTime(),
      cursor: notificationCursor.parameter.optional(),
      limit: limitParameter({ maximum: 200, default: 50 }),
    }),
    responses: pageAnswer('A page of notifications.', 'NotificationPage', notificationSchema, example),
  },
  readNotification: {
    operation: 'POST /v1/notifications/{id}/read',
    summary: 'Mark a notification as read',
    description: 'For the whole clinic. Marked again it keeps its first `readAt`.',
    access: ['webhooks:write'],
    responses: oneAnswer(200, 'The notification as it is now.', notificationSchema, {
      ...example,
      readAt: '2026-03-03T07:45:10.000Z',
    }),
  },
});
