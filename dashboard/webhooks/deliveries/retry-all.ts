import { retryEndpointNow } from '../../../commands/webhooks/sending-again/retry-now.ts';
import type { CommandContext } from '../../../commands/command-context.ts';
import type { EntityManager } from '../../../db/connection/open-database.ts';
import { countRetries, type WaitingRetries } from '../../../db/webhooks/deliveries/hasten-deliveries.ts';
import { RETRY_DELAYS_SECONDS } from '../../../domain/webhooks/retry-schedule.ts';
import { html, type Html } from '../../../pages/html.ts';
import { form } from '../../layout/form.ts';
import { upTo, type View } from '../../layout/view.ts';
import { RETRY_WORDS } from './retry-words.ts';

/** Higher numbers are not shown, and would slow the page down. */
export const MAX_COUNTED = 1000;

const MOST_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

export function waitingIn(retries: readonly WaitingRetries[]): number {
  return retries.reduce((sum, { deliveries }) => sum + deliveries, 0);
}

export interface RetryAll {
  action: string;
  /** The waiting retries of one endpoint. */
  retries: readonly WaitingRetries[];
  /** The state from which the form was built. */
  version: Html | null;
  /** Whether the form was sent without confirming that last attempts are used. */
  isUnsure: boolean;
  /** All open deliveries, if more than the waiting ones may be shown beside the button. */
  open?: number;
}

/**
 * A button that starts the next attempts of an endpoint now. It says which attempts it uses, and asks before last
 * attempts.
 */
export function retryAllForm(
  view: View,
  { action, retries, version, isUnsure, open }: RetryAll,
): Html | null {
  const words = RETRY_WORDS[view.language];
  const waiting = waitingIn(retries);
  if (waiting === 0) return null;
  const uses = retries.map(
    ({ attempts, deliveries }) => html`<p>${attemptUsed(view, attempts, deliveries)}</p>`,
  );
  const count = upTo(view, waiting, MAX_COUNTED);
  const sure = html`<label class="choice">
    <input type="checkbox" name="sure" value="yes" required />
    <span>${words.sure}</span>
  </label>`;
  const fields = html`${version} ${isUnsure && html`<strong class="error">${words.unsure}</strong>`}
    ${retries.some(isLast) && sure}
    <button class="second">
      ${words.button(count, open === undefined ? count : view.format.number(Math.max(open, waiting)))}
    </button>`;
  return html`${uses} ${form(view, { action }, fields)}`;
}

function attemptUsed(view: View, attempts: number, deliveries: number): string {
  const words = RETRY_WORDS[view.language];
  const left = MOST_ATTEMPTS - attempts - 1;
  const after = left === 0 ? words.last : words.left(deliveries, left);
  return `${words.uses(deliveries, upTo(view, deliveries, MAX_COUNTED))} ${after}`;
}

function isLast({ attempts }: Pick<WaitingRetries, 'attempts'>): boolean {
  return attempts >= MOST_ATTEMPTS - 1;
}

/** Some deliveries would use their last attempt, which the form did not confirm. */
export class UnsureRetry extends Error {}

/**
 * @throws UnsureRetry when a last attempt would be used without confirmation; a delivery may have reached it since the
 * page was shown
 */
export async function retryAllAsConfirmed(
  em: EntityManager,
  place: { tenantId: string; endpointId: string },
  { form: sent, context }: { form: URLSearchParams; context: CommandContext },
): Promise<{ deliveries: number }> {
  const retries = await countRetries(em, [place.endpointId], MAX_COUNTED);
  if (retries.some(isLast) && sent.get('sure') !== 'yes') throw new UnsureRetry();
  return retryEndpointNow(em, place, context);
}
