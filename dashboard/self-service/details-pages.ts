import { z } from 'zod';
import { nameOf, streetOf } from '../../commands/self-service/visit-details.ts';
import { findProfessional, listProfessionals } from '../../db/clinic/professionals.ts';
import { findService } from '../../db/clinic/services.ts';
import { notFound } from '../../domain/service-error.ts';
import { emailAddress } from '../../domain/clinic/email-address.schema.ts';
import { patientRules } from '../../domain/patients/patient-rules.schema.ts';
import { longest } from '../../domain/text/bounded-text.schema.ts';
import type { FreeSlot } from '../../domain/appointments/availability.ts';
import { html, type Html } from '../../pages/html.ts';
import { timeValue } from '../appointments/time-choice.ts';
import { radioChoice } from '../layout/radio-choice.ts';
import { facts, notice } from '../layout/components.ts';
import { field, formIdInput } from '../layout/form.ts';
import { optional } from '../filled-in.schema.ts';
import { phoneField } from '../phone-field.schema.ts';
import type { Reply } from '../serving/page-request.ts';
import { readFields } from '../serving/read-fields.ts';
import { lengthAndPrice } from './choose-pages.ts';
import { chosenFields, timesAddress, type Chosen } from './chosen.ts';
import type { Guest } from './guest.ts';
import { findOwnHold, isHoldOf } from './own-hold.ts';
import { SELF_SERVICE_WORDS } from './words.ts';

export const patientFields = (country: string) =>
  z.object({
    patientName: z.string().trim().pipe(patientRules.patientName),
    patientPhone: phoneField(country),
    /** Null when left empty. */
    email: z.string().trim().default('').pipe(optional(emailAddress)),
  });

export interface Mistake {
  wrong?: ReadonlySet<string>;
  problem?: { text: string; status: number; headers?: Record<string, string> };
  /** Alternatives, when the time is taken; there may be none. */
  others?: readonly FreeSlot[];
}

/** The patient's details, after a time was chosen. */
export async function detailsPage(
  guest: Guest,
  given: URLSearchParams,
  mistake: Mistake = {},
): Promise<Reply> {
  const chosen = readFields(chosenFields, given).fields;
  if (!chosen) return { to: guest.home };
  const { wrong, problem, others } = mistake;
  const words = SELF_SERVICE_WORDS[guest.language];
  const said = problem?.text ?? (wrong && words.toMend);
  return {
    title: words.details,
    status: problem?.status ?? (wrong ? 422 : 200),
    ...(problem?.headers && { headers: problem.headers }),
    body: html`${said !== undefined && notice('bad', said)}
      ${await summary(guest, chosen, others === undefined)}
      <p>
        <a href="${timesAddress(guest, chosen, given.get('professional') ?? '')}">← ${words.back}</a>
      </p>
      <form method="post" action="${guest.home}/details">
        ${formIdInput()} ${['service', 'professional'].map((name) => kept(given, name))}
        ${others && others.length > 0 ? await timeChoice(guest, others, given.get('professional') ?? '') : kept(given, 'time')}
        ${patientPart(guest, given, wrong)}
        <p class="actions"><button>${words.book}</button></p>
      </form>`,
  };
}

function kept(given: URLSearchParams, name: string): Html {
  return html`<input type="hidden" name="${name}" value="${given.get(name) ?? ''}" />`;
}

/** The times to choose from. None is preselected, so that no one books a time by mistake. */
async function timeChoice(
  { clinic, format, language, read }: Guest,
  others: readonly FreeSlot[],
  wished: string,
): Promise<Html> {
  const professionals = wished === '' ? [] : await read((em) => listProfessionals(em, clinic.id));
  const withAnother = (id: string) => {
    const one = wished === id ? undefined : professionals.find((each) => each.id === id);
    return one ? `, ${nameOf(one)}` : '';
  };
  const options = others.map((slot) => ({
    value: timeValue(slot),
    label: `${format.dayTitle(slot.startsAt)}, ${format.time(slot.startsAt)}${withAnother(slot.professionalId)}`,
    isChosen: false,
  }));
  return radioChoice({
    name: 'time',
    legend: SELF_SERVICE_WORDS[language].otherTimes,
    options,
    isRequired: true,
  });
}

async function summary(guest: Guest, chosen: Chosen, isFree: boolean): Promise<Html> {
  const { service, time } = chosen;
  const { clinic, format, language, read } = guest;
  const words = SELF_SERVICE_WORDS[language];
  const [what, who] = await read((em) =>
    Promise.all([findService(em, clinic.id, service), findProfessional(em, clinic.id, time.professionalId)]),
  );
  if (!what || !who) throw notFound('service or professional', service);
  const hold = await findOwnHold(guest);
  const when = html`<strong>${format.dayTitle(time.startsAt)}, ${format.time(time.startsAt)}</strong>`;
  return html`<div class="card">
    ${facts([
      ...(isFree ? [[words.when, when] as const] : []),
      [
        words.what,
        html`${what.service.name} <span class="under">${lengthAndPrice(guest, what.service)}</span>`,
      ],
      [words.withWhom, nameOf(who)],
      [words.where, streetOf(clinic) || clinic.name],
    ])}
    ${isHoldOf(hold, chosen) && html`<p class="soft">${words.keptUntil(format.time(hold.expiresAt))}</p>`}
  </div>`;
}

function patientPart(
  { language, format, sendsMail }: Guest,
  given: URLSearchParams,
  wrong: Mistake['wrong'],
): Html {
  const words = SELF_SERVICE_WORDS[language];
  const common = (name: keyof typeof words.wrong) => ({
    name,
    value: given.get(name) ?? '',
    error: wrong?.has(name) ? format.withPhone(words.wrong[name]) : undefined,
    isRequired: true,
  });
  return html`${field({ ...common('patientName'), label: words.name, maxLength: longest(patientRules.patientName), autocomplete: 'name' })}
  ${field({
    ...common('patientPhone'),
    label: words.phone,
    type: 'tel',
    hint: words.phoneHint,
    autocomplete: 'tel',
  })}
  ${
    sendsMail
      ? field({
          ...common('email'),
          isRequired: false,
          label: words.email,
          type: 'email',
          hint: words.emailHint,
          autocomplete: 'email',
        })
      : html`<p class="soft">${words.noMail}</p>`
  }`;
}
