import {
  SIGNATURE_TOLERANCE_SECONDS,
  type SignatureVerdict,
} from '../../../domain/webhooks/check-signature.ts';
import { html, type Html, type Part } from '../../../pages/html.ts';
import { notice, type Tone } from '../../layout/components.ts';
import { form, field, longField } from '../../layout/form.ts';
import type { View } from '../../layout/view.ts';
import type { EndpointSecret } from '../../../commands/webhooks/signing-secrets.ts';
import { VERIFY_WORDS } from './verify-words.ts';

/** A form for a received request, and the result. The input is not shown again, because it may contain a secret. */
export function verifySection(
  view: View,
  deliveryId: string,
  secrets: readonly EndpointSecret[],
  verdict: SignatureVerdict | null,
): Html {
  const { title, text, header, body, button } = VERIFY_WORDS[view.language];
  const fields = html`${field({ name: 'header', label: header, isRequired: true })}
    ${longField({ name: 'body', label: body })} <button class="second">${button}</button>`;
  return html`<h2 id="verify">${title}</h2>
    ${verdict && shownVerdict(view, verdict, secrets)}
    <p>${text}</p>
    ${form(view, { action: `/integrations/deliveries/${deliveryId}/verify#verify` }, fields)}`;
}

function shownVerdict(view: View, verdict: SignatureVerdict, secrets: readonly EndpointSecret[]): Html {
  const [tone, ...sentences] = sayVerdict(view, verdict, secrets);
  return notice(
    tone,
    sentences.map((sentence) => html`<p>${sentence}</p>`),
  );
}

function sayVerdict(
  view: View,
  verdict: SignatureVerdict,
  secrets: readonly EndpointSecret[],
): [Tone, ...Part[]] {
  const words = VERIFY_WORDS[view.language];
  switch (verdict.kind) {
    case 'unreadable':
      return ['bad', words.unreadable];
    case 'fits': {
      const isStale = Math.abs(verdict.ageSeconds) > SIGNATURE_TOLERANCE_SECONDS;
      const fits = words.fits(secretName(view, secrets[verdict.secret]));
      return [
        verdict.isOtherEvent ? 'waiting' : 'good',
        fits,
        ...(verdict.isOtherEvent ? [words.otherEvent] : []),
        ...(isStale ? [words.stale(signedAgo(view, verdict.ageSeconds))] : []),
      ];
    }
    case 'changed_body':
      return ['bad', words.changed(secretName(view, secrets[verdict.secret])), words.changes[verdict.change]];
    case 'not_ours':
      return ['bad', words.notOurs, verdict.isOfAttempt ? words.ofAttempt : words.ofNoAttempt];
  }
}

function signedAgo({ format, now }: View, ageSeconds: number): string {
  return format.relative(new Date(now.getTime() - ageSeconds * 1000), now);
}

/** The name of a secret: its dates, never its value. */
function secretName({ language, format, now }: View, secret: EndpointSecret | undefined): string {
  if (!secret) throw new Error('the result names a secret that the endpoint does not have');
  const { current, old } = VERIFY_WORDS[language];
  const made = format.moment(secret.createdAt, now);
  return secret.expiresAt ? old(made, format.relative(secret.expiresAt, now)) : current(made);
}
