import { z } from 'zod';
import { describeDelivery } from '../../commands/diagnosis/describe-delivery.ts';
import { findOwner, type Owned } from '../../db/clinic/find-owner.ts';
import type { Scope } from '../../domain/clinic/api-scopes.ts';
import { rowIdIn } from '../../domain/row-id.ts';
import { fieldError, notFound } from '../../domain/service-error.ts';
import { hasScope, type Caller } from '../contract/caller.ts';
import { answer } from '../contract/implement.ts';
import type { HandlerContext } from '../contract/route.ts';
import { inputSchemaOf } from './argument-schema.ts';
import { refuseMissing, type OperationTool, type Tool } from './tool.ts';

/** Read-only tools for explaining what happened. */
export const SUPPORT_TOOLS: readonly OperationTool[] = [
  {
    name: 'appointment_history',
    title: 'Get the history of an appointment',
    operationId: 'getAppointmentTimeline',
    isReadOnly: true,
    description:
      'Every change of an appointment with who made it, its webhook events and the status of their deliveries. Use it for "who cancelled this?" and "did the PMS get it?". For a delivery that has not succeeded, call explain_delivery.',
  },
  {
    name: 'explain_delivery',
    title: 'Explain a delivery',
    operationId: 'getWebhookDelivery',
    isReadOnly: true,
    told: withSituation,
    description:
      'Why a webhook has or has not arrived: `situation` in words, then every attempt with the endpoint’s response. Say who must act: the receiver’s team fixes a 4xx, a redirect or a certificate; an open delivery is retried automatically at `nextAttemptAt`.',
  },
];

const idText = z.string().min(1).max(200);
const FIND_INPUT = inputSchemaOf({
  id: idText.describe('Any ID of the clinic: a UUID, `evt_…`, or a workflow ID.'),
});

/** The scope that a key needs to find a thing of each kind. */
const READ_BY: Record<Owned['kind'], Scope> = {
  tenant: 'tenant:read',
  key: 'keys:write',
  professional: 'professionals:read',
  service: 'services:read',
  block: 'professionals:read',
  appointment: 'appointments:read',
  hold: 'appointments:write',
  call: 'calls:read',
  recording: 'recordings:read',
  endpoint: 'webhooks:read',
  delivery: 'webhooks:read',
  replay: 'webhooks:read',
  notification: 'webhooks:read',
  event: 'webhooks:read',
  request: 'keys:write',
  person: 'keys:write',
};

const GO_ON: Partial<Record<Owned['kind'], string>> = {
  appointment: 'appointment_history',
  delivery: 'explain_delivery',
};

export const findTool: Tool = {
  name: 'find',
  title: 'Find by id',
  scopes: [],
  isReadOnly: true,
  input: FIND_INPUT,
  description:
    'Finds what an ID belongs to: an appointment, a call, a delivery, an event or an endpoint. Use it when you have only an ID; `next` names the tool to call next.',
  call(given, { caller, once }) {
    return once(() => {
      refuseMissing(given, FIND_INPUT);
      const typed = idText.safeParse(given['id']).data;
      if (typed === undefined) throw fieldError('id', '`id` must be one ID of up to 200 characters.');
      const id = rowIdIn(typed);
      return async ({ read }) => {
        const owned = id === null ? null : await read((em) => findOwner(em, id));
        if (!owned || !mayKnow(caller, owned)) throw notFound('record', typed);
        return answer(200, { kind: owned.kind, id: owned.id, next: GO_ON[owned.kind] ?? null });
      };
    });
  },
};

function mayKnow(caller: Caller, { kind, tenantId }: Owned): boolean {
  return tenantId === caller.tenantId && hasScope(caller, READ_BY[kind]);
}

async function withSituation(delivery: object, read: HandlerContext['read']) {
  const { id } = delivery as { id: string };
  return { situation: await read((em) => describeDelivery(em, null, id)), ...delivery };
}
