import { sendTestEvent, type SendTestEvent } from '../../../commands/webhooks/send-test-event.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { findLatestTest } from '../../../db/webhooks/endpoints/latest-test.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { ClinicRequest } from '../../page-request.ts';
import type { EndpointPlace } from './read-endpoint.ts';

/** The field that holds the delivery of the last test event that was sent before the page was made. */
const LAST_TEST = 'last_test';

/** @param lastTest as `lastTestOf` finds it */
export function lastTestInput(lastTest: string): Html {
  return html`<input type="hidden" name="${LAST_TEST}" value="${lastTest}" />`;
}

/** The delivery of the last test event; empty when there is none. */
export async function lastTestOf(em: EntityManager, place: EndpointPlace): Promise<string> {
  return deliveryOf(await findLatestTest(em, place));
}

/**
 * Sends a test event to an endpoint that is locked; returns its delivery. A form that is sent twice leads to that of the
 * first one.
 */
export async function testOnce(
  em: EntityManager,
  { form, context }: Pick<ClinicRequest, 'form' | 'context'>,
  wanted: SendTestEvent & EndpointPlace,
): Promise<string> {
  const last = await findLatestTest(em, wanted);
  const isSame = last?.actor === context.actor && (last.details['exampleOf'] ?? null) === wanted.exampleOf;
  if (isSame && deliveryOf(last) !== form.get(LAST_TEST)) return deliveryOf(last);
  const { deliveryId } = await sendTestEvent(em, wanted, context);
  return deliveryId;
}

function deliveryOf(test: { details: Record<string, unknown> } | null): string {
  const id = test?.details['deliveryId'];
  return typeof id === 'string' ? id : '';
}
